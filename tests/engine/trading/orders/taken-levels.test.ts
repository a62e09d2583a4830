import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../../db/vocabulary.ts';
import { Exact, exact, sumOf, ZERO } from '../../../../engine/platform/decimal.ts';
import { matchOffer, type Offer, takeOffers } from '../../../../engine/trading/orders/paper/match-rules.ts';
import {
  type OfferSnapshot,
  type TakenLevels,
  takeFromLevels,
  untakenOffers,
  updateLevels,
} from '../../../../engine/trading/orders/paper/taken-levels.ts';
import { feesOf, maxFee, rawFee, roundFee } from '../../../../engine/trading/orders/terms/fees.ts';
import type { FeeSchedule } from '../../../../venues/port.ts';
import { VENUE_A_FEE } from '../../../support/fees.ts';

const NONE: TakenLevels = new Map();
const at = (ms: number) => new Date(ms);
const offers = (...levels: [price: string, size: number][]): Offer[] =>
  levels.map(([price, size]) => ({ price: exact(price), size: exact(size) }));
const book = (ms: number, ...levels: [string, number][]): OfferSnapshot => ({
  offers: offers(...levels),
  isWhole: true,
  at: at(ms),
});
const quote = (ms: number, ...levels: [string, number][]): OfferSnapshot => ({
  ...book(ms, ...levels),
  isWhole: false,
});
const sizes = (levels: TakenLevels, sight: OfferSnapshot) =>
  untakenOffers(levels, sight.offers).map(({ price, size }) => [price.toFixed(), size.toNumber()]);

/** The account's view of offers after it took six of ten at 0.50, through later views. */
function afterTaking(...looks: OfferSnapshot[]) {
  const first = book(0, ['0.5', 10], ['0.51', 20]);
  let levels = takeFromLevels(updateLevels('buy', NONE, first), first, [
    { price: exact('0.5'), amount: exact(6) },
  ]);
  for (const sight of looks) levels = updateLevels('buy', levels, sight);
  return sizes(levels, looks.at(-1) ?? first);
}

describe('an offer that was taken', () => {
  test('stays taken while it stands unchanged, however often and for however long it is polled', () => {
    expect(afterTaking(quote(1, ['0.5', 10]))).toEqual([['0.5', 4]]);
    expect(afterTaking(quote(1, ['0.5', 10]), quote(9e9, ['0.5', 10]))).toEqual([['0.5', 4]]);
    expect(afterTaking(book(1, ['0.5', 10], ['0.51', 20]))).toEqual([
      ['0.5', 4],
      ['0.51', 20],
    ]);
  });

  test('is new as far as its size has grown', () => {
    expect(afterTaking(quote(1, ['0.5', 13]))).toEqual([['0.5', 7]]);
    expect(afterTaking(quote(1, ['0.5', 8]), quote(2, ['0.5', 10]))).toEqual([['0.5', 6]]);
  });

  test('is not available to the account once others have taken it', () => {
    expect(afterTaking(quote(1, ['0.5', 3]))).toEqual([['0.5', 3]]);
  });

  test('is new after it disappeared: the market moved away, or the level was empty', () => {
    expect(afterTaking(quote(1, ['0.52', 9]), quote(2, ['0.5', 10]))).toEqual([['0.5', 10]]);
    expect(afterTaking(book(1), quote(2, ['0.5', 10]))).toEqual([['0.5', 10]]);
  });

  test('has not disappeared because a better one stands before it, or because a quote is empty', () => {
    expect(afterTaking(quote(1, ['0.49', 9]), quote(2, ['0.5', 10]))).toEqual([['0.5', 4]]);
    expect(afterTaking(quote(1), quote(2, ['0.5', 10]))).toEqual([['0.5', 4]]);
  });

  test('that is whole again and stands unchanged is not refreshed: it can be forgotten', () => {
    const first = book(0, ['0.5', 10]);
    const taken = takeFromLevels(updateLevels('buy', NONE, first), first, [
      { price: exact('0.5'), amount: exact(6) },
    ]);
    const whole = updateLevels('buy', taken, book(1, ['0.5', 16]));
    const seenAt = (levels: TakenLevels) => levels.get('0.5')?.seenAt;
    expect(seenAt(whole)).toEqual(at(1));
    expect(seenAt(updateLevels('buy', whole, book(2, ['0.5', 10])))).toEqual(at(2));
    const untouched = updateLevels('buy', updateLevels('buy', whole, book(2)), book(3, ['0.5', 8]));
    expect(seenAt(untouched)).toEqual(at(3));
    expect(seenAt(updateLevels('buy', untouched, book(4, ['0.5', 8])))).toEqual(at(3));
  });

  test('is not renewed by a view that is older than the known one', () => {
    const first = book(5, ['0.5', 10]);
    const taken = takeFromLevels(updateLevels('buy', NONE, first), first, [
      { price: exact('0.5'), amount: exact(10) },
    ]);
    for (const late of [quote(4, ['0.5', 50]), quote(5, ['0.5', 50])]) {
      expect(sizes(updateLevels('buy', taken, late), late)).toEqual([['0.5', 0]]);
    }
  });
});

const KALSHI: FeeSchedule = { ...VENUE_A_FEE, makerRate: '0.0175' };
const CENTS = 6;
const cents = (offset: number) => exact(50 + offset).div(100);

/** One account's orders on one side of a market whose book changes at random. */
const moves = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('book' as const),
      sizes: fc.array(fc.nat({ max: 4 }), { minLength: CENTS, maxLength: CENTS }),
    }),
    fc.record({
      do: fc.constant('arrive' as const),
      limit: fc.nat({ max: CENTS - 1 }),
      amount: fc.integer({ min: 1, max: 12 }),
      rests: fc.boolean(),
    }),
    fc.record({ do: fc.constant('quote' as const) }),
    fc.record({ do: fc.constant('quote' as const) }),
  ),
  { maxLength: 40 },
);

test('over random books and orders: fills never exceed the new offers, are never worse than the best one, and pay fees by the formula', () => {
  fc.assert(
    fc.property(fc.constantFrom<Side>('buy', 'sell'), moves, (side, played) => {
      let offered: Exact[] = Array.from({ length: CENTS }, () => ZERO);
      const newlyShown = [...offered];
      const filled = [...offered];
      const resting: { limit: Exact; left: Exact; amount: Exact; raw: Exact; fees: Exact }[] = [];
      let levels: TakenLevels = NONE;
      for (const [index, move] of played.entries()) {
        const isBuy = side === 'buy';
        const visible = offered
          .map((size, offset) => ({ price: cents(offset), size }))
          .filter(({ size }) => size.gt(0))
          .sort((a, b) => (isBuy ? a.price.cmp(b.price) : b.price.cmp(a.price)));
        const best = visible[0];
        const book = (
          order: (typeof resting)[number],
          executions: { price: Exact; amount: Exact; liquidity: 'maker' | 'taker' }[],
        ) => {
          for (const { price, amount, liquidity } of executions) {
            const [fee] = feesOf(KALSHI, liquidity, order.raw, [{ price, amount }]);
            order.raw = order.raw.plus(rawFee(KALSHI, liquidity, price, amount));
            order.fees = order.fees.plus(fee ?? ZERO);
            order.left = order.left.minus(amount);
            const offset = price.times(100).minus(50).toNumber();
            filled[offset] = (filled[offset] ?? ZERO).plus(amount);
            expect(isBuy ? price.lte(order.limit) : price.gte(order.limit)).toBe(true);
          }
        };
        if (move.do === 'book') {
          const next = move.sizes.map((size) => exact(size));
          for (const [offset, size] of next.entries()) {
            const growth = Exact.max(size.minus(offered[offset] ?? 0), ZERO);
            newlyShown[offset] = (newlyShown[offset] ?? ZERO).plus(growth);
          }
          offered = next;
        } else if (move.do === 'arrive') {
          const limit = cents(move.limit);
          const sight: OfferSnapshot = { offers: visible, isWhole: true, at: at(index) };
          const seen = updateLevels(side, levels, sight);
          const amount = exact(move.amount);
          const order = { limit, left: amount, amount, raw: ZERO, fees: ZERO };
          const executions = takeOffers(
            { side, limitPrice: limit, left: amount },
            untakenOffers(seen, visible),
            exact(1),
          );
          book(
            order,
            executions.map((execution) => ({ ...execution, liquidity: 'taker' })),
          );
          levels = takeFromLevels(seen, sight, executions);
          if (move.rests) resting.push(order);
          else expect(order.left.gte(0)).toBe(true);
        } else if (best !== undefined) {
          const sight: OfferSnapshot = { offers: [best], isWhole: false, at: at(index) };
          levels = updateLevels(side, levels, sight);
          for (const order of resting) {
            const [offer] = untakenOffers(levels, sight.offers);
            if (offer === undefined) continue;
            const met = matchOffer({ side, limitPrice: order.limit, left: order.left }, offer, exact(1));
            if (met === null) continue;
            expect(met.price.eq(best.price)).toBe(true);
            levels = takeFromLevels(levels, sight, [met]);
            book(order, [met]);
          }
        }
      }
      for (const [offset, amount] of filled.entries()) {
        expect(amount.lte(newlyShown[offset] ?? ZERO)).toBe(true);
      }
      for (const { limit, amount, raw, fees } of resting) {
        expect(fees.eq(roundFee(KALSHI, raw))).toBe(true);
        expect(fees.lte(maxFee(KALSHI, { side, limitPrice: limit, amount }))).toBe(true);
      }
      expect(sumOf(filled).gte(0)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

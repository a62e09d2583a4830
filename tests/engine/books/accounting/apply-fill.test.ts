import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AppliedFill,
  applyFill,
  cashMovements,
  type Draw,
  drawsOfSell,
} from '../../../../engine/books/accounting/apply-fill.ts';
import { feeWithheldInKind } from '../../../../engine/books/accounting/fee-withheld-in-kind.ts';
import { type Exact, exact, ZERO } from '../../../../engine/platform/decimal.ts';

const fill = (side: 'buy' | 'sell', amount: string, price: string, fee = '0') => ({
  side,
  amount: exact(amount),
  price: exact(price),
  fee: exact(fee),
});
const draw = (positionId: string, amount: string, totalCost: string, drawn: string): Draw => ({
  positionId,
  amount: exact(amount),
  totalCost: exact(totalCost),
  draw: exact(drawn),
});
const plainParts = ({ parts }: AppliedFill) =>
  parts.map(({ positionId, amount, cost, fee, realizedPnl }) => ({
    positionId,
    amount: amount.toFixed(),
    cost: cost.toFixed(),
    fee: fee.toFixed(),
    realizedPnl: realizedPnl.toFixed(),
  }));

describe('a buy', () => {
  test('adds its notional to the cost; "Fees are booked to realized PnL when paid, never into cost"', () => {
    const applied = applyFill(fill('buy', '10', '0.5', '0.175'), [draw('p', '2', '0.9', '10')]);
    expect(plainParts(applied)).toEqual([
      { positionId: 'p', amount: '10', cost: '5', fee: '0.175', realizedPnl: '-0.175' },
    ]);
    expect(applied.notional.toFixed()).toBe('5');
    expect(applied.unbacked.toFixed()).toBe('0');
  });
  test('75: a fee that the venue takes in the bought coin reduces the holding, not the cost', () => {
    const bought = { ...fill('buy', '1', '60000', '60'), withheld: exact('0.001') };
    const applied = applyFill(bought, [draw('p', '0', '0', '0.999')]);
    expect(plainParts(applied)).toEqual([
      { positionId: 'p', amount: '0.999', cost: '59940', fee: '60', realizedPnl: '-60' },
    ]);
    expect([applied.notional.toFixed(), applied.unbacked.toFixed()]).toEqual(['60000', '0']);
    const cash = cashMovements({ kind: 'trade', side: 'buy', fee: exact('60') }, applied);
    expect(cash.map(({ kind, amount }) => `${kind} ${amount.toFixed()}`)).toEqual([
      'trade -59940',
      'fee -60',
    ]);
  });

  test('a fee in a coin is taken from the position of the coin that was bought only', () => {
    const kept = (side: 'buy' | 'sell', tokenId: string, feeAsset: string) =>
      feeWithheldInKind({ side, tokenId, feeAsset, feeAmount: exact('0.1') }).toFixed();
    expect(kept('buy', 'BTCUSDT', 'BTC')).toBe('0.1');
    expect(kept('buy', 'BNBUSDC', 'BNB')).toBe('0.1');
    for (const [side, tokenId, asset] of [
      ['sell', 'BTCUSDT', 'BTC'],
      ['buy', 'BTCUSDT', 'BNB'],
      ['buy', 'BTCUSDT', 'USDT'],
      ['buy', 'BTCSTUSDT', 'BTC'],
      ['buy', 'KXFED-26:yes', 'USD'],
    ] as const)
      expect(kept(side, tokenId, asset), `${side} ${tokenId} ${asset}`).toBe('0');
    expect(feeWithheldInKind({ side: 'buy', tokenId: 'BTCUSDT' }).toFixed()).toBe('0');
    expect(feeWithheldInKind({ side: 'buy', tokenId: 'BTCUSDT', feeAsset: 'BTC' }).toFixed()).toBe('0');
  });

  test('"a buy is never" a loss, whatever its fee', () => {
    expect(applyFill(fill('buy', '1', '0.5', '9'), [draw('p', '0', '0', '1')]).isLoss).toBe(false);
  });
});

describe('a sell', () => {
  test('"a reduction takes cost × q / amount, half-even to 12 places"', () => {
    const third = applyFill(fill('sell', '1', '0.5'), [draw('p', '3', '1', '1')]);
    expect(plainParts(third)[0]).toMatchObject({ cost: '0.333333333333', realizedPnl: '0.166666666667' });
    const even = applyFill(fill('sell', '1', '1'), [draw('p', '2', '0.000000000001', '1')]);
    expect(plainParts(even)[0]?.cost).toBe('0');
    const odd = applyFill(fill('sell', '1', '1'), [draw('p', '2', '0.000000000003', '1')]);
    expect(plainParts(odd)[0]?.cost).toBe('0.000000000002');
  });
  test('"the last one takes the rest"', () => {
    const last = applyFill(fill('sell', '1', '0.5'), [draw('p', '1', '0.333333333334', '1')]);
    expect(plainParts(last)[0]?.cost).toBe('0.333333333334');
  });
  test('"fills are allocated in that order": each position realizes its own part', () => {
    const applied = applyFill(fill('sell', '10', '0.6', '0.03'), [
      draw('old', '4', '2', '4'),
      draw('young', '10', '7', '6'),
    ]);
    expect(plainParts(applied)).toEqual([
      { positionId: 'old', amount: '4', cost: '2', fee: '0.012', realizedPnl: '0.388' },
      { positionId: 'young', amount: '6', cost: '4.2', fee: '0.018', realizedPnl: '-0.618' },
    ]);
    expect(applied.realizedPnl.toFixed()).toBe('-0.23');
    expect(applied.isLoss).toBe(true);
  });
  test('"a loss is a sell fill whose proceeds − cost − own fee < 0": the fee alone can make it one, zero is none', () => {
    const at = (fee: string) => applyFill(fill('sell', '1', '0.5', fee), [draw('p', '1', '0.5', '1')]);
    expect(at('0').isLoss).toBe(false);
    expect(at('0.000000000001').isLoss).toBe(true);
    expect(applyFill(fill('sell', '1', '0.6', '0'), [draw('p', '1', '0.5', '1')]).isLoss).toBe(false);
  });
  test('proceeds that do not divide are shared out to the last digit', () => {
    const applied = applyFill(fill('sell', '3', '0.333333333333', '0.01'), [
      draw('a', '1', '0', '1'),
      draw('b', '1', '0', '1'),
      draw('c', '1', '0', '1'),
    ]);
    expect(plainParts(applied).map(({ fee }) => fee)).toEqual([
      '0.003333333333',
      '0.003333333333',
      '0.003333333334',
    ]);
    expect(applied.realizedPnl.toFixed()).toBe('0.989999999999');
  });
  test('an oversell is reported, and its proceeds are realized all the same', () => {
    const applied = applyFill(fill('sell', '5', '0.5'), [draw('p', '3', '1.2', '3')]);
    expect(applied.unbacked.toFixed()).toBe('2');
    expect(plainParts(applied)).toEqual([
      { positionId: 'p', amount: '3', cost: '1.2', fee: '0', realizedPnl: '1.3' },
    ]);
    const empty = applyFill(fill('sell', '5', '0.5', '0.1'), [draw('p', '0', '0', '0')]);
    expect(plainParts(empty)).toEqual([
      { positionId: 'p', amount: '0', cost: '0', fee: '0.1', realizedPnl: '2.4' },
    ]);
  });
});

describe('the positions that a sell draws on', () => {
  const held = (positionId: string, amount: string) => ({
    positionId,
    amount: exact(amount),
    totalCost: exact(1),
  });
  const reserved = (positionId: string, left: string) => ({ positionId, left: exact(left) });
  const drawn = (draws: Draw[]) => draws.map(({ positionId, draw }) => [positionId, draw.toFixed()]);

  test('are its reservations, in their order', () => {
    expect(
      drawn(
        drawsOfSell(exact(5), [reserved('b', '3'), reserved('a', '4')], [held('a', '9'), held('b', '9')]),
      ),
    ).toEqual([
      ['a', '2'],
      ['b', '3'],
    ]);
  });
  test('after the reservation was released are the other holdings, oldest first', () => {
    expect(
      drawn(drawsOfSell(exact(5), [reserved('a', '4')], [held('a', '1'), held('b', '2'), held('c', '9')])),
    ).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', '2'],
    ]);
  });
  test('never give more than is held, and there is always a position to book money to', () => {
    expect(drawn(drawsOfSell(exact(5), [reserved('a', '5')], [held('a', '2')]))).toEqual([['a', '2']]);
    expect(drawn(drawsOfSell(exact(5), [reserved('a', '5')], [held('a', '0'), held('b', '0')]))).toEqual([
      ['a', '0'],
    ]);
    expect(drawsOfSell(exact(5), [reserved('gone', '5')], [])).toEqual([]);
  });
});

type State = { amount: Exact; totalCost: Exact; realizedPnl: Exact };
const moves = fc.array(
  fc.record({
    buy: fc.boolean(),
    share: fc.integer({ min: 1, max: 1_000 }),
    price: fc.integer({ min: 1, max: 999_999 }).map((millionths) => exact(millionths).div(1_000_000)),
    fee: fc.nat(1_000).map((units) => exact(units).div('1000000000000')),
    position: fc.nat(2),
  }),
  { minLength: 1, maxLength: 40 },
);

test('no sequence of fills makes or loses anything: cash + cost − realized stays what it was, and flat means no cost', () => {
  fc.assert(
    fc.property(moves, (sequence) => {
      const positions: State[] = [0, 1, 2].map(() => ({ amount: ZERO, totalCost: ZERO, realizedPnl: ZERO }));
      let cash = exact(10_000);
      for (const { buy, share, price, fee, position } of sequence) {
        const facts = (amount: Exact) => ({
          side: buy ? ('buy' as const) : ('sell' as const),
          amount,
          price,
          fee,
        });
        const drawOf = (index: number, drawn: Exact): Draw => {
          const { amount, totalCost } = positions[index] ?? { amount: ZERO, totalCost: ZERO };
          return { positionId: String(index), amount, totalCost, draw: drawn };
        };
        const draws = buy
          ? [drawOf(position, exact(share).div(7).toDecimalPlaces(12))]
          : positions
              .map(({ amount }, index) => drawOf(index, amount.times(share).div(1_000).toDecimalPlaces(12)))
              .filter(({ draw }) => draw.gt(0));
        const amount = draws.reduce((sum, { draw }) => sum.plus(draw), ZERO);
        if (amount.isZero()) continue;
        const applied = applyFill(facts(amount), draws);
        cash = cash.plus(buy ? applied.traded.negated() : applied.traded).minus(fee);
        for (const part of applied.parts) {
          const state = positions[Number(part.positionId)];
          if (state === undefined) throw new Error('no such position');
          state.amount = buy ? state.amount.plus(part.amount) : state.amount.minus(part.amount);
          state.totalCost = buy ? state.totalCost.plus(part.cost) : state.totalCost.minus(part.cost);
          state.realizedPnl = state.realizedPnl.plus(part.realizedPnl);
          expect(state.amount.isNegative() && !state.amount.isZero()).toBe(false);
          expect(state.totalCost.isNegative() && !state.totalCost.isZero()).toBe(false);
          if (state.amount.isZero()) expect(state.totalCost.isZero()).toBe(true);
        }
        expect(applied.parts.reduce((sum, part) => sum.plus(part.fee), ZERO).eq(fee)).toBe(true);
      }
      const cost = positions.reduce((sum, { totalCost }) => sum.plus(totalCost), ZERO);
      const realized = positions.reduce((sum, { realizedPnl }) => sum.plus(realizedPnl), ZERO);
      expect(cash.plus(cost).minus(realized).toFixed()).toBe('10000');
    }),
    { numRuns: 500 },
  );
});

describe('"Cash: moved only by fills, fees and settlements"', () => {
  const moved = (kind: 'trade' | 'settlement', side: 'buy' | 'sell', fee: string) =>
    cashMovements({ kind, side, fee: exact(fee) }, { traded: exact(5) }).map(({ kind, amount }) => [
      kind,
      amount.toFixed(),
    ]);

  test('a buy takes its notional, a sell brings it, and a fee is an entry of its own', () => {
    expect(moved('trade', 'buy', '0.175')).toEqual([
      ['trade', '-5'],
      ['fee', '-0.175'],
    ]);
    expect(moved('trade', 'sell', '0.175')).toEqual([
      ['trade', '5'],
      ['fee', '-0.175'],
    ]);
  });

  test('"a ledger entry of kind `settlement`", without a fee', () => {
    expect(moved('settlement', 'sell', '0')).toEqual([['settlement', '5']]);
  });
});

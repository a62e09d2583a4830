import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BuyReserves } from '../../../engine/ledger/buy-reserves.ts';
import { Exact, exact, sumOf } from '../../../engine/platform/decimal.ts';
import { firstOf, LEDGER } from './ledger.ts';

const PRICE = '0.5';

const anyOrder = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    token_id: fc.constantFrom('BTCUSDT', 'ETHUSDT'),
    blueprint_id: fc.constantFrom('momentum', 'grid'),
    worst_fee: fc.constantFrom('0', '0.3'),
    filled: fc.integer({ min: 0, max: 9 }),
    fees: fc.constantFrom('0', '0.1', '0.4'),
    lapsesAtMs: fc.constantFrom(1_000, 2_000, Number.POSITIVE_INFINITY),
  })
  .map(({ filled, fees, lapsesAtMs, ...row }) => ({
    row: { ...firstOf(LEDGER.orders), ...row, side: 'buy' as const, limit_price: PRICE, amount: '9' },
    lapsesAtMs,
    filledAmount: exact(filled),
    fees: exact(fees),
  }));

test('property: running sums equal the sums over live orders, whatever happened before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ order: anyOrder, isLive: fc.boolean() }), { maxLength: 12 }),
      fc.constantFrom(999, 1_000, 2_000),
      fc.constantFrom('a', 'none'),
      (moves, nowMs, leaveOut) => {
        const reserves = new BuyReserves();
        const live = new Map<string, Parameters<BuyReserves['put']>[0]>();
        for (const { order, isLive } of moves) {
          if (isLive) {
            reserves.put(order);
            live.set(order.row.id, order);
          } else {
            reserves.drop(order);
            live.delete(order.row.id);
          }
        }
        const counted = [...live.values()]
          .filter(({ row, lapsesAtMs }) => row.id !== leaveOut && lapsesAtMs > nowMs)
          .map(({ row, filledAmount, fees }) => ({
            ...row,
            usd: Exact.max(exact(row.worst_fee).minus(fees), 0).plus(
              exact(9).minus(filledAmount).times(PRICE),
            ),
          }))
          .filter(({ usd }) => !usd.isZero());
        const sumsBy = (key: 'token_id' | 'blueprint_id') =>
          Array.from(
            Map.groupBy(counted, (each) => each[key]),
            ([name, own]) => [name, sumOf(own.map(({ usd }) => usd)).toFixed()],
          ).toSorted();
        const found = reserves.at(nowMs, leaveOut);
        const inWords = (sums: ReadonlyMap<string, Exact>) =>
          Array.from(sums, ([name, usd]) => [name, usd.toFixed()]).toSorted();
        expect(found.total.toFixed()).toBe(sumOf(counted.map(({ usd }) => usd)).toFixed());
        expect(inWords(found.byToken)).toEqual(sumsBy('token_id'));
        expect(inWords(found.byBlueprint)).toEqual(sumsBy('blueprint_id'));
      },
    ),
  );
});

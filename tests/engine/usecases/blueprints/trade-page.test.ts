import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type NamedTrade,
  TRADE_SORTS,
  type TradeFilter,
  tradeId,
  tradePage,
} from '../../../../engine/usecases/blueprints/record/trade-page.ts';

const trade = (holding: string, openedAtMs: number, closedAtMs: number, pnl: string): NamedTrade => ({
  holding,
  openedAtMs,
  closedAtMs,
  bought: '100',
  sold: '100',
  fees: '0',
  pnl,
  amountMax: '1',
  entryPrice: '100',
  settledAt: null,
  worstPnl: '0',
  bestPnl: '0',
  tokenId: holding.toUpperCase(),
  title: `The ${holding}`,
});

const A = trade('a', 1_000, 9_000, '1.000000000000000001');
const B = trade('b', 2_000, 5_000, '1.000000000000000002');
const C = trade('c', 3_000, 4_000, '-3');
const idsOf = (filter: Partial<TradeFilter> = {}) =>
  tradePage([A, B, C], { limit: 10, ...filter }).rows.map(({ holding }) => holding);

describe('closed trades in pages', () => {
  test('are sorted by their end, the newest first, and by any figure in either direction', () => {
    expect(idsOf()).toEqual(['a', 'b', 'c']);
    expect(idsOf({ isAscending: true })).toEqual(['c', 'b', 'a']);
    expect(idsOf({ sort: 'held' })).toEqual(['a', 'b', 'c']);
    expect(idsOf({ sort: 'entered' })).toEqual(['c', 'b', 'a']);
    expect(idsOf({ sort: 'return' }).at(-1)).toBe('c');
  });

  test('results are compared exactly, beyond the digits of a number', () => {
    expect(idsOf({ sort: 'result' })).toEqual(['b', 'a', 'c']);
    expect(idsOf({ sort: 'result', isAscending: true })).toEqual(['c', 'a', 'b']);
  });

  test('are filtered by words and by their end, and counted accordingly', () => {
    expect(idsOf({ find: 'THE B' })).toEqual(['b']);
    const span = { from: new Date(4_000).toISOString(), to: new Date(9_000).toISOString() };
    expect(tradePage([A, B, C], { limit: 1, ...span })).toEqual({ count: 2, rows: [B] });
  });

  test('of any order and size, pages together are all of them once; after an unknown one there is nothing', () => {
    const trades = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b'), fc.nat(9), fc.nat(9), fc.integer({ min: -3, max: 3 })),
      { maxLength: 12, selector: ([holding, opened, closed]) => `${holding} ${opened} ${closed}` },
    );
    fc.assert(
      fc.property(
        trades,
        fc.constantFrom(...TRADE_SORTS),
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        (rows, sort, isAscending, limit) => {
          const all = rows.map(([holding, opened, held, pnl]) =>
            trade(holding, opened, opened + held, String(pnl)),
          );
          const found: NamedTrade[] = [];
          for (;;) {
            const last = found.at(-1);
            const { rows: page } = tradePage(all, {
              limit,
              sort,
              isAscending,
              after: last && tradeId(last),
            });
            if (page.length === 0) break;
            found.push(...page);
          }
          expect(found.map(tradeId).toSorted()).toEqual(all.map(tradeId).toSorted());
        },
      ),
    );
    expect(tradePage([A], { limit: 5, after: 'nowhere' })).toEqual({ count: 1, rows: [] });
  });
});

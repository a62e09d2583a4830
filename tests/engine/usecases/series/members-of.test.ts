/** Members of a series: which of its markets were listed in a span, as known then. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIST_MAX } from '../../../../engine/strategy/graph/compile/parameters.ts';
import { seriesIn, withMembers } from '../../../../engine/strategy/graph/series-lists.ts';
import type { InstrumentRow } from '../../../../engine/trading/orders/row.ts';
import {
  type InstrumentFact,
  instrumentFactsByTime,
} from '../../../../engine/trading/orders/terms/facts-by-time.ts';
import { nextMembers } from '../../../../engine/usecases/blueprints/running/follow-series.ts';
import { membersOf } from '../../../../engine/usecases/series/members-of.ts';
import { contract, iso } from '../../../support/backtest.ts';

const T = Date.UTC(2026, 4, 1);
const MINUTE_MS = 60_000;
const RULE = { series: 'KXQ', venue: 'venue-a', outcome: 'Yes' } as const;

const tokenOf = (index: number) => `KXQ-${String(index).padStart(3, '0')}:yes`;
const fact = (index: number, fromMs: number, fields: Partial<InstrumentRow> = {}): InstrumentFact => ({
  fromMs,
  instrument: contract(tokenOf(index), { series: 'KXQ', ...fields }),
});

/** A market that opens at a minute and is open for some; read while it is open, at its close, or only afterwards. */
const Drawn = fc.record({
  opens: fc.integer({ min: 0, max: 60 }),
  lasts: fc.integer({ min: 1, max: 30 }),
  readAfter: fc.constantFrom(0, 1, 500),
});
type Drawn = { opens: number; lasts: number; readAfter: number };

const factsOf = (markets: readonly Drawn[]): InstrumentFact[] =>
  markets.flatMap(({ opens, lasts, readAfter }, index) => {
    const [opensMs, closesMs] = [T + opens * MINUTE_MS, T + (opens + lasts) * MINUTE_MS];
    const terms = { opens_at: iso(opensMs), closes_at: iso(closesMs) };
    const settled = { ...terms, status: 'settled', settlement_value: '1' } as const;
    return readAfter === 500
      ? [fact(index, T + 500 * MINUTE_MS, settled)]
      : [fact(index, opensMs + readAfter, terms), fact(index, closesMs, settled)];
  });
const span = (from: number, minutes: number) => ({
  firstMs: T + from * MINUTE_MS,
  lastMs: T + (from + minutes) * MINUTE_MS,
});
const membersIn = (facts: readonly InstrumentFact[], when: ReturnType<typeof span>) =>
  membersOf(instrumentFactsByTime(facts), RULE, when);

describe('the members of a series', () => {
  test('are the markets that were open at any time of the span, settled ones too, in the order of their opening', () => {
    fc.assert(
      fc.property(
        fc.array(Drawn, { maxLength: 12 }),
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 0, max: 40 }),
        (markets, from, minutes) => {
          const expected = markets
            .map((market, index) => ({ ...market, tokenId: tokenOf(index) }))
            .filter(({ opens, lasts }) => opens <= from + minutes && opens + lasts > from)
            .sort((a, b) => a.opens - b.opens || (a.tokenId < b.tokenId ? -1 : 1))
            .map(({ tokenId }) => tokenId);
          const found = membersIn(factsOf(markets), span(from, minutes));
          expect(found.ok ? found.tokenIds : []).toEqual(expected);
          expect(found.ok || found.code === 'series_empty').toBe(true);
        },
      ),
    );
  });

  test('do not change by facts of after the span, nor by the order in which facts are read', () => {
    fc.assert(
      fc.property(
        fc.array(Drawn, { minLength: 1, maxLength: 12 }),
        fc.array(Drawn, { maxLength: 6 }),
        fc.integer({ min: 0, max: 40 }),
        (markets, later, from) => {
          const when = span(from, 10);
          const known = instrumentFactsByTime(factsOf(markets));
          const after = later.map((each, index) =>
            fact(index, when.lastMs + 1 + each.opens, { status: 'closed', opens_at: iso(T) }),
          );
          const all = [...after, ...known].reverse();
          expect(membersOf(all, RULE, when)).toEqual(membersOf(known, RULE, when));
        },
      ),
    );
  });

  test('are at most fifty: more are refused with their number, and none with what to check', () => {
    const many = factsOf(Array.from({ length: LIST_MAX + 1 }, () => ({ opens: 0, lasts: 9, readAfter: 0 })));
    expect(membersIn(many, span(1, 1))).toMatchObject({
      code: 'series_too_large',
      message: expect.stringContaining('had 51 open markets; a list takes 50'),
    });
    expect(membersIn(many.slice(2), span(1, 1))).toMatchObject({ ok: true });
    expect(membersIn(many, span(50, 1))).toMatchObject({ code: 'series_empty' });
    const others = many.map((each) => ({ ...each, instrument: { ...each.instrument, series: 'KXQ2' } }));
    expect(membersIn(others, span(1, 1))).toMatchObject({ code: 'series_empty' });
  });

  test('leave out a market that its venue delisted, and one that has not opened', () => {
    const facts = [
      fact(0, T, { delisted_at: iso(T), opens_at: iso(T) }),
      fact(1, T, { status: 'paused', opens_at: iso(T + 5 * MINUTE_MS) }),
      fact(2, T, { opens_at: iso(T) }),
    ];
    expect(membersIn(facts, span(1, 0))).toEqual({ ok: true, tokenIds: [tokenOf(2)] });
  });
});

describe('the next members of a deployment', () => {
  test('are those open now and those needed: each keeps its place, new ones come last', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 10 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 10 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 5 }),
        (current, open, needed) => {
          const [now, then, held] = [current.map(tokenOf), open.map(tokenOf), new Set(needed.map(tokenOf))];
          const next = nextMembers(now, then, held);
          const stay = now.filter((tokenId) => then.includes(tokenId) || held.has(tokenId));
          const join = then.filter((tokenId) => !now.includes(tokenId));
          const back = [...held].filter((tokenId) => !now.includes(tokenId) && !then.includes(tokenId));
          expect(next).toEqual([...stay, ...join, ...back]);
          expect(nextMembers(next, then, held)).toEqual(next);
        },
      ),
    );
  });
});

test('members take the place of the rule, and of no other parameter', () => {
  const visual = {
    nodes: [],
    edges: [],
    parameters: { list: { value: RULE, help: 'x' }, size: { value: 1 } },
  };
  expect([...seriesIn(visual)]).toEqual([['list', RULE]]);
  expect(withMembers(visual, { list: [tokenOf(1)], size: [tokenOf(2)], other: [] })).toEqual({
    ...visual,
    parameters: { list: { value: [tokenOf(1)], help: 'x' }, size: { value: 1 } },
  });
  expect(withMembers(visual, null)).toBe(visual);
});

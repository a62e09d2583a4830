/** Listings in backtests: what was listed then, settled and delisted markets too. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instrumentFactsOf } from '../../../../engine/strategy/graph/instrument-facts.ts';
import type { InstrumentRow } from '../../../../engine/trading/orders/row.ts';
import {
  type InstrumentFact,
  instrumentFactsByTime,
  withoutListing,
} from '../../../../engine/trading/orders/terms/facts-by-time.ts';
import { contract, graphFrom, inputOf, iso, requestOf, run } from '../../../support/backtest.ts';
import { quoteOf } from '../../../support/contracts.ts';

const T = Date.UTC(2026, 4, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SERIES = ['KXHOUR-1:yes', 'KXHOUR-2:yes', 'KXHOUR-3:yes'];
const tokenOf = (index: number) => SERIES[index] ?? '';

const fact = (fromMs: number, tokenId: string, fields: Partial<InstrumentRow>): InstrumentFact => ({
  fromMs,
  instrument: contract(tokenId, fields),
});

/** Each market of the series is open for two hours, the next one an hour later. All were read once they had ended. */
const readAfterwards = SERIES.map((tokenId, index) =>
  fact(T + 40 * HOUR_MS, tokenId, {
    opens_at: iso(T + index * HOUR_MS),
    closes_at: iso(T + (index + 2) * HOUR_MS),
    status: 'settled',
    settlement_value: index === 1 ? '1' : '0',
  }),
);

/** Always holds one contract of the market that closes next; sells nothing, so each is settled. */
const NEXT = {
  ...graphFrom([
    ['open', 'market.info', { instrument: { parameter: 'series' }, field: 'listed' }],
    ['left', 'market.info', { instrument: { parameter: 'series' }, field: 'secondsToClose' }],
    ['never', 'constant', { value: 1_000_000_000 }],
    ['time', 'select', { kind: 'number' }, { if: 'open', yes: 'left', no: 'never' }],
    ['first', 'top', { k: 1, from: 'lowest' }, { in: 'time' }],
    ['next', 'logic', { op: 'and' }, { in: ['first', 'open'] }],
    ['one', 'constant', { value: 1 }],
    [
      'buy',
      'order',
      { instrument: { parameter: 'series' }, side: 'buy', type: 'market', ifTrueAtDeploy: 'fire' },
      { when: 'next', amount: 'one' },
    ],
  ]),
  parameters: { series: { value: SERIES } },
};

/** Quotes every two seconds in the minutes around each full hour of a market's life. */
const pricesOf = (tokenId: string, fromMs: number, toMs: number) => ({
  tokenId,
  quotes: Array.from({ length: (toMs - fromMs) / 2_000 }, (_, at) => fromMs + 2_000 * (at + 1))
    .filter((atMs) => Math.abs(((atMs + HOUR_MS / 2) % HOUR_MS) - HOUR_MS / 2) <= MINUTE_MS)
    .map((atMs) => quoteOf({ atMs, bid: 0.44, ask: 0.45, bidSize: 100, askSize: 100 })),
});

const played = (facts: readonly InstrumentFact[], visual: unknown = NEXT) =>
  run(
    inputOf(requestOf({ from: iso(T), to: iso(T + 6 * HOUR_MS) }), {
      visual,
      facts: [...facts],
      histories: [],
      recorded: SERIES.map((tokenId, index) =>
        pricesOf(tokenId, T + index * HOUR_MS, T + (index + 2) * HOUR_MS),
      ),
    }),
  );

describe('a backtest over a series of markets', () => {
  test('buys the one that closes next, as it was listed then, and holds the settled ones to their payout', () => {
    const { fills, summary } = played(readAfterwards);
    expect(fills.filter(({ side }) => side === 'buy').map(({ tokenId, at }) => [tokenId, at])).toEqual(
      SERIES.map((tokenId, index) => [
        tokenId,
        // The first one at once, each later one when the one before it closes.
        expect.stringMatching(iso(T + (index === 0 ? 0 : index + 1) * HOUR_MS).slice(0, 16)),
      ]),
    );
    expect(summary.statistics.trades.closed).toBe(3);
  });

  test('is the same whether its facts were recorded as they happened, or read afterwards', () => {
    const asItHappened = readAfterwards.flatMap(({ instrument }, index) => {
      const { token_id, opens_at, closes_at, settlement_value } = instrument;
      const listed = { opens_at, closes_at };
      const closesMs = T + (index + 2) * HOUR_MS;
      return [
        fact(T - HOUR_MS, token_id, listed),
        fact(closesMs, token_id, { ...listed, status: 'closed' }),
        fact(closesMs + HOUR_MS, token_id, { ...listed, status: 'settled', settlement_value }),
      ];
    });
    expect(played(asItHappened).fills).toEqual(played(readAfterwards).fills);
  });

  test('one that is delisted is not bought, and does not stall the others', () => {
    const times = { opens_at: iso(T), closes_at: iso(T + 2 * HOUR_MS) };
    const delisted = [
      fact(T - HOUR_MS, tokenOf(0), times),
      fact(T - MINUTE_MS, tokenOf(0), { ...times, delisted_at: iso(T - MINUTE_MS) }),
    ];
    const { fills } = played([...delisted, ...readAfterwards.slice(1)]);
    const bought = fills.filter(({ side }) => side === 'buy');
    expect(bought.map(({ tokenId, at }) => [tokenId, at.slice(0, 16)])).toEqual([
      [tokenOf(1), iso(T + HOUR_MS).slice(0, 16)],
      [tokenOf(2), iso(T + 3 * HOUR_MS).slice(0, 16)],
    ]);
  });

  test('one that is listed again is bought again', () => {
    const times = { opens_at: iso(T), closes_at: iso(T + 2 * HOUR_MS) };
    const facts = [
      fact(T - HOUR_MS, tokenOf(0), { ...times, delisted_at: iso(T - HOUR_MS) }),
      fact(T + 30_000, tokenOf(0), times),
    ];
    const { fills } = played([...facts, ...readAfterwards.slice(1)]);
    expect(fills[0]).toMatchObject({ tokenId: tokenOf(0), at: iso(T + 30_000 + 2_000) });
  });

  test('a market that closed is unknown without that condition, and stalls a comparison: the reason to ask', () => {
    const blind = graphFrom([
      ['price', 'market.price', { instrument: { parameter: 'series' }, field: 'bid' }],
      ['best', 'top', { k: 1 }, { in: 'price' }],
      ['one', 'constant', { value: 1 }],
      [
        'buy',
        'order',
        { instrument: { parameter: 'series' }, side: 'buy', type: 'market', ifTrueAtDeploy: 'fire' },
        { when: 'best', amount: 'one' },
      ],
    ]);
    expect(played(readAfterwards, { ...blind, parameters: NEXT.parameters }).fills).toEqual([]);
  });
});

describe('the listing of an instrument', () => {
  const missing = (facts: readonly InstrumentFact[], atMs = T) => withoutListing([tokenOf(0)], facts, atMs);

  test('is known from its first recorded fact on, or from the times that its venue states', () => {
    const stated = { opens_at: iso(T - HOUR_MS), closes_at: iso(T + HOUR_MS) };
    expect(missing([])).toEqual([tokenOf(0)]);
    expect(missing([fact(T, tokenOf(0), {})])).toEqual([]);
    expect(missing([fact(T + 1, tokenOf(0), {})])).toEqual([tokenOf(0)]);
    expect(missing([fact(T + 1, tokenOf(0), stated)])).toEqual([]);
    expect(missing([fact(T + 1, tokenOf(0), { ...stated, status: 'settled' })])).toEqual([]);
    // When it ended is not stated.
    expect(missing([fact(T + 1, tokenOf(0), { ...stated, closes_at: null, status: 'settled' })])).toEqual([
      tokenOf(0),
    ]);
    expect(missing([fact(T - 1, tokenOf(1), {})])).toEqual([tokenOf(0)]);
  });

  test('law: at each instant it is that of the newest statement by then, in whatever order they are read', () => {
    // Statements as a catalogue that goes backwards makes them: reopened, delisted, listed again, twice the same.
    const statement = fc.record({
      at: fc.integer({ min: 1, max: 1_000 }),
      status: fc.constantFrom('open', 'paused', 'closed'),
      isDelisted: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(statement, { minLength: 1, maxLength: 12, selector: ({ at }) => at }),
        fc.integer({ min: 1, max: 1_100 }),
        (statements, at) => {
          const facts = statements.map((one) =>
            fact(T + one.at, tokenOf(0), {
              status: one.status,
              delisted_at: one.isDelisted ? iso(T + one.at) : null,
              opens_at: iso(T),
            }),
          );
          const sorted = statements.toSorted((a, b) => a.at - b.at);
          const newest = sorted.findLast((one) => one.at <= at);
          fc.pre(newest !== undefined);
          const byTime = instrumentFactsByTime(facts).toSorted((a, b) => a.fromMs - b.fromMs);
          const row = byTime.findLast(({ fromMs }) => fromMs <= T + at)?.instrument;
          expect(row && instrumentFactsOf(row).hasEnded).toBe(
            newest !== undefined && (newest.status === 'closed' || newest.isDelisted),
          );
        },
      ),
    );
  });

  test('of a huge series is found in one pass: 100,000 markets with two facts each', () => {
    const tokens = Array.from({ length: 100_000 }, (_, index) => `KXHUGE-${index}:yes`);
    const stated = { opens_at: iso(T), closes_at: iso(T + HOUR_MS), status: 'open' };
    const facts = tokens.flatMap((token_id) =>
      [T + 2, T + 1].map((fromMs) => ({ fromMs, instrument: { ...stated, token_id } as InstrumentRow })),
    );
    expect(withoutListing(tokens, facts, T)).toEqual([]);
    expect(withoutListing([...tokens, 'KXRENAMED:yes'], facts, T)).toEqual(['KXRENAMED:yes']);
  });
});

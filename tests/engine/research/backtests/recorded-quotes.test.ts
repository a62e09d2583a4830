import { describe, expect, test } from 'vitest';
import { encodeQuotes } from '../../../../engine/history/quote-columns.ts';
import { readRecordedQuotes } from '../../../../engine/research/backtests/recorded-quotes.ts';
import type { QuoteSource } from '../../../../engine/research/playback/request.ts';
import { runBacktest } from '../../../../engine/research/playback/run-backtest.ts';
import { coin, crossingGraph, factFromStart, inputOf, iso, requestOf } from '../../../support/backtest.ts';
import { BAR_MS, barsFrom, cut, historyOf, recordedBars } from '../../../support/bars.ts';
import { quoteOf } from '../../../support/contracts.ts';

const FROM_MS = Date.parse('2026-03-04T00:00:00Z');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const quoteAt = (atMs: number) => quoteOf({ atMs, bid: 100, bidSize: 5, ask: 101, askSize: 5, last: 100 });

const stored = (...times: number[]) => ({
  tokenId: 'BTCUSDT',
  fromMs: FROM_MS,
  toMs: FROM_MS + HOUR_MS,
  bodies: [encodeQuotes(times.map(quoteAt))],
});

const FLAT = [{ open: 100, high: 100, low: 100, close: 100 }];

const requestFor = (source: QuoteSource, fromMs = FROM_MS, toMs = FROM_MS + HOUR_MS) =>
  requestOf({ from: iso(fromMs), to: iso(toMs) }, { data: { source }, checks: true });

describe('the prices of a run', () => {
  test('are quotes that reach back to the first bar; late quotes leave the run to bars, unless only quotes are requested', () => {
    const histories = [historyOf('BTCUSDT', BAR_MS, barsFrom(FROM_MS - HOUR_MS, BAR_MS, FLAT))];
    const over = (quotes: ReturnType<typeof stored>, source: QuoteSource, bars = histories) =>
      readRecordedQuotes([quotes], { request: requestFor(source), histories: bars });
    const early = stored(FROM_MS + MINUTE_MS, FROM_MS + 2 * MINUTE_MS);
    const late = stored(FROM_MS + HOUR_MS / 2);
    expect(over(early, 'auto')).toHaveLength(1);
    expect(over(late, 'auto')).toEqual([]);
    expect(over(late, 'recorded')).toHaveLength(1);
    // A market that opened after the beginning has no earlier bars, or none at all.
    const opened = [historyOf('BTCUSDT', BAR_MS, barsFrom(FROM_MS + HOUR_MS / 2, BAR_MS, FLAT))];
    expect(over(late, 'auto', opened)).toHaveLength(1);
    expect(over(late, 'auto', [])).toHaveLength(1);
    expect(over(late, 'auto', [historyOf('ETHUSDT', BAR_MS, barsFrom(FROM_MS, BAR_MS, FLAT))])).toHaveLength(
      1,
    );
  });

  test('are not recorded quotes of another time only', () => {
    const before = [stored(FROM_MS - HOUR_MS)];
    for (const source of ['auto', 'recorded'] as const)
      expect(readRecordedQuotes(before, { request: requestFor(source), histories: [] })).toEqual([]);
  });

  test('are the same in a check that ends before the first quote, so such a run is not blamed for look-ahead', () => {
    const rows = cut(recordedBars(), 0, 150);
    const { openTimeMs, closeTimeMs } = rows.columns;
    const [fromMs, toMs] = [openTimeMs[60] as number, (closeTimeMs[149] as number) + 1];
    const request = requestFor('recorded', fromMs, toMs);
    const input = inputOf(request, {
      visual: crossingGraph(3, 8, 0.05),
      facts: [factFromStart(coin())],
      histories: [historyOf('BTCUSDT', BAR_MS, rows)],
    });
    const recorded = [{ tokenId: 'BTCUSDT', quotes: [quoteAt(toMs - 2 * BAR_MS), quoteAt(toMs - BAR_MS)] }];
    const hooks = { part: () => {}, progress: () => {}, isCanceled: () => false };
    expect(runBacktest({ ...input, recorded }, hooks)).not.toBeNull();
  });
});

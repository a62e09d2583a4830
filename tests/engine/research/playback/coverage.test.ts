import { expect, test } from 'vitest';
import type { History } from '../../../../engine/history/series.ts';
import { choosePrices, rowsAs } from '../../../../engine/research/playback/bars/choose-prices.ts';
import { percentOf, severityOfGaps } from '../../../../engine/research/playback/verdicts/verdicts.ts';
import {
  buyAtMarket,
  CLOSE,
  crossingGraph,
  FREE_COIN,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, type BarFields, barsFrom, coinHistory, flat, historyOf } from '../../../support/bars.ts';

const T = Date.UTC(2026, 0, 5);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const wave = (count: number, barMs: number): BarFields[] =>
  Array.from({ length: count }, (_, bar) =>
    flat(Math.floor((bar * barMs) / (40 * BAR_MS)) % 2 === 0 ? 100 : 101),
  );
const five = (count: number, fromMs = T): History => coinHistory(fromMs, BAR_MS, wave(count, BAR_MS));
const minutes = (count: number, fromMs = T): History =>
  coinHistory(fromMs, MINUTE_MS, wave(count, MINUTE_MS));

const DAYS = 3;
const whole = (DAYS * DAY_MS) / BAR_MS;
const play = (histories: readonly History[], visual: unknown = crossingGraph(3, 8, 1)) =>
  run(
    inputOf(requestOf({ from: iso(T), to: iso(T + DAYS * DAY_MS) }), {
      visual,
      facts: [factFromStart(FREE_COIN)],
      histories,
    }),
  );

test('finer history of a part of the span takes nothing from the bars that cover all of it', () => {
  const all = play([five(whole)]);
  const partly = play([five(whole), minutes(DAY_MS / MINUTE_MS)]);
  expect(all.summary.orders.filled).toBeGreaterThan(15);
  expect(partly.summary.orders).toEqual(all.summary.orders);
  expect(partly.summary.verdicts.map(({ code }) => code)).not.toContain('no_prices');
});

test('prices are the finest of each stretch: a coarser bar is used if it lies within a gap of all finer ones', () => {
  const early = barsFrom(T, MINUTE_MS, wave(7, MINUTE_MS));
  const late = barsFrom(T + 20 * MINUTE_MS, MINUTE_MS, wave(5, MINUTE_MS));
  const both = barsFrom(T, MINUTE_MS, wave(12, MINUTE_MS));
  for (const name of ['openTimeMs', 'closeTimeMs'] as const)
    both.columns[name].set([...early.columns[name], ...late.columns[name]]);
  const request = requestOf({ from: iso(T), to: iso(T + 6 * BAR_MS) });
  const input = inputOf(request, {
    visual: {},
    facts: [factFromStart(FREE_COIN)],
    histories: [five(6), historyOf('BTCUSDT', MINUTE_MS, both)],
  });
  const choice = choosePrices('BTCUSDT', FREE_COIN, input, 0, null);
  const { openTimeMs, closeTimeMs } = rowsAs(choice?.history as History, 'candle').columns;
  const rows = Array.from(openTimeMs, (openMs, row) => [
    openMs - T,
    (closeTimeMs[row] as number) + 1 - openMs,
  ]);
  const minute = (at: number) => [at * MINUTE_MS, MINUTE_MS];
  expect(rows).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6].map(minute),
    [2 * BAR_MS, BAR_MS],
    [3 * BAR_MS, BAR_MS],
    ...[20, 21, 22, 23, 24].map(minute),
    [5 * BAR_MS, BAR_MS],
  ]);
  expect(choice?.fidelity).toBe('C');
  // Bars that the request excludes, or that are coarser than the graph's own, replace nothing.
  expect(
    choosePrices(
      'BTCUSDT',
      FREE_COIN,
      { ...input, request: { ...request, data: { ...request.data, detail: 'none' } } },
      BAR_MS,
      null,
    )?.history?.rows.count,
  ).toBe(6);
});

const holder = graphFrom([
  CLOSE,
  ['level', 'constant', { value: 100 }],
  ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'level' }],
  ['amount', 'constant', { value: 1 }],
  buyAtMarket({ when: 'high', amount: 'amount' }),
]);
const verdictOf = (histories: readonly History[]) =>
  play(histories, holder).summary.verdicts.find(({ code }) => code === 'no_prices');

test('history that ends in the middle of the span is reported before any figure, with the holdings after its end', () => {
  expect(verdictOf([five(whole)])).toBeUndefined();
  const ended = verdictOf([five(whole / 2)]);
  expect(ended).toMatchObject({
    severity: 'danger',
    message: expect.stringContaining('50 % of the time, and for 50 % of'),
  });
  expect(play([five(whole / 2)], holder).summary.verdicts[0]?.code).toBe('no_prices');
});

test('so is a span whose first part has no prices, without holdings there', () => {
  const late = verdictOf([five(whole / 2, T + (DAYS * DAY_MS) / 2)]);
  expect(late).toMatchObject({
    severity: 'danger',
    message: expect.stringContaining('50 % of the time, and for 0'),
  });
});

test('a gap of one bar is a warning unless something was held in it for long', () => {
  const bars = barsFrom(T, BAR_MS, wave(whole - 1, BAR_MS));
  for (const name of ['openTimeMs', 'closeTimeMs'] as const)
    for (let row = 400; row < whole - 1; row++)
      bars.columns[name].fill((bars.columns[name][row] as number) + BAR_MS, row, row + 1);
  expect(verdictOf([historyOf('BTCUSDT', BAR_MS, bars)])).toMatchObject({ severity: 'warning' });
});

test('a gap that rounds to no time at all is said, and is no warning', () => {
  expect(severityOfGaps({ ofTime: 0.000_02, ofHeld: 0 })).toBe('info');
  expect(severityOfGaps({ ofTime: 0.000_1, ofHeld: 0 })).toBe('warning');
  expect(severityOfGaps({ ofTime: 0.000_02, ofHeld: 0.01 })).toBe('danger');
  expect([0, 0.000_02, 0.000_1, 0.004, 0.5, 1].map(percentOf)).toEqual([
    '0',
    '<0.01',
    '0.01',
    '0.40',
    '50',
    '100',
  ]);
});

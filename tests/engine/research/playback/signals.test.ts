import { describe, expect, test } from 'vitest';
import type { BacktestInput } from '../../../../engine/research/playback/input.ts';
import { truncateInputAt } from '../../../../engine/research/playback/verdicts/truncate-input.ts';
import { inputWithinRange } from '../../../../engine/research/search/input-within-range.ts';
import {
  buyAtMarket,
  FREE_COIN,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { coinHistory, flat } from '../../../support/bars.ts';

const T = Date.UTC(2026, 0, 5);

const buyOn = (kind: string) =>
  graphFrom([
    ['alert', 'signal', { name: 'tv', kind, maxAgeSec: 600 }],
    ['amount', 'constant', { value: 1 }],
    buyAtMarket({ when: 'alert', amount: 'amount' }),
  ]);

const bars = Array.from({ length: 20 }, () => flat(100));
const playedWith = (
  kind: string,
  arrivals: readonly (readonly [atMs: number, value: number])[],
  checks = false,
) =>
  inputOf(requestOf({ from: iso(T), to: iso(T + 20 * 60_000) }, { cash: '100000', checks }), {
    visual: buyOn(kind),
    facts: [factFromStart(FREE_COIN)],
    histories: [coinHistory(T, 60_000, bars)],
    signals: [
      {
        name: 'tv',
        values: arrivals.map(([at, value], index) => ({ at, value, id: String(index + 1) })),
        isCut: false,
      },
    ],
  });
const ordersOf = (...played: Parameters<typeof playedWith>) =>
  run(playedWith(...played)).orders.map(({ at }) => at);

describe('a backtest plays recorded signals again', () => {
  test('each at the instant at which it arrived, between candles too, and never earlier', () => {
    expect(ordersOf('arrival', [[T + 90_500, 1]])).toEqual([iso(T + 90_500)]);
    expect(ordersOf('boolean', [[T + 90_500, 1]])).toEqual([iso(T + 90_500)]);
    expect(ordersOf('boolean', [[T + 90_500, 0]])).toEqual([]);
    expect(ordersOf('boolean', [])).toEqual([]);
  });

  test('arrivals seconds apart each count, as on paper', () => {
    const at = [T + 90_500, T + 95_000, T + 99_000];
    expect(
      ordersOf(
        'arrival',
        at.map((atMs) => [atMs, 1] as const),
      ),
    ).toEqual(at.map(iso));
  });

  test('a value from before its beginning is known, and is no arrival', () => {
    expect(ordersOf('arrival', [[T - 60_000, 1]])).toEqual([]);
    expect(
      ordersOf('boolean', [
        [T - 60_000, 1],
        [T + 30_000, 0],
        [T + 60_000, 1],
      ]),
    ).toEqual([iso(T), iso(T + 60_000)]);
  });

  test('the check for look-ahead finds none', () => {
    const { summary } = run(
      playedWith(
        'arrival',
        [
          [T + 90_500, 1],
          [T + 305_000, 1],
        ],
        true,
      ),
    );
    expect(summary.verdicts.filter(({ code }) => code.includes('look_ahead'))).toEqual([]);
    expect(summary.orders).toBeDefined();
  });

  test('tells for which time a signal is not known', () => {
    const verdictsOf = (input: BacktestInput) =>
      run(input).summary.verdicts.filter(({ code }) => code.includes('signal'));
    const known = playedWith('boolean', [[T + 90_500, 1]]);
    expect(verdictsOf(known)).toEqual([]);
    expect(verdictsOf(playedWith('boolean', []))).toMatchObject([
      { code: 'no_signal', severity: 'warning', message: expect.stringContaining('tv') },
    ]);
    const cut = { ...known, signals: known.signals.map((signal) => ({ ...signal, isCut: true })) };
    expect(verdictsOf(cut)).toMatchObject([
      { code: 'signal_cut', message: expect.stringContaining(iso(T + 90_500)) },
    ]);
    const [signal] = cut.signals;
    const emptied = { ...cut, signals: [{ name: 'tv', values: [], isCut: signal?.isCut === true }] };
    expect(verdictsOf(emptied)).toMatchObject([
      { code: 'signal_cut', message: expect.stringContaining('whole run') },
    ]);
  });

  test('training on a part of the range sees no later value', () => {
    const input = playedWith('arrival', [
      [T + 90_500, 1],
      [T + 305_000, 1],
    ]);
    const kept = (cut: typeof input) => cut.signals[0]?.values.map(({ at }) => at);
    expect(kept(truncateInputAt(input, T + 305_000))).toEqual([T + 90_500]);
    expect(kept(inputWithinRange(input, { fromMs: T, toMs: T + 305_000 }))).toEqual([T + 90_500]);
  });

  test('a part of the range lacks deleted values only if it begins before the first one kept', () => {
    const known = playedWith('boolean', [[T + 90_500, 1]]);
    const input = { ...known, signals: known.signals.map((signal) => ({ ...signal, isCut: true })) };
    const isCut = (fromMs: number, toMs: number) =>
      inputWithinRange(input, { fromMs, toMs }).signals.map((signal) => signal.isCut);
    expect(isCut(T, T + 305_000)).toEqual([true]);
    expect(isCut(T, T + 60_000)).toEqual([true]);
    expect(isCut(T + 120_000, T + 305_000)).toEqual([false]);
  });
});

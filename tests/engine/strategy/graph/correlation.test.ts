/** The correlation of two inputs, through the whole engine. */
import { describe, expect, test } from 'vitest';
import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import { PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Candle, Memory } from '../../../../engine/strategy/graph/types.ts';
import { recordedBars } from './bars.ts';
import { draw, errorsOf, type NodeConfig, planOf, series, type Visual, world } from './graph-fixtures.ts';
import { mean } from './reference.ts';

const PERIOD = 20;
/** Series that are read together have waited for each other by then. */
const PEERS_WAITED_MS = 11_000;
const candle = (symbol: string, more = {}): NodeConfig => [
  'crypto.candle',
  { symbol, interval: '5m', ...more },
];
const correlation: NodeConfig = ['correlation', { period: PERIOD }];

/** BTC against ETH, against its own volume, and of the changes of both; then the average of the second. */
const GRAPH = draw(
  {
    btc: candle('BTCUSDT'),
    eth: candle('ETHUSDT'),
    volume: candle('BTCUSDT', { field: 'volume' }),
    btcChange: ['indicator', { kind: 'change', period: 1 }],
    ethChange: ['indicator', { kind: 'change', period: 1 }],
    prices: correlation,
    own: correlation,
    changes: correlation,
    smooth: ['indicator', { kind: 'sma', period: 3 }],
  },
  [
    ...['btc -> prices.a', 'eth -> prices.b', 'btc -> own.a', 'volume -> own.b', 'own -> smooth'],
    ...['btc -> btcChange', 'eth -> ethChange', 'btcChange -> changes.a', 'ethChange -> changes.b'],
  ],
);
const NAMES = ['prices', 'own', 'changes', 'smooth'] as const;

const BTC = recordedBars();
/** A second series with its own path: the bars in reverse order of time, at the times of the first. */
const ETH = BTC.map(({ openTimeMs, closeTimeMs }, i) => ({
  ...(BTC[BTC.length - 1 - i] as Candle),
  openTimeMs,
  closeTimeMs,
}));

/** Values after each of the instants, in one deployment that is restored from JSON before each. */
function play(btc: readonly Candle[], eth: readonly Candle[], instants: readonly number[], visual = GRAPH) {
  const all = { BTCUSDT: ClosedCandles.of(btc), ETHUSDT: ClosedCandles.of(eth) };
  const stepper = new PlanEvaluator(planOf(visual));
  let memory: Memory | null = null;
  return instants.map((now) => {
    const candles = new Map(
      Object.entries(all).map(([symbol, closed]) => [
        `${symbol}@5m`,
        series(closed.slice(0, closed.indexAt(now) + 1)),
      ]),
    );
    const { nodeStates, memory: next } = stepper.step(world({ candles }), memory, now);
    memory = JSON.parse(JSON.stringify(next)) as Memory;
    return Object.fromEntries(NAMES.map((name) => [name, nodeStates[name]?.value ?? null]));
  });
}

const INSTANTS = BTC.map(({ closeTimeMs }) => closeTimeMs + 1);
const closes = (bars: readonly Candle[]) => bars.map(({ close }) => close);
const changes = (values: readonly number[]) =>
  values.slice(1).map((value, i) => value / (values[i] ?? 0) - 1);

/** Covariance over deviations, by the moments of the values less their first one. */
function pearson(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [a, b].map((values) => values.map((value) => value - (values[0] as number)));
  const product = (one: readonly number[] = [], other: readonly number[] = []) =>
    mean(one.map((value, i) => value * (other[i] as number))) - mean(one) * mean(other);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

describe('correlation', () => {
  const values = play(BTC, ETH, INSTANTS);
  const own = (end: number) => {
    const window = BTC.slice(end - PERIOD, end);
    return pearson(
      closes(window),
      window.map(({ volume }) => volume),
    );
  };
  const CASES: [(typeof NAMES)[number], number, (end: number) => number][] = [
    [
      'prices',
      PERIOD,
      (end) => pearson(closes(BTC.slice(end - PERIOD, end)), closes(ETH.slice(end - PERIOD, end))),
    ],
    ['own', PERIOD, own],
    [
      'changes',
      PERIOD + 1,
      (end) =>
        pearson(
          changes(closes(BTC.slice(end - PERIOD - 1, end))),
          changes(closes(ETH.slice(end - PERIOD - 1, end))),
        ),
    ],
    ['smooth', PERIOD + 2, (end) => mean([own(end - 2), own(end - 1), own(end)])],
  ];

  test.each(CASES)('%s: unknown until the windows are full, then equals a plain loop', (name, window, of) => {
    const said = values.map((at) => at[name]);
    expect(said.slice(0, window - 1).filter((value) => value !== null)).toEqual([]);
    for (let end = window; end <= BTC.length; end++)
      expect(Math.abs((said[end - 1] as number) - of(end)), `bar ${end}`).toBeLessThanOrEqual(1e-9);
  });

  test('at a candle it does not depend on later candles of either series', () => {
    const poison = (bars: readonly Candle[]) => bars.map((bar, i) => (i < 300 ? bar : { ...bar, close: i }));
    expect(play(poison(BTC), poison(ETH), INSTANTS).slice(0, 300)).toEqual(values.slice(0, 300));
  });

  test('after a pause it has the same values as if it had been evaluated after each candle', () => {
    const after = [100, 101, 160, 161, 162];
    const paused = play(
      BTC,
      ETH,
      after.map((i) => INSTANTS[i] as number),
    );
    expect(paused).toEqual(after.map((i) => values[i]));
  });

  test('a candle that one venue left out makes it unknown for a window, one that both left out does not', () => {
    const without = (bars: readonly Candle[]) => bars.filter((_, i) => i !== 100);
    const prices = (eth: readonly Candle[], btc = BTC) =>
      play(
        btc,
        eth,
        INSTANTS.slice(100, 140).map((at) => at + PEERS_WAITED_MS),
      ).map((at) => at['prices']);
    const missing = prices(without(ETH));
    expect(missing.slice(0, PERIOD).filter((value) => value !== null)).toEqual([]);
    expect(missing.slice(PERIOD)).toEqual(values.slice(100 + PERIOD, 140).map((at) => at['prices']));
    expect(prices(without(ETH), without(BTC)).filter((value) => value === null)).toEqual([]);
  });

  test('requests the window of both series', () => {
    const needs = planOf(GRAPH).needs.candles.map(({ symbol, window }) => [symbol, window]);
    expect(needs).toEqual([
      ['BTCUSDT', PERIOD + 2],
      ['ETHUSDT', PERIOD + 1],
    ]);
  });

  test('is 1 of a line, −1 of its mirror, and unknown of what does not move', () => {
    const line = BTC.slice(0, PERIOD).map((bar, i) => ({ ...bar, close: 3 + i / 7 }));
    const against = (close: (i: number) => number) =>
      play(
        line,
        line.map((bar, i) => ({ ...bar, close: close(i) })),
        [INSTANTS[PERIOD - 1] as number],
      )[0]?.['prices'];
    expect([against((i) => 2 + i), against((i) => 50 - 3 * i), against(() => 4)]).toEqual([
      expect.closeTo(1, 12),
      expect.closeTo(-1, 12),
      null,
    ]);
  });

  test('takes closed candles of one interval only', () => {
    const codes = (a: NodeConfig, b: NodeConfig): (string | undefined)[] => {
      const visual: Visual = draw({ a, b, node: correlation }, ['a -> node.a', 'b -> node.b']);
      return errorsOf(visual).map(({ code }) => code);
    };
    const btc = candle('BTCUSDT');
    expect(codes(btc, candle('ETHUSDT', { interval: '1h' }))).toEqual(['different_intervals']);
    for (const other of [
      candle('ETHUSDT', { closedOnly: false }),
      ['crypto.price', { symbol: 'ETHUSDT' }],
      ['constant', { value: 1 }],
    ] as const)
      expect(codes(btc, other)).toEqual(['needs_candles']);
  });
});

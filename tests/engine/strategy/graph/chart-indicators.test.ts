import { describe, expect, test } from 'vitest';
import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import { chartIndicatorsOf, indicatorLine } from '../../../../engine/strategy/graph/chart-indicators.ts';
import { recordedBars } from './bars.ts';
import { draw } from './graph-fixtures.ts';
import { mean } from './reference.ts';

const BARS = recordedBars().slice(0, 60);
const CANDLES = ClosedCandles.of(BARS);
const closings = BARS.map(({ closeTimeMs }) => closeTimeMs + 1);
const of = (visual: unknown) => chartIndicatorsOf(visual, 'BTCUSDT');
const onCandles = (config: Record<string, unknown>, field = 'close') =>
  draw(
    { close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m', field }], line: ['indicator', config] },
    ['close -> line'],
  );

describe('the indicators of a graph over the past', () => {
  test("each point is the strategy's value at that time: of the candles closed by that instant, none before enough are there", () => {
    const [average] = of(onCandles({ kind: 'sma', period: 20 }));
    if (!average) throw new Error('It is not found.');
    const points = indicatorLine(average, CANDLES, closings);
    expect(points.map(({ atMs }) => atMs)).toEqual(closings.slice(19));
    for (const [index, { value }] of points.entries())
      expect(value).toBeCloseTo(mean(BARS.slice(index, index + 20).map(({ close }) => close)), 8);
  });

  test('between two candles it is the value of the last closed one', () => {
    const [highest] = of(onCandles({ kind: 'highest', period: 3 }, 'high'));
    const [at = 0] = closings.slice(30);
    if (!highest) throw new Error('It is not found.');
    const [now, soon] = indicatorLine(highest, CANDLES, [at, at + 60_000]);
    expect(soon?.value).toBe(now?.value);
  });

  test("indicators in the price's units lie over the price; a strength or a volume has its own axis", () => {
    const isPrice = (config: Record<string, unknown>, field?: string) =>
      of(onCandles(config, field)).map((each) => each.isPrice);
    expect(isPrice({ kind: 'ema', period: 5 })).toEqual([true]);
    expect(isPrice({ kind: 'bollinger', band: 'upper' })).toEqual([true]);
    expect(isPrice({ kind: 'rsi', period: 5 })).toEqual([false]);
    expect(isPrice({ kind: 'sma', period: 5 }, 'volume')).toEqual([false]);
  });

  test('of a graph with hundreds of indicators the first eight are evaluated, and only those are compiled', () => {
    const names = Array.from({ length: 900 }, (_, index) => `line${index}`);
    const nodes = names.map((name) => [name, ['indicator', { kind: 'sma', period: 2 }]]);
    const long = draw(
      { close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }], ...Object.fromEntries(nodes) },
      names.map((name, index) => `${names[index - 1] ?? 'close'} -> ${name}`),
    );
    expect(of(long).map(({ nodeId }) => nodeId)).toEqual(names.slice(0, 8));
  });

  test('indicators on quotes, of another instrument or that do not compile are omitted, and the rest of the graph may be broken', () => {
    const fine = onCandles({ kind: 'sma', period: 5 });
    expect(chartIndicatorsOf(fine, 'ETHUSDT')).toEqual([]);
    expect(of(onCandles({ kind: 'sma', period: 'five' }))).toEqual([]);
    expect(
      of(
        draw(
          {
            now: ['crypto.price', { symbol: 'BTCUSDT', field: 'last' }],
            line: ['indicator', { kind: 'sma', period: 5, sampleSec: 5 }],
          },
          ['now -> line'],
        ),
      ),
    ).toEqual([]);
    const broken = { ...fine, nodes: [...fine.nodes, { id: 'odd', type: 'magic', data: { config: {} } }] };
    expect(of(broken).map(({ nodeId }) => nodeId)).toEqual(['line']);
    expect(of(null)).toEqual([]);
  });
});

/**
 * Indicator values against the formulas of `reference.ts`, on recorded bars. A decaying average is compared twice. With the
 * same formula over the same window, it must be equal. The textbook's average over the whole past may differ by the weight of
 * earlier values.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import type { IndicatorConfig } from '../../../../engine/strategy/graph/nodes/indicators/indicator-settings.ts';
import { indicatorOf } from '../../../../engine/strategy/graph/nodes/indicators/indicators.ts';
import type { Candle } from '../../../../engine/strategy/graph/types.ts';
import { recordedBars } from './bars.ts';
import { displayedValue, draw, type NodeConfig, Player, quote, series, T0, world } from './graph-fixtures.ts';
import { atr, deviation, ema, macd, mean, rsi } from './reference.ts';

const BARS = recordedBars();
const CLOSES = BARS.map(({ close }) => close);

/** Values of an indicator node at every bar, through the whole engine. */
function nodeValues(config: Record<string, unknown>, bars: readonly Candle[] = BARS): (number | null)[] {
  const visual = draw(
    { close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }], node: ['indicator', config] },
    ['close -> node'],
  );
  const player = new Player(visual);
  return bars.map((_, i) => {
    const closed = bars.slice(0, i + 1);
    const now = (closed.at(-1) as Candle).closeTimeMs + 1;
    return player.state('node', now, world({ candles: new Map([['BTCUSDT@5m', series(closed)]]) })).value as
      | number
      | null;
  });
}

type Case = {
  config: IndicatorConfig;
  window: number;
  reference: (bars: readonly Candle[]) => number;
};

const closesOf = (bars: readonly Candle[]) => bars.map(({ close }) => close);
const CASES: Record<string, Case> = {
  'sma of 20': { config: { kind: 'sma', period: 20 }, window: 20, reference: (bars) => mean(closesOf(bars)) },
  'ema of 10': {
    config: { kind: 'ema', period: 10 },
    window: 100,
    reference: (bars) => ema(closesOf(bars), 10).at(-1) as number,
  },
  'rsi of 14': {
    config: { kind: 'rsi', period: 14 },
    window: 140,
    reference: (bars) => rsi(closesOf(bars), 14),
  },
  'atr of 14': { config: { kind: 'atr', period: 14 }, window: 140, reference: (bars) => atr(bars, 14) },
  // Bollinger, Bollinger on Bollinger Bands (2001), ch. 6: the mean ± k population deviations.
  'upper band': {
    config: { kind: 'bollinger', period: 20, deviations: 2, band: 'upper' },
    window: 20,
    reference: (bars) => mean(closesOf(bars)) + 2 * deviation(closesOf(bars)),
  },
  'lower band': {
    config: { kind: 'bollinger', period: 20, deviations: 2.5, band: 'lower' },
    window: 20,
    reference: (bars) => mean(closesOf(bars)) - 2.5 * deviation(closesOf(bars)),
  },
  'middle band': {
    config: { kind: 'bollinger', period: 20, deviations: 2, band: 'middle' },
    window: 20,
    reference: (bars) => mean(closesOf(bars)),
  },
  'z-score of 30': {
    config: { kind: 'zscore', period: 30 },
    window: 30,
    reference: (bars) => ((bars.at(-1) as Candle).close - mean(closesOf(bars))) / deviation(closesOf(bars)),
  },
  'change over 1': {
    config: { kind: 'change', period: 1 },
    window: 2,
    reference: (bars) => (bars.at(-1) as Candle).close / (bars[0] as Candle).close - 1,
  },
  'change over 12': {
    config: { kind: 'change', period: 12 },
    window: 13,
    reference: (bars) => (bars.at(-1) as Candle).close / (bars[0] as Candle).close - 1,
  },
  'highest of 48': {
    config: { kind: 'highest', period: 48 },
    window: 48,
    reference: (bars) => Math.max(...closesOf(bars)),
  },
  'lowest of 48': {
    config: { kind: 'lowest', period: 48 },
    window: 48,
    reference: (bars) => Math.min(...closesOf(bars)),
  },
  macd: {
    config: { kind: 'macd', fast: 12, slow: 26, signal: 9, band: 'macd' },
    window: 260,
    reference: (bars) => macd(closesOf(bars), 12, 26, 9).macd,
  },
  'macd signal': {
    config: { kind: 'macd', fast: 12, slow: 26, signal: 9, band: 'signal' },
    window: 260,
    reference: (bars) => macd(closesOf(bars), 12, 26, 9).signal,
  },
  'macd histogram': {
    config: { kind: 'macd', fast: 5, slow: 8, signal: 20, band: 'histogram' },
    window: 200,
    reference: (bars) => macd(closesOf(bars), 5, 8, 20).histogram,
  },
};

describe('on closed candles', () => {
  test.each(Object.entries(CASES))(
    '%s: unknown until its window is full, then the formula over the window',
    (_, { config, window, reference }) => {
      expect(indicatorOf(config).window).toBe(window);
      const values = nodeValues({ ...config });
      expect(values.slice(0, window - 1).every((value) => value === null)).toBe(true);
      for (let i = window - 1; i < BARS.length; i++) {
        const expected = reference(BARS.slice(i - window + 1, i + 1));
        expect(Math.abs((values[i] as number) - expected)).toBeLessThanOrEqual(
          1e-9 * Math.max(1, Math.abs(expected)),
        );
      }
    },
  );

  test('values before the window of a decaying average have no effect', () => {
    const whole = (i: number) => BARS.slice(0, i + 1);
    const at = (config: IndicatorConfig) => nodeValues({ ...config }).at(-1) as number;
    const end = BARS.length - 1;
    expect(at({ kind: 'ema', period: 10 })).toBeCloseTo(ema(CLOSES, 10).at(-1) as number, 4);
    expect(Math.abs(at({ kind: 'rsi', period: 14 }) - rsi(closesOf(whole(end)), 14))).toBeLessThan(0.01);
    expect(at({ kind: 'atr', period: 14 }) / atr(whole(end), 14)).toBeCloseTo(1, 3);
  });

  test('restart, replay and another place in the array agree: the same window gives the same bits', () => {
    const tail = nodeValues({ kind: 'rsi', period: 14 }, BARS.slice(300));
    expect(tail.slice(200)).toEqual(nodeValues({ kind: 'rsi', period: 14 }).slice(500));
  });

  test('without movement rsi and z-score are unknown, not 100 and no division by 0', () => {
    const flat = BARS.slice(0, 30).map((bar) => ({ ...bar, close: 100.1 }));
    for (const kind of ['rsi', 'zscore'] as const)
      expect(displayedValue(indicatorOf({ kind, period: 3 }).ofNumbers(closesOf(flat)))).toBe(null);
    expect(nodeValues({ kind: 'zscore', period: 20 }, flat).at(-1)).toBe(null);
  });
});

describe('of a calculation on candles', () => {
  test('an indicator of an indicator, and of arithmetic, reads back through both', () => {
    const visual = draw(
      {
        high: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m', field: 'high' }],
        low: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m', field: 'low' }],
        range: ['math', { op: 'subtract' }],
        average: ['indicator', { kind: 'sma', period: 5 }],
        smooth: ['indicator', { kind: 'sma', period: 3 }],
      },
      ['high -> range.a', 'low -> range.b', 'range -> average', 'average -> smooth'],
    );
    const player = new Player(visual);
    expect(player.plan.needs.candles).toEqual([
      { symbol: 'BTCUSDT', interval: '5m', window: 7, open: false },
    ]);
    const ranges = BARS.map(({ high, low }) => high - low);
    for (let i = 0; i < 60; i++) {
      const closed = BARS.slice(0, i + 1);
      const now = (closed.at(-1) as Candle).closeTimeMs + 1;
      const { nodeStates } = player.at(now, world({ candles: new Map([['BTCUSDT@5m', series(closed)]]) }));
      const averages = [2, 1, 0].map((back) => mean(ranges.slice(i - back - 4, i - back + 1)));
      if (i < 6) expect(nodeStates['smooth']?.value).toBe(null);
      else expect(nodeStates['smooth']?.value).toBeCloseTo(mean(averages), 8);
      expect(nodeStates['range']?.value).toBeCloseTo(ranges[i] as number, 8);
    }
  });
});

describe('row 9: while candles are added one by one', () => {
  const visual = draw(
    {
      close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
      first: ['indicator', { kind: 'sma', period: 5 }],
      ratio: ['math', { op: 'divide' }],
      second: ['indicator', { kind: 'ema', period: 2 }],
      third: ['indicator', { kind: 'highest', period: 4 }],
    },
    ['close -> first', 'close -> ratio.a', 'first -> ratio.b', 'ratio -> second', 'second -> third'],
  );
  const statesAt = (closed: ClosedCandles) => {
    const now = closed.closedAt(closed.count - 1);
    const seen = world({ candles: new Map([['BTCUSDT@5m', series(closed)]]) });
    return JSON.stringify(new Player(visual).at(now, seen).nodeStates);
  };

  test('whatever series came before, the result is that of a first run', () => {
    const change = fc.record({ kind: fc.constantFrom('add', 'add', 'add', 'drop', 'other'), at: fc.nat(40) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        let closed = ClosedCandles.of(BARS.slice(0, 28));
        for (const { kind, at } of changes) {
          const place = at % closed.count;
          if (kind === 'add') closed = closed.append(BARS.slice(closed.count, closed.count + 1 + (at % 2)));
          else if (kind === 'drop') closed = closed.slice(1);
          else
            closed = ClosedCandles.of([...closed].with(place, { ...closed.at(place), close: 50_000 + at }));
          expect(statesAt(closed)).toBe(statesAt(ClosedCandles.of([...closed])));
        }
      }),
      { numRuns: 100 },
    );
  });

  test.each(Object.entries(CASES))(
    '%s over any prices, candle by candle and from any of them, is to the last bit the formula over its window',
    (_, { config, window }) => {
      const drawing = draw(
        {
          close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
          node: ['indicator', { ...config }],
        },
        ['close -> node'],
      );
      const indicator = indicatorOf(config);
      const price = fc.double({ min: 0.01, max: 1e6, noNaN: true });
      const bar = fc.record({ close: price, up: fc.double({ min: 0, max: 0.2, noNaN: true }) });
      const walks = fc.array(bar, { minLength: window + 12, maxLength: window + 12 });
      fc.assert(
        fc.property(walks, fc.shuffledSubarray([...Array(12).keys()]), (bars, places) => {
          const candles = bars.map(({ close, up }, at) => ({
            ...(BARS[at] as Candle),
            open: close,
            high: close * (1 + up),
            low: close * (1 - up),
            close,
          }));
          const valueAt = (player: Player, closed: ClosedCandles) => {
            const seen = world({ candles: new Map([['BTCUSDT@5m', series(closed)]]) });
            return player.state('node', closed.closedAt(closed.count - 1), seen).value;
          };
          const all = ClosedCandles.of(candles);
          const expected = (count: number) =>
            displayedValue(
              indicator.needsCandles
                ? indicator.ofCandles(all, count - window, count)
                : indicator.ofNumbers(closesOf(candles.slice(count - window, count))),
            );
          const player = new Player(drawing);
          let grown = ClosedCandles.of(candles.slice(0, window));
          for (let count = window; count <= candles.length; count++) {
            expect(valueAt(player, grown)).toBe(expected(count));
            if (count < candles.length) grown = grown.append(candles.slice(count, count + 1));
          }
          for (const place of places)
            expect(valueAt(new Player(drawing), all.slice(0, window + place))).toBe(expected(window + place));
        }),
        { numRuns: 20 },
      );
    },
  );

  test('a new candle costs one more value of each calculation, not all of them again', () => {
    const reads = vi.spyOn(ClosedCandles.prototype, 'valueAt');
    let closed = ClosedCandles.of(BARS.slice(0, 50));
    const readsAt = (added: number) => {
      closed = closed.append(BARS.slice(closed.count, closed.count + added));
      reads.mockClear();
      statesAt(closed);
      return reads.mock.calls.length;
    };
    expect(readsAt(0)).toBeGreaterThan(20);
    for (let again = 0; again < 5; again++) expect(readsAt(1)).toBe(1);
    reads.mockRestore();
  });

  test.each(Object.entries(CASES))('%s at a candle does not depend on later candles', (_, { config }) => {
    const nodes: Record<string, NodeConfig> = {
      close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
      node: ['indicator', { ...config }],
    };
    const drawing = draw(nodes, ['close -> node']);
    const valueAt = (closed: ClosedCandles) => {
      const seen = world({ candles: new Map([['BTCUSDT@5m', series(closed)]]) });
      return new Player(drawing).state('node', closed.closedAt(closed.count - 1), seen).value;
    };
    const alone = BARS.slice(0, 160);
    const poison = BARS.slice(160, 300).map((bar) => ({
      ...bar,
      high: Number.NaN,
      low: -1,
      close: bar.close * 1_000,
    }));
    const all = ClosedCandles.of([...alone, ...poison]);
    valueAt(all);
    for (const count of [141, 150, 160]) {
      expect(valueAt(all.slice(0, count))).toBe(valueAt(ClosedCandles.of(alone.slice(0, count))));
    }
  });
});

describe('of a value that moves with every quote', () => {
  const visual = draw(
    {
      price: ['crypto.price', { symbol: 'BTCUSDT' }],
      node: ['indicator', { kind: 'sma', period: 3, sampleSec: 10 }],
    },
    ['price -> node'],
  );
  const at = (player: Player, sec: number, last: number | null) => {
    const now = T0 + sec * 1_000;
    const quotes = last === null ? new Map() : new Map([['BTCUSDT', quote({ last, asOf: now })]]);
    return player.state('node', now, world({ quotes }));
  };

  test('it is sampled once per grid slot, and the samples survive a restart', () => {
    let player = new Player(visual);
    const values: unknown[] = [];
    for (let sec = 0; sec < 60; sec += 2) {
      const restarted = new Player(visual);
      restarted.memory = player.memory;
      player = restarted;
      values.push(at(player, sec, sec).value);
    }
    // Samples are taken at 0, 10, 20 … s; the third one completes the window.
    expect(values.slice(0, 10).every((value) => value === null)).toBe(true);
    expect(values[10]).toBe(10);
    expect(values[14]).toBe(10);
    expect(values[15]).toBe(20);
  });

  test('an unknown value is not sampled, and makes the indicator unknown while it lasts', () => {
    const player = new Player(visual);
    for (const sec of [0, 10, 20]) at(player, sec, sec);
    expect(at(player, 30, null)).toMatchObject({ value: null, reason: { code: 'no_data' } });
    expect(at(player, 40, 40).value).toBe((10 + 20 + 40) / 3);
  });

  test('after a gap of more than a minute it restarts', () => {
    const player = new Player(visual);
    for (const sec of [0, 10, 20]) at(player, sec, sec);
    expect(at(player, 90, 90)).toMatchObject({ status: 'waiting', reason: { code: 'warming_up' } });
  });
});

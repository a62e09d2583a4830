/**
 * A blueprint over recorded bars against the same rules written as a plain loop: no graph, no engine, no indicator library.
 * Every intent must agree, bar for bar.
 */
import { describe, expect, test } from 'vitest';
import type { Candle } from '../../../../engine/strategy/graph/types.ts';
import { longSeries, longSeriesMissing, recordedBars } from './bars.ts';
import { draw, facts, held, Player, series, world } from './graph-fixtures.ts';
import { deviation, ema, mean, rsi } from './reference.ts';

const LONG_BARS = 30_000;
const HISTORY = 160;
const UNITS = 0.015;

const strategy = draw(
  {
    close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
    fast: ['indicator', { kind: 'ema', period: 9 }],
    slow: ['indicator', { kind: 'sma', period: 20 }],
    rsi: ['indicator', { kind: 'rsi', period: 14 }],
    z: ['indicator', { kind: 'zscore', period: 30 }],
    up: ['compare', { op: 'crossesAbove' }],
    down: ['compare', { op: 'crossesBelow' }],
    forty: ['constant', { value: 40 }],
    strong: ['compare', { op: 'gt' }],
    both: ['logic', { op: 'and' }],
    hourly: ['cooldown', { seconds: 3_600 }],
    hundred: ['size', { mode: 'notional', notional: 100 }],
    momentum: [
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'limit', priceOffset: 5, ifTrueAtDeploy: 'wait' },
    ],
    leave: ['order', { instrument: 'BTCUSDT', side: 'sell', type: 'limit', ifTrueAtDeploy: 'wait' }],
    minusTwo: ['constant', { value: -2 }],
    low: ['compare', { op: 'lt', hysteresis: 1 }],
    lasting: ['hold', { seconds: 900 }],
    units: ['constant', { value: UNITS }],
    dip: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'limit', ifTrueAtDeploy: 'wait' }],
    seventy: ['constant', { value: 70 }],
    hot: ['compare', { op: 'gte' }],
    armed: ['memory', { mode: 'latch' }],
    say: ['notify', { text: 'Armed.', ifTrueAtDeploy: 'wait' }],
  },
  [
    'close -> fast',
    'close -> slow',
    'close -> rsi',
    'close -> z',
    'fast -> up.a',
    'slow -> up.b',
    'fast -> down.a',
    'slow -> down.b',
    'rsi -> strong.a',
    'forty -> strong.b',
    'up -> both.in',
    'strong -> both.in',
    'both -> hourly',
    'close -> hundred.price',
    'hourly -> momentum.when',
    'hundred -> momentum.amount',
    'close -> momentum.price',
    'down -> leave.when',
    'units -> leave.amount',
    'close -> leave.price',
    'z -> low.a',
    'minusTwo -> low.b',
    'low -> lasting',
    'lasting -> dip.when',
    'units -> dip.amount',
    'close -> dip.price',
    'rsi -> hot.a',
    'seventy -> hot.b',
    'hourly -> armed.set',
    'hot -> armed.reset',
    'armed -> say.when',
  ],
);

type Line = {
  node: string;
  at: number;
  amount?: string;
  price?: string;
};

/** Intents of the engine, evaluated once per bar over the last `HISTORY` bars. */
function byEngine(bars: readonly Candle[]): Line[] {
  const player = new Player(strategy);
  const known = new Map([['BTCUSDT', facts('BTCUSDT', { stepSize: '0.00001', minSize: '0.00001' })]]);
  const positions = new Map([['BTCUSDT', held('1000')]]);
  return bars.flatMap((bar, i) => {
    const now = bar.closeTimeMs + 1 + (i % 3) * 1_000;
    const closed = bars.slice(Math.max(0, i - HISTORY + 1), i + 1);
    const seen = world({ candles: new Map([['BTCUSDT@5m', series(closed)]]), instruments: known, positions });
    const { intents, notifications } = player.at(now, seen);
    return [
      ...intents.map(({ nodeId, stepAt, amount, limitPrice }) => ({
        node: nodeId,
        at: stepAt,
        amount,
        price: limitPrice ?? '',
      })),
      ...notifications.map(({ nodeId, stepAt }) => ({ node: nodeId, at: stepAt })),
    ];
  });
}

const cents = (price: number, round: (value: number) => number) =>
  Number((round(Number((price * 100).toFixed(6))) / 100).toFixed(2)).toString();
const toStep = (units: number) =>
  Number((Math.floor(Number((units * 1e5).toFixed(6))) / 1e5).toFixed(5)).toString();

/** The same rules as a loop over arrays. Indicators start once their windows are full: 90, 20, 140 and 30 bars. */
function byLoop(bars: readonly Candle[]): Line[] {
  const closes = bars.map(({ close }) => close);
  const window = (i: number, length: number) => (i + 1 < length ? null : closes.slice(i + 1 - length, i + 1));
  const lines: Line[] = [];
  let wasAbove: boolean | null = null;
  let wasBelow: boolean | null = null;
  let signal = false; // the combined condition as last known
  let open = false; // its current run was let through by the cooldown
  let passedAt = Number.NEGATIVE_INFINITY;
  let isLow = false;
  let lowSince: number | null = null;
  let armed = false;
  const edges: Record<string, boolean | null> = { momentum: null, leave: null, dip: null, say: null };
  /** A rising edge of a known condition; a first value of true does not count. */
  const rises = (node: string, value: boolean | null) => {
    if (value === null) return false;
    const before = edges[node];
    edges[node] = value;
    return value && before === false;
  };

  for (const [i, { close, closeTimeMs }] of bars.entries()) {
    const at = closeTimeMs + 1;
    const last90 = window(i, 90);
    const last20 = window(i, 20);
    const last140 = window(i, 140);
    const last30 = window(i, 30);
    let up: boolean | null = null;
    let down: boolean | null = null;
    if (last90 !== null && last20 !== null) {
      const [fast, slow] = [ema(last90, 9).at(-1) as number, mean(last20)];
      const same = Math.abs(fast - slow) <= 1e-12 * Math.max(fast, slow);
      const [isAbove, isBelow] = [!same && fast > slow, !same && fast < slow];
      up = isAbove && wasAbove === false;
      down = isBelow && wasBelow === false;
      wasAbove = isAbove;
      wasBelow = isBelow;
    }
    const strength = last140 === null ? null : rsi(last140, 14);
    const strong = strength === null ? null : strength > 40;
    const both = up === false || strong === false ? false : up === null || strong === null ? null : true;

    const armedNow = armed;
    let passes: boolean | null = null;
    if (both !== null) {
      if (both && !signal) {
        open = at - passedAt >= 3_600_000;
        if (open) passedAt = at;
      }
      if (!both) open = false;
      signal = both;
      passes = both && open;
    }
    const hot = strength === null ? null : strength >= 70;
    if (hot === true) armed = false;
    else if (hot === false && passes === true) armed = true;

    let lasting: boolean | null = null;
    if (last30 === null) lowSince = null;
    else {
      const z = (close - mean(last30)) / deviation(last30);
      isLow = isLow ? z < -1 : z < -2;
      lowSince = isLow ? (lowSince ?? at) : null;
      lasting = lowSince !== null && at - lowSince >= 900_000;
    }

    const floor = cents(close, Math.floor);
    const raised: Line[] = [];
    // Sells come first, then the order of the graph.
    if (rises('leave', down))
      raised.push({ node: 'leave', at, amount: toStep(UNITS), price: cents(close, Math.ceil) });
    const isSold = raised.length > 0;
    if (rises('momentum', passes) && !isSold)
      raised.push({ node: 'momentum', at, amount: toStep(100 / close), price: cents(close + 5, Math.floor) });
    if (rises('dip', lasting) && !isSold)
      raised.push({ node: 'dip', at, amount: toStep(UNITS), price: floor });
    if (rises('say', armedNow)) raised.push({ node: 'say', at });
    lines.push(...raised);
  }
  return lines;
}

function expectAgreement(bars: readonly Candle[], fewest: number): void {
  const expected = byLoop(bars);
  expect(byEngine(bars)).toEqual(expected);
  for (const node of ['momentum', 'leave', 'dip', 'say'])
    expect(expected.filter((line) => line.node === node).length, node).toBeGreaterThanOrEqual(fewest);
}

describe('a blueprint over recorded bars raises the intents of an independent calculation of its rules', () => {
  test('over two and a half days', () => {
    expectAgreement(recordedBars(), 2);
  });

  test.skipIf(longSeriesMissing !== '')(`over a hundred days${longSeriesMissing}`, { tags: ['long'] }, () => {
    expectAgreement(longSeries().slice(0, LONG_BARS), 100);
  });
});

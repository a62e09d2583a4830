import { expect, test } from 'vitest';
import { runStateAt } from '../../../../engine/research/playback/run-state.ts';
import {
  buyAtLimit,
  buyAtMarket,
  CLOSE,
  coin,
  crossingGraph,
  FREE_COIN,
  FREE_RULES,
  factFromStart,
  graphFrom,
  IDEAL_FILLS,
  inputOf,
  iso,
  NO_FEE,
  requestOf,
  rulesWith,
  run,
} from '../../../support/backtest.ts';
import {
  BAR_MS,
  type BarFields,
  barsFrom,
  coinHistory,
  cut,
  flat,
  historyOf,
  recordedBars,
} from '../../../support/bars.ts';
import { crossingLoop } from '../../../support/crossing-loop.ts';
import { expectFillsAfterLatency } from '../../../support/expect-fills-after-latency.ts';

const T = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;

/** Buys once the close is at a price or above, with any further nodes. */
const buyAt = (price: number, amount: number, more: Parameters<typeof graphFrom>[0] = []) =>
  graphFrom([
    CLOSE,
    ['price', 'constant', { value: price }],
    ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'price' }],
    ['amount', 'constant', { value: amount }],
    buyAtMarket({ when: 'high', amount: 'amount' }),
    ...more,
  ]);

type Patch = Parameters<typeof requestOf>[1];
const play = (
  visual: unknown,
  bars: readonly BarFields[],
  patch: Patch = {},
  more: Partial<Parameters<typeof inputOf>[1]> = {},
) =>
  run(
    inputOf(requestOf({ from: iso(T), to: iso(T + bars.length * BAR_MS) }, patch), {
      visual,
      facts: [factFromStart(FREE_COIN)],
      histories: [coinHistory(T, BAR_MS, bars)],
      ...more,
    }),
  );

test('row 24: with a stop and a profit inside one bar, the order of its extremes decides, and both results are reported', () => {
  const guarded = buyAt(100, 1, [
    ['exit', 'exit', { instrument: 'BTCUSDT', stopLoss: 0.01, takeProfit: 0.01 }],
  ]);
  const bars = [
    flat(99),
    flat(100),
    flat(100),
    { open: 100, high: 102, low: 98, close: 100.5 },
    flat(100.5),
    flat(100.5),
  ];
  const sold = (highLow: 'low_first' | 'high_first' | 'both' | 'likely') => {
    const ran = play(guarded, bars, { fills: { ...IDEAL_FILLS, highLow } });
    return { price: Number(ran.fills.find(({ side }) => side === 'sell')?.price), summary: ran.summary };
  };
  const low = sold('low_first');
  expect(low.price).toBeLessThanOrEqual(99);
  const high = sold('high_first');
  expect(high.price).toBeGreaterThanOrEqual(101);
  const both = sold('both');
  expect(both.summary.range).toEqual({ low: low.summary.finalEquity, high: high.summary.finalEquity });
  expect(both.summary.ambiguousBars).toBe(1);
  expect(both.summary.pace).toBe('path');
  // A rising bar is assumed to fall first.
  expect(sold('likely').price).toBe(low.price);
});

test.each([
  ['low_first', 100],
  ['high_first', 100.4],
  ['both', 100],
] as const)('a step of a run that draws %s stands as that run stood', (highLow, close) => {
  const bars = [flat(99), flat(100), flat(100), { open: 100, high: 102, low: 98, close }, flat(close)];
  const input = inputOf(
    requestOf({ from: iso(T), to: iso(T + bars.length * BAR_MS) }, { fills: { ...IDEAL_FILLS, highLow } }),
    {
      visual: buyAt(100, 1, [['exit', 'exit', { instrument: 'BTCUSDT', stopLoss: 0.01, takeProfit: 0.01 }]]),
      facts: [factFromStart(FREE_COIN)],
      histories: [coinHistory(T, BAR_MS, bars)],
    },
  );
  const soldMs = Date.parse(run(input).fills.find(({ side }) => side === 'sell')?.at ?? '');
  const heldAt = (ms: number) => runStateAt(input, iso(ms), () => false).positions.length;
  expect([heldAt(soldMs - 1), heldAt(soldMs + 1)]).toEqual([1, 0]);
});

test('row 24: with seconds inside, the recorded path decides', () => {
  const guarded = buyAt(100, 1, [
    ['exit', 'exit', { instrument: 'BTCUSDT', stopLoss: 0.01, takeProfit: 0.01 }],
  ]);
  const bars = [
    flat(99),
    flat(100),
    flat(100),
    { open: 100, high: 102, low: 98, close: 100.5 },
    flat(100.5),
    flat(100.5),
  ];
  const inBar = (second: number): number => {
    if (second < 900) return second < 300 ? 99 : 100;
    if (second < 1_000) return 100;
    return second < 1_050 ? 102 : second < 1_100 ? 98 : 100.5;
  };
  const seconds = Array.from({ length: 1_800 }, (_, second) => flat(inBar(second)));
  const { fills, summary } = play(
    guarded,
    bars,
    { fills: { ...IDEAL_FILLS, highLow: 'low_first' } },
    {
      histories: [coinHistory(T, BAR_MS, bars), coinHistory(T, 1_000, seconds)],
    },
  );
  const sell = fills.find(({ side }) => side === 'sell');
  expect(sell).toMatchObject({ price: '102', at: iso(T + 1_001_000 + 2_000) });
  expect(summary.fidelity).toBe('B');
});

test('row 23: in a gap no candle is invented and nothing trades, nor on a bar without volume', () => {
  const bars = recordedBars();
  const { openTimeMs, closeTimeMs } = bars.columns;
  const gap = openTimeMs.findIndex((open, row) => row > 0 && open !== (closeTimeMs[row - 1] ?? 0) + 1);
  expect(iso(openTimeMs[gap] as number)).toMatch(/^2023-03-24T/);
  const part = cut(bars, gap - 400, gap + 400);
  const request = requestOf({
    from: iso(openTimeMs[gap - 300] as number),
    to: iso(openTimeMs[gap + 390] as number),
  });
  const { summary, fills } = run(
    inputOf(request, {
      visual: crossingGraph(3, 8, 0.1),
      facts: [factFromStart(FREE_COIN)],
      histories: [historyOf('BTCUSDT', BAR_MS, part)],
    }),
  );
  expect(summary.gaps).toBe(16);
  const [gapFrom, gapTo] = [(closeTimeMs[gap - 1] as number) + 1, openTimeMs[gap] as number];
  expect(gapTo - gapFrom).toBe(16 * BAR_MS);
  expect(fills.length).toBeGreaterThan(20);
  expect(fills.filter(({ at }) => Date.parse(at) >= gapFrom && Date.parse(at) < gapTo)).toEqual([]);
  expect(summary.verdicts.map(({ code }) => code)).toContain('gaps');
  // As live, a mean continues over the gap with the candles there are: those of the loop are the last ten and thirty.
  const over = run(
    inputOf(
      { ...request, fills: { ...request.fills, ...IDEAL_FILLS } },
      {
        visual: crossingGraph(10, 30, 0.1),
        facts: [factFromStart(FREE_COIN)],
        histories: [historyOf('BTCUSDT', BAR_MS, part)],
      },
    ),
  );
  const loop = crossingLoop(cut(bars, gap - 400, gap + 390), 99);
  expect(loop.filter(({ at }) => Math.abs(Date.parse(at) - gapTo) < 30 * BAR_MS).length).toBeGreaterThan(0);
  expect(over.fills.map(({ side, at, price }) => ({ side, at, price }))).toEqual(loop);
  const thin = play(buyAt(100, 1), [flat(99), flat(100, { volume: 0 }), flat(100), flat(100)]);
  expect(thin.fills).toEqual([]);
  expect(thin.summary.orders).toMatchObject({ intents: 1, unfilled: 1 });
  expect(thin.summary.verdicts.map(({ code }) => code)).toContain('zero_volume');
});

test('row 25: nothing is filled before its decision and the latency after it', () => {
  expectFillsAfterLatency(100);
});

test('row 26: two orders in one bar share a tenth of the volume of the bar that closed', () => {
  const visual = buyAt(100, 60, [
    [
      'other',
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'market' },
      { when: 'high', amount: 'amount' },
    ],
  ]);
  const { fills } = play(visual, [flat(99), flat(100), flat(100), flat(100)], { cash: '100000' });
  expect(fills.map(({ amount }) => amount)).toEqual(['60', '40']);
});

test('row 27: a resting order is filled through its limit and not at it, at its limit and as a maker', () => {
  const resting = graphFrom([
    CLOSE,
    ['price', 'constant', { value: 100 }],
    ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'price' }],
    ['limit', 'constant', { value: 98 }],
    ['amount', 'constant', { value: 1 }],
    buyAtLimit({ when: 'high', amount: 'amount', price: 'limit' }),
  ]);
  const before = [flat(99), flat(100), flat(100)];
  const facts = [factFromStart(coin({ fee_schedule: { ...NO_FEE, takerRate: '0.01', makerRate: '0.002' } }))];
  const touched = play(resting, [...before, flat(100, { low: 98 }), flat(98), flat(100)], {}, { facts });
  expect(touched.fills).toEqual([]);
  expect(touched.orders[0]).toMatchObject({ status: 'canceled', statusReason: 'backtest_over' });
  // Without a spread, an offer at the close is an offer at the limit: it is not a real quote.
  const quoted = play(resting, [...before, flat(98), flat(98), flat(100)], { fills: IDEAL_FILLS }, { facts });
  expect(quoted.fills).toEqual([]);
  const through = play(resting, [...before, flat(100, { low: 97.99 }), flat(100)], {}, { facts });
  expect(through.fills).toMatchObject([{ price: '98', amount: '1', fee: '0.196', at: iso(T + 4 * BAR_MS) }]);
});

test('row 27: the bar in which an order arrives fills it at its limit if the drawn path went through it afterwards', () => {
  const resting = graphFrom([
    CLOSE,
    ['price', 'constant', { value: 100 }],
    ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'price' }],
    ['amount', 'constant', { value: 1 }],
    buyAtLimit({ when: 'high', amount: 'amount' }, { priceOffset: -0.5 }),
  ]);
  // The bar after the decision falls far below the limit and ends there; the next ones never come back to it.
  const bars = [flat(99), flat(100), flat(100, { low: 90, close: 90 }), flat(90), flat(90)];
  const { fills } = play(resting, bars, { fills: IDEAL_FILLS });
  expect(fills).toMatchObject([{ price: '99.5', at: iso(T + 3 * BAR_MS), grade: 'through' }]);
  // A bar that lies beyond the limit altogether improves nothing either.
  const gapped = play(resting, [flat(99), flat(100), flat(100), flat(90), flat(90)], { fills: IDEAL_FILLS });
  expect(gapped.fills).toMatchObject([{ price: '99.5', at: iso(T + 4 * BAR_MS) }]);
});

test('row 28: once the daily loss reached its limit, buys are denied until 00:00 UTC and exits pass', () => {
  const wave = Array.from({ length: 2 * (DAY_MS / BAR_MS) }, (_, row) => {
    const price = row % 12 < 6 ? 1_000 : 990;
    return flat(price, { volume: 100_000 });
  });
  const visual = graphFrom([
    CLOSE,
    ['price', 'constant', { value: 995 }],
    ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'price' }],
    ['low', 'compare', { op: 'lt' }, { a: 'close', b: 'price' }],
    ['amount', 'constant', { value: 5 }],
    buyAtMarket({ when: 'high', amount: 'amount' }),
    ['sell', 'close', { instrument: 'BTCUSDT' }, { when: 'low' }],
  ]);
  const { fills, orders } = play(
    visual,
    wave,
    { fills: IDEAL_FILLS },
    { rules: rulesWith({ ...FREE_RULES, maxDailyLoss: 490 }) },
  );
  const days = [T, T + DAY_MS].map((from) =>
    fills.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < from + DAY_MS),
  );
  // Each wave loses 50 USD: the tenth reaches the limit while it is held, and what is held is sold.
  expect(days.map((ofDay) => ofDay.filter(({ side }) => side === 'buy').length)).toEqual([10, 10]);
  expect(days.map((ofDay) => ofDay.filter(({ side }) => side === 'sell').length)).toEqual([10, 10]);
  const denied = orders.filter(({ status }) => status === 'denied');
  expect(denied.length).toBeGreaterThan(10);
  expect(new Set(denied.map(({ statusReason }) => statusReason))).toEqual(new Set(['maxDailyLoss']));
  expect(denied[0]?.reason).toMatch(/daily loss|loss/i);
});

test('row 28: a limit reached at 14:00 UTC on a holding denies buys until 00:00 UTC in the words of live, and lets exits pass', () => {
  const HOURS = 12;
  const priceAt = (minutes: number): number => {
    if (minutes === 14 * 60) return 902;
    if (minutes === 20 * 60) return 890;
    const isHigh = minutes >= 12 * 60 && (minutes < 14 * 60 || minutes % 60 >= 30);
    return isHigh ? 1_000 : 990;
  };
  const wave = Array.from({ length: (2 * DAY_MS) / BAR_MS }, (_, bar) =>
    flat(priceAt(((bar + 1) * BAR_MS) / 60_000), { volume: 100_000 }),
  );
  // The second day has one such edge, half an hour after midnight.
  wave.splice((DAY_MS + HOURS * 3_600_000) / BAR_MS);
  wave.fill(flat(1_000, { volume: 100_000 }), (DAY_MS + 1_800_000) / BAR_MS);
  const visual = graphFrom([
    CLOSE,
    ['in', 'constant', { value: 995 }],
    ['out', 'constant', { value: 900 }],
    ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'in' }],
    ['low', 'compare', { op: 'lt' }, { a: 'close', b: 'out' }],
    ['amount', 'constant', { value: 5 }],
    buyAtMarket({ when: 'high', amount: 'amount' }),
    ['sell', 'close', { instrument: 'BTCUSDT' }, { when: 'low' }],
  ]);
  const { fills, orders } = play(
    visual,
    wave,
    { fills: IDEAL_FILLS },
    { rules: rulesWith({ ...FREE_RULES, maxDailyLoss: 490 }) },
  );
  const at = (hours: number) => iso(T + hours * 3_600_000);
  const denied = orders.filter(({ status }) => status === 'denied');
  expect(orders.map(({ at, side, status }) => ({ at, side, status }))).toEqual([
    { at: at(12), side: 'buy', status: 'filled' },
    ...[14.5, 15.5, 16.5, 17.5, 18.5, 19.5].map((hour) => ({ at: at(hour), side: 'buy', status: 'denied' })),
    { at: at(20), side: 'sell', status: 'filled' },
    ...[20.5, 21.5, 22.5, 23.5].map((hour) => ({ at: at(hour), side: 'buy', status: 'denied' })),
    { at: at(24.5), side: 'buy', status: 'filled' },
  ]);
  expect(fills).toHaveLength(3);
  for (const { statusReason, reason, receipt } of denied) {
    expect(statusReason).toBe('maxDailyLoss');
    expect(reason).toBe(
      `maxDailyLoss was reached at ${at(14)}: buys are denied until 00:00 UTC, or until this rule is changed.`,
    );
    expect(receipt).toMatchObject({
      verdict: 'denied',
      lines: expect.arrayContaining([
        expect.objectContaining({
          rule: 'maxDailyLoss',
          limit: '490',
          verdict: 'deny',
          note: `tripped at ${at(14)}`,
        }),
      ]),
    });
  }
});

test('a canceled run is evaluated over the time it ran, not over the requested time', () => {
  const bars = Array.from({ length: 20_000 }, (_, row) => flat(row % 40 < 20 ? 100 : 99));
  let reachedMs = 0;
  const ask = (count: number, isCanceled: boolean) =>
    run(
      inputOf(requestOf({ from: iso(T), to: iso(T + count * BAR_MS) }, { fills: IDEAL_FILLS }), {
        visual: buyAt(100, 10),
        facts: [factFromStart(FREE_COIN)],
        histories: [coinHistory(T, BAR_MS, bars)],
      }),
      {
        isCanceled: () => isCanceled,
        progress: ({ simulatedAtMs }) => {
          reachedMs = simulatedAtMs;
        },
      },
    );
  const canceled = ask(bars.length, true);
  const reached = (reachedMs - T) / BAR_MS;
  expect(reached).toBeGreaterThan(100);
  expect(reached).toBeLessThan(2_000);
  const whole = ask(reached, false);
  expect(canceled.summary.verdicts[0]?.code).toBe('canceled');
  for (const figure of ['statistics', 'buyAndHold', 'bars', 'gaps'] as const)
    expect(canceled.summary[figure], figure).toEqual(whole.summary[figure]);
  expect(canceled.summary.statistics.cagr).toEqual({ value: null, reason: 'too_short' });
});

test('a holding at the end of the span inside a bar is sold at the last bid seen', () => {
  const bars = barsFrom(T, BAR_MS, [flat(99), flat(100), flat(100), flat(98)]);
  const request = requestOf({ from: iso(T), to: iso(T + 4.5 * BAR_MS) }, { fills: IDEAL_FILLS });
  const { summary } = run(
    inputOf(request, {
      visual: buyAt(100, 10),
      facts: [factFromStart(FREE_COIN)],
      histories: [historyOf('BTCUSDT', BAR_MS, bars)],
    }),
  );
  expect(summary.finalCash).toBe('9000');
  expect({ final: summary.finalEquity, exit: summary.exitEquity }).toEqual({ final: '9980', exit: '9980' });
});

test('a run says which share of its fills lies inside bars, and that the order of extremes was a guess or a request', () => {
  const guarded = buyAt(100, 1, [
    ['exit', 'exit', { instrument: 'BTCUSDT', stopLoss: 0.01, takeProfit: 0.01 }],
  ]);
  const bars = [flat(99), flat(100), flat(100), { open: 100, high: 102, low: 98, close: 100.5 }, flat(100.5)];
  const verdictsOf = (highLow: 'low_first' | 'likely') =>
    play(guarded, bars, { fills: { ...IDEAL_FILLS, highLow } }).summary.verdicts;
  expect(verdictsOf('likely')).toMatchObject([
    { code: 'unlimited_liquidity', severity: 'danger' },
    { code: 'no_spread', severity: 'danger' },
    { code: 'inside_bars_guessed', count: 1, message: expect.stringContaining('1 of 2 fills (50 %)') },
    { code: 'ambiguous_bars', count: 1 },
  ]);
  expect(verdictsOf('low_first')).toContainEqual(expect.objectContaining({ code: 'extremes_ordered' }));
});

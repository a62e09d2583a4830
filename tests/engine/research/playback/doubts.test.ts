import { expect, test } from 'vitest';
import {
  buyAtLimit,
  CLOSE,
  contract,
  FREE_COIN,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  NO_FEE,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, type BarFields, coinHistory, flat } from '../../../support/bars.ts';
import { quoteOf } from '../../../support/contracts.ts';

const T = Date.UTC(2026, 4, 1);
const MINUTE_MS = 60_000;
const YES = 'KXTEST-26:yes';

/** Ten contracts at 0.5, the last bid 0.98, and a market that closes; settled only where stated. */
function heldPastTheClose(settled: string | null) {
  const quotes = [0.5, 0.5, 0.99].map((ask, index) =>
    quoteOf({ atMs: T + 10_000 * (index + 1), bid: ask - 0.01, ask, bidSize: 100, askSize: 100 }),
  );
  const visual = graphFrom([
    ['ask', 'market.price', { instrument: YES, field: 'ask' }],
    ['level', 'constant', { value: 0.6 }],
    ['cheap', 'compare', { op: 'lt' }, { a: 'ask', b: 'level' }],
    ['amount', 'constant', { value: 10 }],
    ['buy', 'order', { instrument: YES, side: 'buy', type: 'market' }, { when: 'cheap', amount: 'amount' }],
  ]);
  const terms = { closes_at: iso(T + MINUTE_MS), fee_schedule: NO_FEE };
  const facts = [
    factFromStart(
      contract(YES, { ...terms, status: settled === null ? 'closed' : 'settled', settlement_value: settled }),
    ),
  ];
  const request = requestOf({ from: iso(T), to: iso(T + 180 * MINUTE_MS) });
  return run(inputOf(request, { visual, facts, histories: [], recorded: [{ tokenId: YES, quotes }] }))
    .summary;
}

test('a contract that closed and was never settled is reported, with its mark and its two possible results', () => {
  const summary = heldPastTheClose(null);
  expect(summary.unsettled).toEqual({ count: 1, worth: '9.8', low: '9995', high: '10005' });
  expect(summary.finalEquity).toBe('10004.8');
  expect(summary.verdicts.find(({ code }) => code === 'unsettled')).toMatchObject({
    severity: 'danger',
    count: 1,
    message:
      '1 contracts closed and were never settled: marked at 9.8 USD. The result is 9995 USD with all of them at 0, and 10005 USD at 1.',
  });
  for (const [value, equity] of [
    ['0', '9995'],
    ['1', '10005'],
  ] as const) {
    const settled = heldPastTheClose(value);
    expect(settled.unsettled).toBeNull();
    expect(settled.finalEquity).toBe(equity);
  }
});

/** Bids at half the price and sells once it is held. */
const bargain = graphFrom([
  CLOSE,
  ['level', 'constant', { value: 99 }],
  ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'level' }],
  ['half', 'constant', { value: 50 }],
  ['amount', 'constant', { value: 1 }],
  buyAtLimit({ when: 'high', amount: 'amount', price: 'half' }),
  ['exit', 'exit', { instrument: 'BTCUSDT', takeProfit: 0.2 }],
]);

const playBars = (bars: readonly BarFields[]) =>
  run(
    inputOf(requestOf({ from: iso(T), to: iso(T + bars.length * BAR_MS) }), {
      visual: bargain,
      facts: [factFromStart(FREE_COIN)],
      histories: [coinHistory(T, BAR_MS, bars)],
    }),
  );
const calm = Array.from({ length: 60 }, (_, row) =>
  flat(100 + (row % 3) * 0.1, { high: 100.4, low: 99.8, close: 100 + ((row + 1) % 3) * 0.1 }),
);

test('profit from one glitch is reported with its share, and bars like all others are no outliers', () => {
  const glitch = calm.map((bar, row) => (row === 30 ? { ...bar, low: 1 } : bar));
  const { summary } = playBars(glitch);
  expect(Number(summary.finalEquity)).toBeGreaterThan(10_000);
  expect(summary.verdicts.find(({ code }) => code === 'outliers')).toMatchObject({
    severity: 'danger',
    count: 1,
    message: expect.stringContaining('100 % of what winning trades made'),
  });
  expect(playBars(calm).summary.verdicts.map(({ code }) => code)).not.toContain('outliers');
});

test('each fill has its grade, and the result states how many are of each grade and what they earned', () => {
  const { fills, summary } = playBars(calm.map((bar, row) => (row === 30 ? { ...bar, low: 1 } : bar)));
  expect(fills.map(({ side, grade }) => [side, grade])).toEqual([
    ['buy', 'through'],
    ['sell', expect.stringMatching(/^(?:bar|path)$/)],
  ]);
  const counted = summary.fillGrades.reduce((sum, each) => sum + each.fills, 0);
  expect(counted).toBe(fills.length);
  const profit = summary.fillGrades.reduce((sum, each) => sum + Number(each.profit), 0);
  expect(profit).toBeCloseTo(Number(summary.finalEquity) - 10_000, 6);
});

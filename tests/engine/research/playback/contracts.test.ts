import { expect, test } from 'vitest';
import type { History } from '../../../../engine/history/series.ts';
import { exact } from '../../../../engine/platform/decimal.ts';
import type { BacktestInput } from '../../../../engine/research/playback/input.ts';
import { runStateAt } from '../../../../engine/research/playback/run-state.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../../../engine/trading/orders/settings.ts';
import {
  contract,
  FREE_RULES,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  rulesWith,
  run,
} from '../../../support/backtest.ts';
import {
  CASH,
  cheapContractGraph,
  reportedTrades,
  spanOf,
  termsOf,
  tradesByLoop,
} from '../../../support/cheap-contract-graph.ts';
import { minuteHistory, quoteOf, settledMarkets } from '../../../support/contracts.ts';

const T = Date.UTC(2026, 4, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const YES = 'KXTEST-26:yes';

test('row 19: over 180 markets, decisions, fills, settlements and fees equal those of a loop over their quotes, row by row', () => {
  const markets = settledMarkets();
  expect(markets.length).toBe(180);
  const priced = markets.filter(({ quotes }) => quotes.length > 0);
  const { decided, cash, ...rows } = tradesByLoop(priced);
  expect(rows.bought.length).toBeGreaterThan(60);
  const drawn = 'KXDRAWN-26:yes';
  const request = requestOf(spanOf(markets), {
    cash: CASH,
    data: { substitute: { [drawn]: priced.map(({ tokenId }) => tokenId) } },
  });
  const { summary, fills } = run(
    inputOf(request, {
      visual: cheapContractGraph(drawn),
      facts: priced.map((market) => factFromStart(contract(market.tokenId, termsOf(market)))),
      histories: [],
      recorded: priced.map(({ tokenId, quotes }) => ({ tokenId, quotes })),
    }),
  );
  expect(reportedTrades(fills, priced)).toEqual(rows);
  expect(summary.orders.intents).toBe(decided);
  expect(summary.finalCash).toBe(cash);
  expect(summary.fidelity).toBe('A');
  expect(summary.statistics.trades.closed).toBe(rows.settled.length);
});

/** Quotes of one market every two seconds. */
const quotes = (prices: readonly (readonly [bid: number, ask: number])[], size = 1_000) =>
  prices.map(([bid, ask], index) =>
    quoteOf({ atMs: T + 2_000 * (index + 1), bid, ask, bidSize: size, askSize: size }),
  );

const closing = (fields: Parameters<typeof contract>[1], tokenId = YES) =>
  factFromStart(contract(tokenId, { closes_at: iso(T + 15 * MINUTE_MS), ...fields }));

test('row 17: a result in the row of an instrument is not there before its settlement', () => {
  const visual = graphFrom([
    ['left', 'market.info', { instrument: YES, field: 'secondsToClose' }],
    ['zero', 'constant', { value: -1_800 }],
    ['over', 'compare', { op: 'lt' }, { a: 'left', b: 'zero' }],
    ['told', 'notify', { text: 'closed' }, { when: 'over' }],
  ]);
  const request = requestOf({ from: iso(T), to: iso(T + 2 * HOUR_MS) }, {});
  const late = quotes(Array.from({ length: 3_000 }, () => [0.4, 0.45] as const));
  const inputAs = (status: 'settled' | 'open'): BacktestInput =>
    inputOf(request, {
      visual: {
        ...cheapContractGraph(YES),
        ...visual,
        nodes: [...cheapContractGraph(YES).nodes, ...visual.nodes.slice(1)],
        edges: [...cheapContractGraph(YES).edges, ...visual.edges],
      },
      facts: [closing({ status, settlement_value: status === 'settled' ? '1' : null })],
      histories: [],
      recorded: [
        { tokenId: YES, quotes: late.map((quote, at) => (at < 100 ? { ...quote, ask: 0.29 } : quote)) },
      ],
    });
  const [settled, open] = [run(inputAs('settled')), run(inputAs('open'))];
  const until = T + 15 * MINUTE_MS;
  const before = (rows: readonly { atMs: number }[]) => rows.filter(({ atMs }) => atMs < until);
  expect(before(settled.equity)).toEqual(before(open.equity));
  // Values of each node until then: prices, the time until the close, whether it is over.
  for (const ms of [T + 2_000, T + 300_000, until - 1]) {
    const [ended, going] = [inputAs('settled'), inputAs('open')].map((input) =>
      runStateAt(input, iso(ms), () => false),
    );
    expect(ended).toEqual(going);
    expect(ended?.nodes['left']?.value).toBeGreaterThan(0);
  }
  // Its last value is that of the close. No step follows the settlement.
  const notifiedAt = (rows: typeof settled) =>
    rows.log.filter(({ code }) => code === 'notification').map(({ at }) => at);
  expect(notifiedAt(open)[0]).toBe(iso(until + 1_800_000 + 2_000));
  expect(notifiedAt(settled)).toEqual(notifiedAt(open));
  expect(settled.fills[0]).toEqual(open.fills[0]);
  expect(settled.fills.at(-1)).toMatchObject({ source: 'settlement', price: '1', at: iso(until + HOUR_MS) });
  expect(open.fills.length).toBe(1);
});

test('row 18: an exit acts by the close time known at that moment, whatever later change it had', () => {
  const visual = graphFrom([
    ['ask', 'market.price', { instrument: YES, field: 'ask' }],
    ['most', 'constant', { value: 0.5 }],
    ['cheap', 'compare', { op: 'lte' }, { a: 'ask', b: 'most' }],
    ['amount', 'constant', { value: 10 }],
    ['buy', 'order', { instrument: YES, side: 'buy', type: 'market' }, { when: 'cheap', amount: 'amount' }],
    ['exit', 'exit', { instrument: YES, beforeCloseSec: 600 }],
  ]);
  const request = requestOf({ from: iso(T), to: iso(T + HOUR_MS) });
  const listed = (fromMs: number, closesMs: number) => ({
    fromMs,
    instrument: contract(YES, { closes_at: iso(closesMs) }),
  });
  const first = listed(Number.NEGATIVE_INFINITY, T + 3 * HOUR_MS);
  const moved = listed(T + 20 * MINUTE_MS, T + 30 * MINUTE_MS);
  const sells = (facts: (typeof first)[]) =>
    run(
      inputOf(request, {
        visual,
        facts,
        histories: [],
        recorded: [
          { tokenId: YES, quotes: quotes(Array.from({ length: 1_700 }, () => [0.44, 0.45] as const)) },
        ],
      }),
    ).fills.filter(({ side }) => side === 'sell');
  expect(sells([first])).toEqual([]);
  expect(sells([first, moved])[0]?.at).toBe(iso(T + 20 * MINUTE_MS + 2_000));
  // An exit also acted before a close time that was moved later.
  const early = listed(Number.NEGATIVE_INFINITY, T + 25 * MINUTE_MS);
  expect(sells([early, listed(T + 20 * MINUTE_MS, T + 3 * HOUR_MS)])[0]?.at).toBe(
    iso(T + 15 * MINUTE_MS + 2_000),
  );
  expect(sells([early, listed(T + 10 * MINUTE_MS, T + 3 * HOUR_MS)])).toEqual([]);
});

test('row 18: so it does for a close that was moved on the third day', () => {
  const visual = graphFrom([
    ['beat', 'schedule', { mode: 'every', everySec: 60 }],
    ['once', 'cooldown', { seconds: 31_536_000 }, { in: 'beat' }],
    ['amount', 'constant', { value: 10 }],
    ['buy', 'order', { instrument: YES, side: 'buy', type: 'market' }, { when: 'once', amount: 'amount' }],
    ['exit', 'exit', { instrument: YES, beforeCloseSec: 600 }],
  ]);
  const DAY_MS = 24 * HOUR_MS;
  const listed = (fromMs: number, closesMs: number) => ({
    fromMs,
    instrument: contract(YES, { closes_at: iso(closesMs) }),
  });
  const first = listed(Number.NEGATIVE_INFINITY, T + 3 * DAY_MS);
  const minutes = (fromMs: number) =>
    Array.from({ length: 150 }, (_, at) =>
      quoteOf({ atMs: fromMs + 2_000 * at, bid: 0.44, ask: 0.45, bidSize: 100, askSize: 100 }),
    );
  const movedMs = T + 2 * DAY_MS + 12 * HOUR_MS;
  const quotesShown = [T + 2_000, movedMs - 60_000, T + 3 * DAY_MS - 700_000].flatMap(minutes);
  const soldAt = (...later: (typeof first)[]) =>
    run(
      inputOf(requestOf({ from: iso(T), to: iso(T + 4 * DAY_MS) }), {
        visual,
        facts: [first, ...later],
        histories: [],
        recorded: [{ tokenId: YES, quotes: quotesShown }],
      }),
    ).fills.flatMap(({ side, at }) => (side === 'sell' ? [at] : []));
  expect(soldAt()).toEqual([iso(T + 3 * DAY_MS - 600_000 + 2_000)]);
  expect(soldAt(listed(movedMs, movedMs + 300_000))).toEqual([iso(movedMs + 2_000)]);
  expect(soldAt(listed(movedMs, T + 9 * DAY_MS))).toEqual([]);
});

test('row 20: a void, a win and a loss pay their stated value, after a part was sold', () => {
  const visual = graphFrom([
    ['ask', 'market.price', { instrument: YES, field: 'ask' }],
    ['most', 'constant', { value: 0.5 }],
    ['cheap', 'compare', { op: 'lte' }, { a: 'ask', b: 'most' }],
    ['ten', 'constant', { value: 10 }],
    ['buy', 'order', { instrument: YES, side: 'buy', type: 'market' }, { when: 'cheap', amount: 'ten' }],
    ['bid', 'market.price', { instrument: YES, field: 'bid' }],
    ['high', 'constant', { value: 0.6 }],
    ['dear', 'compare', { op: 'gte' }, { a: 'bid', b: 'high' }],
    ['four', 'constant', { value: 4 }],
    ['part', 'order', { instrument: YES, side: 'sell', type: 'market' }, { when: 'dear', amount: 'four' }],
  ]);
  const path = Array.from({ length: 20 }, (_, at) =>
    at < 10 ? ([0.44, 0.45] as const) : ([0.6, 0.61] as const),
  );
  const pnlAt = (value: string) =>
    run(
      inputOf(requestOf({ from: iso(T), to: iso(T + 3 * HOUR_MS) }), {
        visual,
        facts: [closing({ status: 'settled', settlement_value: value })],
        histories: [],
        recorded: [{ tokenId: YES, quotes: quotes(path) }],
      }),
    );
  // Bought 10 at 0.45 for 4.50 and a fee of 0.1733, sold 4 at 0.60 for 2.40 less 0.0672: 6 are left.
  const base = exact('-4.5').minus('0.1733').plus('2.4').minus('0.0672');
  for (const [value, paid] of [
    ['0.5', '3'],
    ['0', '0'],
    ['1', '6'],
  ] as const) {
    const { summary, trades } = pnlAt(value);
    expect(trades.map(({ pnl, settledAt }) => ({ pnl, settledAt }))).toEqual([
      { pnl: base.plus(paid).toFixed(), settledAt: value },
    ]);
    expect(summary.finalCash).toBe(exact(10_000).plus(base).plus(paid).toFixed());
  }
});

test('row 26: two orders at one recorded quote share its size', () => {
  const buy = (id: string) =>
    [
      id,
      'order',
      { instrument: YES, side: 'buy', type: 'limit', timeInForce: 'ioc' },
      { when: 'cheap', amount: 'amount', price: 'limit' },
    ] as const;
  const visual = graphFrom([
    ['ask', 'market.price', { instrument: YES, field: 'ask' }],
    ['most', 'constant', { value: 0.5 }],
    ['cheap', 'compare', { op: 'lte' }, { a: 'ask', b: 'most' }],
    ['amount', 'constant', { value: 60 }],
    ['limit', 'constant', { value: 0.5 }],
    buy('one'),
    buy('two'),
  ]);
  const recordedQuotes = quotes(
    [
      [0.44, 0.45],
      [0.44, 0.45],
      [0.44, 0.45],
      [0.44, 0.45],
    ],
    100,
  );
  const { fills } = run(
    inputOf(requestOf({ from: iso(T), to: iso(T + HOUR_MS) }), {
      visual,
      facts: [closing({})],
      histories: [],
      recorded: [{ tokenId: YES, quotes: recordedQuotes }],
    }),
  );
  expect(fills.map(({ amount }) => amount)).toEqual(['60', '40']);
});

test('row 29: a pending order is checked again at its time: a price beyond the band denies it; without an approval it expires', () => {
  const visual = graphFrom([
    ['ask', 'market.price', { instrument: YES, field: 'ask' }],
    ['most', 'constant', { value: 0.5 }],
    ['cheap', 'compare', { op: 'lte' }, { a: 'ask', b: 'most' }],
    ['ten', 'constant', { value: 10 }],
    ['buy', 'order', { instrument: YES, side: 'buy', type: 'market' }, { when: 'cheap', amount: 'ten' }],
  ]);
  const prices = Array.from({ length: 1_000 }, (_, at) =>
    at < 10 ? ([0.44, 0.45] as const) : ([0.6, 0.61] as const),
  );
  const waiting = (
    approvals: { policy: 'auto' | 'never'; delaySec: number },
    series = prices,
    lastsMs = HOUR_MS,
  ) =>
    run(
      inputOf(requestOf({ from: iso(T), to: iso(T + lastsMs) }, { risk: { approvals } }), {
        visual,
        facts: [factFromStart(contract(YES))],
        histories: [],
        recorded: [{ tokenId: YES, quotes: quotes(series) }],
        rules: rulesWith({ ...FREE_RULES, requireApprovalAbove: 1 }),
      }),
    );
  const denied = waiting({ policy: 'auto', delaySec: 60 });
  expect(denied.fills).toEqual([]);
  expect(denied.summary.orders).toMatchObject({ approvals: 1, expired: 1, denied: { price_moved: 1 } });
  const never = waiting({ policy: 'never', delaySec: 60 });
  expect(never.summary.orders).toMatchObject({ approvals: 1, expired: 1, denied: {} });
  // Raised with the first quote, it waits exactly as long as approvals may.
  const { approvalMs } = DEFAULT_TRADING_SETTINGS;
  const decidedMs = 2_000;
  const short = waiting({ policy: 'never', delaySec: 60 }, prices, decidedMs + approvalMs - 1);
  expect(short.summary.orders).toMatchObject({ approvals: 1, expired: 0 });
  const long = waiting({ policy: 'never', delaySec: 60 }, prices, decidedMs + approvalMs);
  expect(long.summary.orders).toMatchObject({ approvals: 1, expired: 1 });
  for (const { summary } of [denied, never])
    expect(summary.verdicts).toContainEqual(expect.objectContaining({ code: 'approvals', count: 1 }));
  const passed = waiting(
    { policy: 'auto', delaySec: 60 },
    prices.map(() => [0.44, 0.45] as const),
  );
  expect(passed.fills.map(({ at }) => at)).toEqual([iso(T + 2_000 + 60_000 + 2_000)]);
  expect(passed.summary.verdicts).toContainEqual(expect.objectContaining({ code: 'approvals', count: 1 }));
});

const cheapBuyer = graphFrom([
  ['ask', 'market.price', { instrument: YES, field: 'ask' }],
  ['most', 'constant', { value: 0.3 }],
  ['cheap', 'compare', { op: 'lte' }, { a: 'ask', b: 'most' }],
  ['amount', 'constant', { value: 40 }],
  ['limit', 'constant', { value: 0.35 }],
  [
    'buy',
    'order',
    { instrument: YES, side: 'buy', type: 'limit', timeInForce: 'ioc' },
    { when: 'cheap', amount: 'amount', price: 'limit' },
  ],
]);
const alone = (history: History, patch: Parameters<typeof requestOf>[1] = {}) =>
  run(
    inputOf(requestOf({ from: iso(T), to: iso(T + 6 * MINUTE_MS) }, { fees: 'none', ...patch }), {
      visual: cheapBuyer,
      facts: [factFromStart(contract(YES))],
      histories: [history],
    }),
  );

test('candles of bid and ask: decided at a close, filled at the open of the next, a tenth of the volume that closed', () => {
  const same = (values: readonly number[]) => values;
  const asks = { open: [0.4, 0.4, 0.31, 0.33, 0.5], close: [0.4, 0.29, 0.32, 0.5, 0.5] };
  const bids = { open: [0.38, 0.38, 0.3, 0.31, 0.48], close: [0.38, 0.27, 0.3, 0.48, 0.48] };
  const { fills, summary } = alone(
    minuteHistory(YES, T, 'bid_ask', {
      bidOpen: bids.open,
      bidHigh: same(bids.open),
      bidLow: same(bids.close),
      bidClose: bids.close,
      askOpen: asks.open,
      askHigh: same(asks.open),
      askLow: same(asks.close),
      askClose: asks.close,
      volume: [1_000, 250, 1_000, 1_000, 1_000],
      openInterest: [1, 1, 1, 1, 1],
    }),
    { sensitivity: true },
  );
  expect(fills).toMatchObject([
    { at: iso(T + 2 * MINUTE_MS + 2_000), price: '0.31', amount: '25', side: 'buy' },
  ]);
  // Half of the volume is 12 contracts, a tenth of it 2: each of them earns 0.17 USD.
  expect(summary.sensitivity).toContainEqual({ change: 'half_volume', difference: '-2.21', trades: 0 });
  expect(summary.sensitivity).toContainEqual({ change: 'tenth_of_volume', difference: '-3.91', trades: 0 });
  expect(summary.fidelity).toBe('B');
  expect(summary.finalEquity).toBe(exact(10_000).minus('7.75').plus(exact(25).times('0.48')).toFixed());
});

test('row 42: midpoints: the spread is assumed, fills are graded as a guess, and after their end no price is known', () => {
  const prices = [0.4, 0.28, 0.3, 0.5];
  const { fills, summary } = alone(minuteHistory(YES, T, 'midpoint', { price: prices }), {
    sensitivity: true,
  });
  // Half a spread of a cent: offered for 0.29 when the second minute has ended, and still when the order arrives.
  expect(fills).toMatchObject([{ at: iso(T + 2 * MINUTE_MS + 2_000), price: '0.29', amount: '40' }]);
  expect(summary.fidelity).toBe('D');
  expect(summary.sensitivity?.map(({ change }) => change)).not.toContain('half_volume');
  expect(summary.finalEquity).toBe(exact(10_000).minus('11.6').plus(exact(40).times('0.49')).toFixed());
  const gone = alone(minuteHistory(YES, T, 'midpoint', { price: [0.4, Number.NaN, Number.NaN, 0.28] }), {
    fills: { latencyMs: 2 * MINUTE_MS },
  });
  expect(gone.fills).toEqual([]);
});

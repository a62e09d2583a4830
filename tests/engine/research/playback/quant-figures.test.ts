/** Costs, benchmark and attribution of a run, beside loops over its bars and its trades. */
import { describe, expect, test } from 'vitest';
import { BacktestError } from '../../../../engine/research/playback/backtest-error.ts';
import type { BacktestProgress } from '../../../../engine/research/playback/input.ts';
import { ExecutionCosts } from '../../../../engine/research/playback/record/execution-costs.ts';
import { sensitivityOf } from '../../../../engine/research/playback/verdicts/sensitivity.ts';
import { costsFromBars } from '../../../reference/execution-costs.ts';
import { regimesFromCloses } from '../../../reference/regimes.ts';
import {
  type BacktestRun,
  buyAtLimit,
  CLOSE,
  coin,
  crossingGraph,
  FREE_COIN,
  factFromStart,
  graphFrom,
  IDEAL_FILLS,
  inputOf,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, barsFrom, cut, flat, historyOf, recordedBars } from '../../../support/bars.ts';
import { expectClose } from '../../books/statistics/trading-span.ts';

const BARS = cut(recordedBars(), 0, 2_000);
const opened = (bar: number): string => new Date(BARS.columns.openTimeMs[bar] ?? 0).toISOString();
const DAY_MS = 86_400_000;
const [HALF, SLIP, RATE] = [1.25, 0.03, 0.001];

let played: BacktestRun | null = null;
/** Averages 10 and 30 of recorded bars, with every friction. */
function crossing(): BacktestRun {
  played ??= run(
    inputOf(
      requestOf(
        { from: opened(100), to: opened(1_900) },
        { cash: '100000', fills: { halfSpread: String(HALF), slippageTicks: 3, liquidity: 'unlimited' } },
      ),
      {
        visual: crossingGraph(10, 30, 0.1),
        facts: [factFromStart(coin())],
        histories: [historyOf('BTCUSDT', BAR_MS, BARS)],
      },
    ),
  );
  return played;
}

describe('costs against the midpoint at the decision', () => {
  test('are those of a loop over the bars, by kind', () => {
    const { summary, orders, fills } = crossing();
    const { costs } = summary;
    expect(fills.length).toBeGreaterThan(40);
    const { notional, fee, spread, slippage, delay } = costs;
    const seen = { notional, fee, spread, slippage, delay };
    expectClose(
      Object.fromEntries(Object.entries(seen).map(([kind, usd]) => [kind, Number(usd)])),
      costsFromBars(BARS, orders, fills, { half: HALF, slip: SLIP, rate: RATE }),
      'costs',
    );
    expect(costs).toMatchObject({ orders: orders.length, unmeasured: 0 });
    expect(Number(fee)).toBeCloseTo(Number(summary.fees), 9);
  });

  test('of a one-sided book at the fill: all of the distance is delay', () => {
    const costs = new ExecutionCosts();
    costs.decided({ id: '1' }, { bid: 99, ask: 101 });
    const fill = { amount: '2', price: '102', fee: '0', liquidity: 'taker' } as const;
    costs.filled({ id: '1', side: 'buy' }, fill, { bid: null, ask: 101 });
    expect(costs.costs()).toMatchObject({ delay: '4', spread: '0', slippage: '0' });
  });

  test('are of what orders traded that were decided with a midpoint; the others are counted', () => {
    const costs = new ExecutionCosts();
    const fill = { amount: '2', price: '100', fee: '1', liquidity: 'taker' } as const;
    for (const [id, bid] of [
      ['1', 99],
      ['2', null],
      ['3', 99],
    ] as const) {
      costs.decided({ id }, { bid, ask: 101 });
      costs.filled({ id, side: 'buy' }, fill, { bid: 99, ask: 101 });
    }
    costs.ended({ id: '1', side: 'buy', amount: '2', filled_amount: '2' }, null);
    costs.ended({ id: '3', side: 'buy', amount: '3', filled_amount: '2' }, null);
    const expected = { notional: '600', measuredNotional: '400', fee: '3', orders: 3, unmeasured: 2 };
    expect(costs.costs()).toMatchObject(expected);
  });

  test('of a resting order in a bar: all up to its price is the market’s move, as no midpoint is known there', () => {
    const bars = [flat(99), flat(100), flat(100, { low: 98, close: 98.5 }), flat(98.5), flat(98.5)];
    const resting = (price: number) =>
      run(
        inputOf(requestOf(spanOf(5), { fills: IDEAL_FILLS }), {
          visual: graphFrom([
            CLOSE,
            ['level', 'constant', { value: 100 }],
            ['price', 'constant', { value: price }],
            ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'level' }],
            ['amount', 'constant', { value: 10 }],
            buyAtLimit({ when: 'high', amount: 'amount', price: 'price' }, { ifTrueAtDeploy: 'wait' }),
          ]),
          facts: [factFromStart(FREE_COIN)],
          histories: [historyOf('BTCUSDT', BAR_MS, barsFrom(T, BAR_MS, bars))],
        }),
      ).summary.costs;
    expect(resting(99)).toMatchObject({ delay: '-10', spread: '0', slippage: '0', unfilled: '0', orders: 1 });
    expect(resting(90)).toMatchObject({ delay: '0', spread: '0', notional: '0', unfilled: '-15', orders: 1 });
  });
});

const T = Date.UTC(2026, 0, 5);
const spanOf = (count: number) => ({
  from: new Date(T).toISOString(),
  to: new Date(T + count * BAR_MS).toISOString(),
});

describe('the benchmark', () => {
  test('is the coin bought at the first offer with its fee, and valued at the bid', () => {
    const { benchmark } = crossing().summary;
    const [first, last] = [BARS.columns.close[100] ?? 0, BARS.columns.close[1_899] ?? 0];
    expectClose(benchmark?.totalReturn.value, (last - HALF) / ((first + HALF) * (1 + RATE)) - 1, 'return');
  });
});

/** Buys one coin with all money, and holds it. */
function holding(bars: typeof BARS, from: number, to: number): BacktestRun {
  const price = bars.columns.close[from] ?? 0;
  return run(
    inputOf(
      requestOf(
        { from: opened(from), to: new Date(bars.columns.openTimeMs[to] ?? 0).toISOString() },
        { cash: String(Math.ceil(price * 1.01)), fees: 'none', fills: { liquidity: 'unlimited' } },
      ),
      {
        visual: graphFrom([
          CLOSE,
          ['level', 'constant', { value: 0 }],
          ['price', 'constant', { value: price * 1.005 }],
          ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'level' }],
          ['amount', 'constant', { value: 1 }],
          buyAtLimit({ when: 'high', amount: 'amount', price: 'price' }),
        ]),
        facts: [factFromStart(FREE_COIN)],
        histories: [historyOf('BTCUSDT', BAR_MS, bars)],
      },
    ),
  );
}

test('a strategy that holds its coin all the time has a beta and a correlation of about 1', () => {
  const { summary } = holding(BARS, 100, 1_900);
  expect(summary.orders.filled).toBe(1);
  expect(summary.benchmark?.beta.value).toBeCloseTo(1, 1);
  expect(summary.benchmark?.correlation.value).toBeCloseTo(1, 2);
});

test('the range of luck lies around the return of the run, and runs of less than 20 days have none', () => {
  const days = 30;
  const bars = cut(recordedBars(), 0, 101 + (days * 86_400_000) / BAR_MS);
  const { statistics, resampled } = holding(bars, 100, bars.count - 1).summary;
  const total = statistics.totalReturn.value ?? Number.NaN;
  expect(resampled?.totalReturn.low).toBeLessThan(total);
  expect(resampled?.totalReturn.high).toBeGreaterThan(total);
  expect(crossing().summary.resampled).toBeNull();
});

test('progress never goes back, through all orders of extremes, checks and changed assumptions', () => {
  const seen: BacktestProgress[] = [];
  run(
    inputOf(
      requestOf(
        { from: opened(100), to: opened(1_900) },
        { checks: true, sensitivity: true, fills: { highLow: 'both' } },
      ),
      {
        visual: crossingGraph(10, 30, 0.1),
        facts: [factFromStart(coin())],
        histories: [historyOf('BTCUSDT', BAR_MS, BARS)],
      },
    ),
    { progress: (progress) => seen.push(progress) },
  );
  const percents = seen.map(({ phase, share }) => (phase === 'running' ? 0 : 1) + share);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(new Set(seen.map(({ phase }) => phase))).toEqual(new Set(['running', 'checks']));
  expect(percents.at(-1)).toBeLessThanOrEqual(2);
});

describe('results of trades', () => {
  test('by node, instrument, hour and weekday are those of a loop over the trades, and add up', () => {
    const { summary, trades } = crossing();
    const keys = {
      instrument: (at: Date, holding: string) => (at ? holding : ''),
      hour: (at: Date) => String(at.getUTCHours()),
      weekday: (at: Date) => String(at.getUTCDay()),
    };
    for (const [name, keyOf] of Object.entries(keys)) {
      const sums: Record<string, { trades: number; wins: number; cents: number }> = {};
      for (const { holding, openedAtMs, pnl } of trades) {
        const key = keyOf(new Date(openedAtMs), holding);
        sums[key] ??= { trades: 0, wins: 0, cents: 0 };
        sums[key].trades += 1;
        sums[key].wins += pnl.startsWith('-') || Number(pnl) === 0 ? 0 : 1;
        sums[key].cents += Number(pnl);
      }
      const seen = summary.attribution[name as keyof typeof keys];
      expect(seen.map(({ of }) => of).sort()).toEqual(Object.keys(sums).sort());
      for (const { of, profit, ...counts } of seen) {
        expect(counts).toEqual({ trades: sums[of]?.trades, wins: sums[of]?.wins });
        expect(Number(profit)).toBeCloseTo(sums[of]?.cents ?? Number.NaN, 6);
      }
    }
    expect(summary.attribution.node).toMatchObject([{ of: 'buy', trades: trades.length }]);
  });
});

test('results by regime are those of a loop over days and trades, and add up', () => {
  const days = 60;
  const bars = cut(recordedBars(), 0, (days * DAY_MS) / BAR_MS);
  const span = {
    from: new Date(bars.columns.openTimeMs[0] ?? 0).toISOString(),
    to: new Date(bars.columns.closeTimeMs[bars.count - 1] ?? 0).toISOString(),
  };
  const { summary, trades } = run(
    inputOf(requestOf(span, { cash: '100000', fills: IDEAL_FILLS }), {
      visual: crossingGraph(10, 30, 0.1),
      facts: [factFromStart(FREE_COIN)],
      histories: [historyOf('BTCUSDT', BAR_MS, bars)],
    }),
  );
  const regimeOf = regimesFromCloses(bars, Date.parse(span.from), Date.parse(span.to));
  const sums: Record<string, { trades: number; wins: number; profit: number }> = {};
  for (const { openedAtMs, pnl } of trades) {
    const before = sums[regimeOf(openedAtMs)] ?? { trades: 0, wins: 0, profit: 0 };
    sums[regimeOf(openedAtMs)] = {
      trades: before.trades + 1,
      wins: before.wins + (Number(pnl) > 0 ? 1 : 0),
      profit: before.profit + Number(pnl),
    };
  }
  expect(Object.keys(sums).length).toBe(5);
  const seen = summary.attribution.regime.map(({ of, profit, ...counts }) => [
    of,
    { ...counts, profit: Number(profit) },
  ]);
  expectClose(Object.fromEntries(seen), sums, 'regimes');
});

describe('what an assumption is worth', () => {
  const input = (patch: Parameters<typeof requestOf>[1]) =>
    inputOf(
      requestOf(
        { from: opened(100), to: opened(700) },
        { cash: '100000', fills: { halfSpread: '2', latencyMs: 1_000 }, ...patch },
      ),
      {
        visual: crossingGraph(10, 30, 0.1),
        facts: [factFromStart(coin())],
        histories: [historyOf('BTCUSDT', BAR_MS, BARS)],
      },
    );

  test('is the difference to a run of its own with that one changed', () => {
    const { summary, trades } = run(input({ sensitivity: true }));
    const of = (change: string) => summary.sensitivity?.find((row) => row.change === change);
    expect(summary.sensitivity?.map(({ change }) => change)).toEqual([
      'no_fees',
      'no_spread',
      'no_latency',
      'one_more_tick',
      'any_amount',
      'half_volume',
      'tenth_of_volume',
    ]);
    const thin = run(input({ fills: { halfSpread: '2', latencyMs: 1_000, share: '0.01' } }));
    const loss = Number(thin.summary.finalEquity) - Number(summary.finalEquity);
    expect(Number(of('tenth_of_volume')?.difference)).toBeCloseTo(loss, 9);
    const free = run(input({ fees: 'none' }));
    const expected = Number(free.summary.finalEquity) - Number(summary.finalEquity);
    expect(Number(of('no_fees')?.difference)).toBeCloseTo(expected, 9);
    expect(of('no_fees')?.trades).toBe(free.trades.length);
    expect(Number(of('one_more_tick')?.difference)).toBeLessThan(0);
    expect(trades.length).toBeGreaterThan(5);
  });

  test('is not computed unless requested, and changes nothing else of the result', () => {
    const { resultHash: _one, sensitivity: _rows, ...requested } = run(input({ sensitivity: true })).summary;
    const { resultHash: _other, sensitivity, ...plain } = run(input({})).summary;
    expect(sensitivity).toBeNull();
    expect(plain).toEqual(requested);
  });

  test('loses nothing of the run itself if one of its repetitions is too large or canceled', () => {
    const { request } = input({});
    const tooLarge = () => {
      throw new BacktestError('too_large', 'The run takes more than 10 evaluations.');
    };
    const outcome = { equity: '100', trades: 1 };
    const rows = sensitivityOf(request, { pace: 'candles', isOfVolumes: true }, '100', ({ fees }) =>
      fees === 'none' ? tooLarge() : outcome,
    );
    expect(rows?.map(({ change }) => change)).toEqual([
      'no_spread',
      'no_latency',
      'one_more_tick',
      'any_amount',
      'half_volume',
      'tenth_of_volume',
    ]);
    let isComplete = false;
    const completed = () => {
      isComplete = true;
    };
    const cut = run(input({ sensitivity: true }), { isCanceled: () => isComplete, completed }).summary;
    const { resultHash: _one, ...whole } = cut;
    const { resultHash: _other, ...plain } = run(input({})).summary;
    expect(whole).toEqual(plain);
  });
});

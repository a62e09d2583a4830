/**
 * Backtests over recorded bars. The last line is JSON.
 *
 * - `sma` (row 7): means of 10 and 30 over the 121,739 bars of five minutes, 1 BTC a trade. Every order is decided, charged and
 * filled. Reports bars per CPU-second, best of the rounds, and whether the fills equal those of a loop over the bars.
 * - `year`: 525,600 bars of a minute with about 100 trades, in CPU-seconds.
 * - `many` (row 36): such a year with 100,000 trades, in a thread like those of the service, and the growth of the process.
 * - `sweep` (row 43): 25 pairs of means against the same runs with their indicators already computed.
 *
 *   node bench/backtest.ts [--rounds 5] [--trades 100000] [--bars 525600] [--backtrader /path/to/backtrader]
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { exact } from '../engine/platform/decimal.ts';
import { planOf, rangeOf } from '../engine/research/search/plan.ts';
import type { SweepRequest } from '../engine/research/search/request.ts';
import { TrialRunner } from '../engine/research/search/trial-runner.ts';
import { BAR_MS, type Bars, recordedBars } from '../tests/support/bars.ts';
import { crossingLoop } from '../tests/support/crossing-loop.ts';
import {
  cpuSec,
  inputFor,
  iso,
  MINUTE_MS,
  timed,
  YEAR_BARS,
  yearOfMinutes,
} from './support/backtest-runs.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    trades: { type: 'string', default: '100000' },
    bars: { type: 'string', default: String(YEAR_BARS) },
    backtrader: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
/** Trades of the case `many`. */
const TRADES = Number(values.trades);
/** Bars of the cases `year` and `many`, and at most of `sweep`. A quick run has fewer than a year. */
const BARS = Number(values.bars);
const SWEEP_BARS_MAX = 30_000;
const TARGETS = { barsPerSec: 250_000, yearSec: 4, grownMb: 200, sweepTimes: 2 };
/** Bars per second of backtrader over the same bars with every order executed, on a loaded two-core machine. */
const PEER_BARS_PER_SEC = 14_077;
const FILLS = 5_186;
/** USD, for one coin per trade and without fees. */
const NET = '-168.46';
const MB = 1_048_576;
/** The memory of one of the service's threads. */
const WORKER_MEMORY_MB = 256;

/**
 * Returns the CPU time of 25 pairs of means over the recorded bars. It is a multiple of the time with all indicators
 * precomputed.
 */
function timesOfSweep(): number {
  const input = {
    ...sma,
    request: { ...sma.request, to: iso(bars.columns.openTimeMs[Math.min(BARS, SWEEP_BARS_MAX)]) },
  };
  const request: SweepRequest = {
    backtest: input.request,
    space: {
      dimensions: [
        { pointer: '/nodes/1/data/config/period', values: [5, 10, 15, 20, 25] },
        { pointer: '/nodes/2/data/config/period', values: [30, 40, 50, 60, 70] },
      ],
      constraints: [],
    },
    search: { kind: 'grid' },
    objective: { statistic: 'sharpe', minTrades: 0 },
    walkForward: null,
  };
  const plan = planOf(request, input.visual);
  const runner = new TrialRunner(input, request.space, plan.candles);
  const pass = () => {
    const before = cpuSec();
    for (const combination of plan.combinations) runner.run(combination, rangeOf(request), () => false);
    return cpuSec() - before;
  };
  const first = pass();
  return Number((first / Math.min(pass(), pass())).toFixed(2));
}

/** Bars a CPU-second of a copy of backtrader on the same bars; null without one. */
function peerBarsPerSec(): number | null {
  if (values.backtrader === undefined) return null;
  const { status, stdout, stderr } = spawnSync('python3', ['-c', PEER], {
    env: { ...process.env, PYTHONPATH: values.backtrader },
    input: closesAsText(recordedBars()),
    encoding: 'utf8',
    maxBuffer: 64 * MB,
  });
  if (status !== 0) throw new Error(`backtrader did not run: ${stderr}`);
  return Number(stdout.trim().split('\n').at(-1));
}

const closesAsText = ({ columns, count }: Bars): string =>
  Array.from({ length: count }, (_, row) =>
    [columns.openTimeMs, columns.open, columns.high, columns.low, columns.close, columns.volume]
      .map((column) => column[row])
      .join(','),
  ).join('\n');

const PEER = `
import sys, time, datetime, backtrader as bt
rows = [tuple(map(float, line.split(','))) for line in sys.stdin.read().split()]
class Feed(bt.feed.DataBase):
    def start(self): self.at = 0
    def _load(self):
        if self.at >= len(rows): return False
        t, o, h, l, c, v = rows[self.at]; self.at += 1
        self.lines.datetime[0] = bt.date2num(datetime.datetime.utcfromtimestamp(t / 1000))
        self.lines.open[0], self.lines.high[0], self.lines.low[0] = o, h, l
        self.lines.close[0], self.lines.volume[0], self.lines.openinterest[0] = c, v, 0
        return True
class Cross(bt.Strategy):
    def __init__(self): self.x = bt.ind.CrossOver(bt.ind.SMA(period=10), bt.ind.SMA(period=30))
    def next(self):
        if not self.position and self.x > 0: self.buy(size=1)
        elif self.position and self.x < 0: self.close()
cerebro = bt.Cerebro(stdstats=False); cerebro.broker.setcash(1000000); cerebro.broker.setcommission(0.001)
cerebro.adddata(Feed()); cerebro.addstrategy(Cross)
start = time.process_time(); cerebro.run(); print(len(rows) / (time.process_time() - start))
`;

const bars = recordedBars();
const sma = inputFor(bars, BAR_MS, '5m', [10, 30]);
const expected = crossingLoop(bars).map(({ price }) => price);
const year = inputFor(yearOfMinutes(50, BARS), MINUTE_MS, '1m', [60, 600]);
const rounds = Array.from({ length: ROUNDS }, () => timed(sma));
const barsPerSec = Math.round(bars.count / Math.min(...rounds.map(({ sec }) => sec)));
const isSame = rounds.every(({ prices }) => JSON.stringify(prices) === JSON.stringify(expected));
const yearRounds = Array.from({ length: Math.min(ROUNDS, 3) }, () => timed(year));
const yearSec = Number(Math.min(...yearRounds.map(({ sec }) => sec)).toFixed(2));
const yearTrades = (yearRounds[0]?.prices.length ?? 0) / 2;
const many = new Worker(new URL('./support/many-trades.ts', import.meta.url), {
  workerData: { trades: TRADES, bars: BARS },
  resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY_MB },
});
const [{ trades: manyTrades, grownMb }] = (await once(many, 'message')) as [
  { trades: number; grownMb: number },
];
const net = expected
  .reduce((sum, price, place) => (place % 2 === 0 ? sum.minus(price) : sum.plus(price)), exact(0))
  .toFixed(2);
const sweepTimes = timesOfSweep();
const peer = peerBarsPerSec();

console.log(
  `sma     ${barsPerSec} bars a CPU-second (target ${TARGETS.barsPerSec}), ${expected.length} fills and ${net} USD, ${isSame ? 'those' : 'NOT those'} of a loop`,
);
console.log(
  `        ${(barsPerSec / (peer ?? PEER_BARS_PER_SEC)).toFixed(1)} x backtrader (${peer === null ? `its ${PEER_BARS_PER_SEC} of another machine` : Math.round(peer)})`,
);
console.log(
  `year    ${yearSec} CPU-seconds for ${BARS} bars and ${yearTrades} trades (target ${TARGETS.yearSec})`,
);
console.log(`memory  ${grownMb} MB more, with a year of ${manyTrades} trades (target ${TARGETS.grownMb})`);
console.log(`sweep   ${sweepTimes} x its trading part (target ${TARGETS.sweepTimes})`);
const isMet =
  isSame &&
  expected.length === FILLS &&
  net === NET &&
  manyTrades >= 0.99 * TRADES &&
  sweepTimes <= TARGETS.sweepTimes &&
  barsPerSec >= TARGETS.barsPerSec &&
  yearSec <= TARGETS.yearSec &&
  grownMb <= TARGETS.grownMb;
if (!isMet) process.exitCode = 1;
console.log(
  JSON.stringify({
    bench: 'backtest',
    figures: {
      barsPerSec,
      fills: expected.length,
      isSame,
      peer,
      yearSec,
      yearTrades,
      manyTrades,
      grownMb,
      sweepTimes,
    },
  }),
);

/**
 * Row 37: tick lag of a process, alone and with two sweeps in its threads. Each period evaluates all strategies of a shard; the
 * lag is how much later than planned that ended. Then the response time of `/health`, alone and with two sweeps running. The
 * last line is JSON.
 *
 *   node bench/backtest-lag.ts [--seconds 30] [--deployments 500]
 */

import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { planOf, rangeOf } from '../engine/research/search/plan.ts';
import type { SweepRequest } from '../engine/research/search/request.ts';
import type { SweepAnswer, SweepTask } from '../server/workers/research/sweep-messages.ts';
import { WorkerPool } from '../server/workers/research/worker-pool.ts';
import {
  coin,
  crossingGraph,
  factFromStart,
  IDEAL_FILLS,
  inputOf,
  requestOf,
  run,
} from '../tests/support/backtest.ts';
import { BAR_MS, cut, historyOf, recordedBars } from '../tests/support/bars.ts';
import { quantileOf } from './support/quantile.ts';
import { healthDuringSweeps } from './support/swept-service.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, deployments: { type: 'string', default: '500' } },
});
const SECONDS = Number(values.seconds);
const DEPLOYMENTS = Number(values.deployments);
const PERIOD_MS = 200;
const TARGET = { times: 1.1, plusMs: 20, healthMs: 50 };
const SWEEPS = 2;

const bars = recordedBars();
const iso = (ms: number | undefined): string => new Date(ms ?? Number.NaN).toISOString();
const { openTimeMs } = bars.columns;
const visual = crossingGraph(10, 30, 0.1);
const input = inputOf(
  requestOf({ from: iso(openTimeMs[100]), to: iso(openTimeMs[20_000]) }, { fills: IDEAL_FILLS }),
  {
    visual,
    facts: [factFromStart(coin())],
    histories: [historyOf('BTCUSDT', BAR_MS, bars)],
  },
);
const few = {
  ...input,
  request: { ...input.request, to: iso(openTimeMs[105]) },
  histories: [historyOf('BTCUSDT', BAR_MS, cut(bars, 50, 110))],
};

/** Does the work of one tick of `DEPLOYMENTS` strategies: the same number of steps of a short run. */
function tick(): void {
  for (let stepped = 0; stepped < DEPLOYMENTS; stepped += 5) run(few);
}

/** Returns the lag of each tick in ms, over `SECONDS`. */
async function lags(): Promise<number[]> {
  const seen: number[] = [];
  const startMs = performance.now();
  for (let planned = PERIOD_MS; planned < SECONDS * 1_000; planned += PERIOD_MS) {
    const waitMs = startMs + planned - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    tick();
    seen.push(performance.now() - startMs - planned);
  }
  return seen;
}

const request: SweepRequest = {
  backtest: input.request,
  space: {
    dimensions: [
      { pointer: '/nodes/1/data/config/period', values: Array.from({ length: 100 }, (_, at) => at + 2) },
      { pointer: '/nodes/2/data/config/period', values: Array.from({ length: 100 }, (_, at) => at + 110) },
    ],
    constraints: [],
  },
  search: { kind: 'grid' },
  objective: { statistic: 'sharpe', minTrades: 0 },
  walkForward: null,
};
const plan = planOf(request, visual);
const workers = new WorkerPool<SweepTask, never, SweepAnswer>({
  module: new URL('../server/workers/research/worker.ts', import.meta.url),
  // The most that the service gives one account.
  size: Math.max(1, os.availableParallelism() - 1),
  memoryMb: 256,
});
const stopping = new AbortController();
const { recorded: _recorded, ...material } = input;
const sweep = async (number: number): Promise<void> => {
  while (!stopping.signal.aborted) {
    const runs = plan.combinations
      .slice(10 * number, 10 * number + 10)
      .map((combination, at) => ({ number: at, combination }));
    await workers.run(
      {
        kind: 'trials',
        sweepId: `00000000-0000-7000-8000-00000000000${number}`,
        material: { input: material, quotes: [] },
        space: request.space,
        candles: plan.candles,
        range: rangeOf(request),
        runs,
      },
      { account: 'sweeps', signal: stopping.signal },
    );
  }
};

tick();
const quiet = quantileOf(await lags(), 0.99, 1);
const sweeps = Array.from({ length: SWEEPS }, (_, number) => sweep(number));
await sleep(2_000);
const busy = quantileOf(await lags(), 0.99, 1);
stopping.abort();
await Promise.all(sweeps);
await workers.close();
const most = Number((quiet * TARGET.times + TARGET.plusMs).toFixed(1));
console.log(`lag     p99 ${busy} ms with ${SWEEPS} sweeps, ${quiet} ms without (target ${most})`);
const health = await healthDuringSweeps(SWEEPS, SECONDS);
console.log(
  `health  p99 ${health.busyP99Ms} ms with ${SWEEPS} sweeps, ${health.quietP99Ms} ms without (target ${TARGET.healthMs})`,
);
if (busy > most || health.busyP99Ms >= TARGET.healthMs) process.exitCode = 1;
console.log(
  JSON.stringify({
    bench: 'backtest-lag',
    figures: { quietP99Ms: quiet, busyP99Ms: busy, mostMs: most, health },
  }),
);

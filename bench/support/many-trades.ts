/** Row 36: a year of minutes with as many trades as its data say, in a thread of its own. Answers how many, and how much the process has grown. */
import { parentPort, workerData } from 'node:worker_threads';
import { inputFor, MINUTE_MS, timed, yearOfMinutes } from './backtest-runs.ts';

const MB = 1_048_576;

// So little a trade that the cash lasts for all of them.
const input = inputFor(yearOfMinutes(workerData as number), MINUTE_MS, '1m', [2, 3], 0.01);
const before = process.memoryUsage.rss();
const { prices } = timed(input);
const grownMb = Math.round((process.memoryUsage.rss() - before) / MB);
parentPort?.postMessage({ trades: prices.length / 2, grownMb });

/**
 * Row 36: a year of one-minute bars, or the first `bars` of one, with `trades` trades, in its own thread. Answers the number of
 * trades and the growth of the process.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { inputFor, MINUTE_MS, timed, yearOfMinutes } from './backtest-runs.ts';

const MB = 1_048_576;

const wanted = workerData as { trades: number; bars: number };
// Trades little enough for the cash to last.
const input = inputFor(yearOfMinutes(wanted.trades, wanted.bars), MINUTE_MS, '1m', [2, 3], 0.01);
const before = process.memoryUsage.rss();
const { prices } = timed(input);
const grownMb = Math.round((process.memoryUsage.rss() - before) / MB);
parentPort?.postMessage({ trades: prices.length / 2, grownMb });

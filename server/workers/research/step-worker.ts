/** Replays a run up to one instant, in its own thread, and returns the state then. It has no database and no venue. */
import { parentPort } from 'node:worker_threads';
import { readRecordedQuotes } from '../../../engine/research/backtests/recorded-quotes.ts';
import { type RunState, runStateAt } from '../../../engine/research/playback/run-state.ts';
import type { BacktestTask } from './backtest-messages.ts';
import type { WorkerMessage, WorkerTask } from './worker-pool.ts';

export type StepTask = BacktestTask & { readonly at: string };
export type StepAnswer = { readonly stood: RunState } | { readonly error: string };

const parent = parentPort;
if (parent === null) throw new Error('This module runs in a worker thread.');
parent.on('message', ({ task, stop }: WorkerTask<StepTask>) => {
  parent.postMessage({ answer: answerOf(task, stop) } satisfies WorkerMessage<never, StepAnswer>);
});

function answerOf({ input, quotes, at }: StepTask, stop: WorkerTask<StepTask>['stop']): StepAnswer {
  try {
    const isCanceled = () => Atomics.load(stop, 0) === 1;
    return { stood: runStateAt({ ...input, recorded: readRecordedQuotes(quotes, input) }, at, isCanceled) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

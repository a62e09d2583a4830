/** Replays a run up to one instant, in its own thread, and returns the state then. It has no database and no venue. */
import { parentPort } from 'node:worker_threads';
import { recordedOf } from '../../../engine/research/backtests/quotes.ts';
import { type Stood, stoodAt } from '../../../engine/research/playback/step.ts';
import type { BacktestTask } from './messages.ts';
import type { Said, Sent } from './worker-pool.ts';

export type StepTask = BacktestTask & { readonly at: string };
export type StepAnswer = { readonly stood: Stood } | { readonly error: string };

const parent = parentPort;
if (parent === null) throw new Error('This module runs in a worker thread.');
parent.on('message', ({ task, stop }: Sent<StepTask>) => {
  parent.postMessage({ answer: answerOf(task, stop) } satisfies Said<never, StepAnswer>);
});

function answerOf({ input, quotes, at }: StepTask, stop: Sent<StepTask>['stop']): StepAnswer {
  try {
    const isCanceled = () => Atomics.load(stop, 0) === 1;
    return { stood: stoodAt({ ...input, recorded: recordedOf(quotes, input) }, at, isCanceled) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

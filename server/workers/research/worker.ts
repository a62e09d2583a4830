/** Computes runs in a separate thread. It has no database, no venue and no secret; a test checks all modules that it loads. */
import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { PartWriter } from '../../../engine/research/backtests/parts.ts';
import { readRecordedQuotes } from '../../../engine/research/backtests/recorded-quotes.ts';
import { BacktestError } from '../../../engine/research/playback/backtest-error.ts';
import { runBacktest } from '../../../engine/research/playback/run-backtest.ts';
import type { BacktestAnswer, BacktestTask, BacktestUpdate } from './backtest-messages.ts';
import type { SweepAnswer, SweepTask } from './sweep-messages.ts';
import { answerSweep } from './sweep-worker.ts';
import type { WorkerMessage, WorkerTask } from './worker-pool.ts';

/** A priority below everything that trades: on Linux for this thread alone. */
const PRIORITY = 15;
/** The shortest time between two progress messages. */
const PROGRESS_MS = 250;

type Message = WorkerMessage<BacktestUpdate, BacktestAnswer | SweepAnswer>;

const parent = parentPort;
if (parent === null) throw new Error('This module runs in a worker thread.');
lowerPriority();
parent.on('message', (sent: WorkerTask<BacktestTask | SweepTask>) => {
  const post = (message: Message, transfer: ArrayBuffer[] = []) => parent.postMessage(message, transfer);
  const { task, stop } = sent;
  post({
    answer: 'kind' in task ? answerSweep(task, () => Atomics.load(stop, 0) === 1) : run({ task, stop }, post),
  });
});

function run(
  { task, stop }: WorkerTask<BacktestTask>,
  post: (message: Message, transfer?: ArrayBuffer[]) => void,
): BacktestAnswer {
  const writer = new PartWriter((part) => post({ report: { kind: 'part', part } }, [part.body.buffer]));
  let reportedMs = 0;
  let isComplete = false;
  const isCanceled = () => Atomics.load(stop, 0) === 1;
  try {
    const input = { ...task.input, recorded: readRecordedQuotes(task.quotes, task.input) };
    const summary = runBacktest(input, {
      part: ({ kind, rows }) => writer.add(kind, rows),
      progress: (progress) => {
        const nowMs = performance.now();
        if (nowMs - reportedMs < PROGRESS_MS) return;
        reportedMs = nowMs;
        post({ report: { kind: 'progress', progress } });
      },
      isCanceled,
      completed: () => {
        isComplete = true;
      },
    });
    writer.end();
    return { kind: 'ended', summary, isComplete };
  } catch (error) {
    if (error instanceof BacktestError) {
      return { kind: 'failed', failure: { code: error.code, message: error.message } };
    }
    return { kind: 'broke', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** If that is not allowed, the run has the priority of its process. */
function lowerPriority(): void {
  try {
    os.setPriority(0, PRIORITY);
  } catch {}
}

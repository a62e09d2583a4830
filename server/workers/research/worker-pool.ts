import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { FairQueue } from '../../../db/fair-queue.ts';

/** A worker that was asked to stop is terminated after this time. */
const STOP_MS = 800;

/** The outcome of a task. `crashed`: its thread ended without an answer. */
export type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'out_of_memory' }
  | { readonly kind: 'crashed'; readonly error: unknown };

/** A message of a worker: progress, or its answer, which is the last of a task. */
export type WorkerMessage<Report, Answer> = { readonly report: Report } | { readonly answer: Answer };

/** A message to a worker. `stop[0]` becomes 1 once it must stop early. */
export type WorkerTask<Task> = { readonly task: Task; readonly stop: Int32Array<SharedArrayBuffer> };

export type WorkerPoolOptions = {
  /** The module that runs in each thread. */
  readonly module: URL;
  readonly size: number;
  /** Threads that one account may hold at once; all, unless given. */
  readonly sizePerAccount?: number;
  /** Heap of one thread; memory shared with others is not included. */
  readonly memoryMb: number;
};

export type RunOptions<Report> = {
  /** The account that takes this turn. */
  readonly account: string;
  readonly onReport?: (report: Report) => void;
  readonly signal: AbortSignal;
  readonly transfer?: ArrayBuffer[];
};

/**
 * Computing threads, one task each, kept warm. They see no environment variables of the process, so no secret, and only the
 * data they are sent.
 */
export class WorkerPool<Task, Report, Answer> {
  readonly #options: WorkerPoolOptions;
  readonly #idle: Worker[] = [];
  readonly #queue: FairQueue;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const { size, sizePerAccount = size } = options;
    this.#queue = new FairQueue({ slots: size, slotsPerAccount: sizePerAccount });
  }

  /**
   * Runs a task as soon as a thread is free; accounts take turns. When `signal` aborts, the worker is asked to stop, and is
   * terminated if it continues: the outcome is then `stopped`. A worker that stops in time answers.
   */
  async run(
    task: Task,
    { account, onReport = () => {}, signal, transfer = [] }: RunOptions<Report>,
  ): Promise<Outcome<Answer>> {
    if (this.#isClosed) throw new Error('The workers are closed.');
    const release = await this.#queue.take(account, { signal }).catch(() => null);
    if (release === null) return { kind: 'stopped' };
    const worker = this.#idle.pop() ?? this.#open();
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const ended = new AbortController();
    try {
      const outcome = outcomeOf<Report, Answer>(worker, onReport, ended.signal);
      const stopping = whenAborted(signal, ended.signal).then(async () => {
        Atomics.store(stop, 0, 1);
        await sleep(STOP_MS, undefined, { signal: ended.signal }).catch(() => {});
        return { kind: 'stopped' } as const;
      });
      worker.postMessage({ task, stop } satisfies WorkerTask<Task>, transfer);
      const first = await Promise.race([outcome, stopping]);
      if (first.kind === 'answered' && !this.#isClosed) this.#idle.push(worker);
      else await worker.terminate();
      return first;
    } finally {
      ended.abort();
      release();
    }
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  #open(): Worker {
    const { module, memoryMb } = this.#options;
    const worker = new Worker(module, {
      env: compileCacheVariable(),
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    // Idle threads do not keep the process alive, and one that ends between two tasks is not assigned another.
    worker.unref();
    worker.on('error', () => {});
    worker.once('exit', () => {
      const at = this.#idle.indexOf(worker);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    return worker;
  }
}

/** Lets a thread load the compiled code of the process: with an empty environment it would compile all modules again. */
function compileCacheVariable(): Record<string, string> {
  // Node.js appends a folder for its version.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

function outcomeOf<Report, Answer>(
  worker: Worker,
  onReport: (report: Report) => void,
  ended: AbortSignal,
): Promise<Outcome<Answer>> {
  const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
  const onMessage = (message: WorkerMessage<Report, Answer>) => {
    if ('answer' in message) resolve({ kind: 'answered', answer: message.answer });
    else onReport(message.report);
  };
  const onError = (error: unknown) => resolve(failureOf(error));
  const onExit = (code: number) =>
    resolve({ kind: 'crashed', error: new Error(`The worker ended with code ${code}.`) });
  worker.on('message', onMessage);
  worker.on('error', onError);
  worker.on('exit', onExit);
  ended.addEventListener('abort', () => {
    worker.off('message', onMessage);
    worker.off('error', onError);
    worker.off('exit', onExit);
  });
  return promise;
}

const failureOf = (error: unknown): Outcome<never> =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? { kind: 'out_of_memory' }
    : { kind: 'crashed', error };

/** Resolves once `signal` aborts; never after `ended`. */
function whenAborted(signal: AbortSignal, ended: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true, signal: ended }),
  );
}

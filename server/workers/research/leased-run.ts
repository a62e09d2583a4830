import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaseState } from '../../../engine/platform/jobs/queue.ts';

/** Why a job is stopped. */
export type Cause = 'canceled' | 'lost' | 'stopping' | 'timed_out' | 'too_large';

class Ended extends Error {
  readonly reason: Cause;
  constructor(reason: Cause) {
    super(`The job ended: ${reason}.`);
    this.reason = reason;
  }
}

/**
 * The result of an attempt. `lost`: another process has the job. `requeue` and `put_back`: the next process continues.
 * `put_back` does not count as an attempt, because nothing was wrong with the job.
 */
export type Attempt<Ending> = Ending | 'lost' | 'requeue' | 'put_back';

/** One attempt at one job under its lease, from its claim to its end. */
export abstract class LeasedRun<Ending> {
  readonly #heartbeatMs: number;
  readonly #timeoutMs: number;
  readonly #ending = new AbortController();
  #wake = Promise.withResolvers<void>();

  /** `timeoutMs`: an attempt that takes longer is stopped. */
  constructor(heartbeatMs: number, timeoutMs: number) {
    this.#heartbeatMs = heartbeatMs;
    this.#timeoutMs = timeoutMs;
  }

  /** Extends the lease, and stores the progress. */
  protected abstract heartbeat(): Promise<LeaseState>;
  protected abstract compute(): Promise<Attempt<Ending>>;
  protected abstract end(ending: Ending): Promise<unknown>;
  protected abstract requeue(isCounted: boolean): Promise<void>;
  /** Called if even the end could not be stored: the lease expires, and another process takes over. */
  protected abstract onEndFailed(error: unknown): void;

  /** Aborts once the attempt must stop. */
  protected get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Why it must stop; null while it may continue. */
  protected get cause(): Cause | null {
    const reason: unknown = this.signal.reason;
    return reason instanceof Ended ? reason.reason : null;
  }

  /** The first cause counts. `stopping` returns the job to the queue, for the next process. */
  stop(cause: Cause = 'stopping'): void {
    if (!this.signal.aborted) this.#ending.abort(new Ended(cause));
  }

  /** Checks at once whether to continue. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Does not throw: an error becomes the end of the job. */
  async run(): Promise<void> {
    const stopHeartbeats = new AbortController();
    const heartbeats = this.#heartbeatUntil(stopHeartbeats.signal);
    const late = setTimeout(() => this.stop('timed_out'), this.#timeoutMs);
    try {
      const ending = await this.compute();
      if (ending === 'requeue' || ending === 'put_back') await this.requeue(ending === 'requeue');
      else if (ending !== 'lost') await this.end(ending);
    } catch (error) {
      this.onEndFailed(error);
    } finally {
      clearTimeout(late);
      stopHeartbeats.abort();
      this.#wake.resolve();
      await heartbeats;
    }
  }

  async #heartbeatUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      const pausing = new AbortController();
      const pause = sleep(this.#heartbeatMs, undefined, { signal: pausing.signal }).catch(() => {});
      await Promise.race([pause, this.#wake.promise]);
      pausing.abort();
      if (!signal.aborted) await this.#heartbeat();
    }
  }

  async #heartbeat(): Promise<void> {
    try {
      const state = await this.heartbeat();
      if (state !== 'extended') this.stop(state);
    } catch {
      // Without the database the lease expires: then the next heartbeat, or the next write, detects it.
    }
  }
}

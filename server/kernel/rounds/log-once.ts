import type { RunnerLog } from './options.ts';

/** Logs a problem when it begins and when it is over, not at each occurrence. */
export class LogOnce {
  readonly #log: RunnerLog;
  readonly #messages = new Map<string, string>();

  constructor(log: RunnerLog) {
    this.#log = log;
  }

  failed(subject: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#messages.get(subject) === message) return;
    this.#messages.set(subject, message);
    this.#log.warn({ subject, error: message }, `${subject}: failing`);
  }

  recovered(subject: string): void {
    if (this.#messages.size > 0 && this.#messages.delete(subject))
      this.#log.info({ subject }, `${subject}: recovered`);
  }

  /** Logs a failure once without stopping other subjects; the caller retries it later. */
  async attempt(subject: string, task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
      this.recovered(subject);
    } catch (error) {
      this.failed(subject, error);
    }
  }
}

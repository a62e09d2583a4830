import type { RunnerLog } from './options.ts';

/** Logs trouble when it begins and when it is over, not each time it is met on the way. */
export class LogOnce {
  readonly #log: RunnerLog;
  readonly #messages = new Map<string, string>();

  constructor(log: RunnerLog) {
    this.#log = log;
  }

  trouble(subject: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#messages.get(subject) === message) return;
    this.#messages.set(subject, message);
    this.#log.warn({ subject, error: message }, `${subject}: in trouble`);
  }

  recovered(subject: string): void {
    if (this.#messages.delete(subject)) this.#log.info({ subject }, `${subject}: fine again`);
  }

  /** What cannot be done now is said once, keeps nothing else waiting, and is found again. */
  async tried(subject: string, task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
      this.recovered(subject);
    } catch (error) {
      this.trouble(subject, error);
    }
  }
}

import type { RunnerLog } from './options.ts';

/** Logs trouble when it begins and when it is over, not each time it is met on the way. */
export class LogOnce {
  readonly #log: RunnerLog;
  readonly #troubles = new Map<string, string>();

  constructor(log: RunnerLog) {
    this.#log = log;
  }

  trouble(subject: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#troubles.get(subject) === message) return;
    this.#troubles.set(subject, message);
    this.#log.warn({ subject, error: message }, `${subject}: in trouble`);
  }

  fine(subject: string): void {
    if (this.#troubles.delete(subject)) this.#log.info({ subject }, `${subject}: fine again`);
  }
}

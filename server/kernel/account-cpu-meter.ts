/** Processor time of this thread: on a busy machine, far less than the elapsed time. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Measures the processor time that the thread spends on each account. A mark names the account from now on. The time until the
 * next mark is that account's, and ends with the turn of the event loop. Marks stand where work for a request begins or
 * resumes: its caller is known, its body is complete, the database has answered.
 */
export class AccountCpuMeter {
  readonly #charge: (account: string, ms: number) => void;
  readonly #now: () => number;
  #account: string | null = null;
  #sinceMs = 0;
  #isEnding = false;

  constructor(charge: (account: string, ms: number) => void, now = threadMs) {
    this.#charge = charge;
    this.#now = now;
  }

  /** Assigns the thread's time from now on to this account, or to none. */
  mark(account: string | null): void {
    const nowMs = this.#now();
    if (this.#account !== null) this.#charge(this.#account, nowMs - this.#sinceMs);
    this.#account = account;
    this.#sinceMs = nowMs;
    if (account === null || this.#isEnding) return;
    this.#isEnding = true;
    setImmediate(() => {
      this.#isEnding = false;
      this.mark(null);
    });
  }
}

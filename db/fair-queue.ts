/** Limits of a queue; an omitted limit means unlimited. */
export type FairQueueOptions = {
  /** Slots of all accounts together, and of one account. */
  readonly slots?: number;
  readonly slotsPerAccount?: number;
  /** Waiters of all accounts together, and of one account. */
  readonly waiting?: number;
  readonly waitingPerAccount?: number;
};

/** How long to wait for a slot: until a time has passed, or until a signal aborts. */
export type Patience = { readonly waitMs?: number; readonly signal?: AbortSignal };

/** Returns a slot. A second call does nothing. */
export type Release = () => void;

/** No slot became free in time. The message is that of the connection pool, which callers treat alike. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

/** The queue, or the account's part of it, is full. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

type Waiter = { readonly admit: () => void; readonly refuse: (error: unknown) => void };
type Line = { held: number; servedAt: number; readonly waiters: Waiter[] };

/**
 * A semaphore for all accounts. A free slot goes to the waiting account that was served longest ago. The first request of each
 * account thus runs before the second of any. When the queue is full, the longest queue loses its last waiter to a shorter
 * one.
 */
export class FairQueue {
  readonly #options: Required<FairQueueOptions>;
  readonly #lines = new Map<string, Line>();
  #held = 0;
  #waiting = 0;
  #served = 0;

  constructor(options: FairQueueOptions = {}) {
    const none = Number.POSITIVE_INFINITY;
    this.#options = {
      slots: none,
      slotsPerAccount: none,
      waiting: none,
      waitingPerAccount: none,
      ...options,
    };
  }

  /** Number of waiters. */
  get waiting(): number {
    return this.#waiting;
  }

  /** No slot is in use. */
  get isIdle(): boolean {
    return this.#held === 0;
  }

  /** Runs a task in a slot. @throws as {@link take} */
  async run<Result>(account: string, task: () => Promise<Result>, patience?: Patience): Promise<Result> {
    const release = await this.take(account, patience);
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Waits for a slot. @throws QueueFull, WaitedTooLong, or the signal's reason. */
  async take(account: string, { waitMs, signal }: Patience = {}): Promise<Release> {
    signal?.throwIfAborted();
    const line = this.#lineOf(account);
    if (this.#isFree(line)) {
      this.#hold(line);
      return this.#releaseOf(account, line);
    }
    if (!this.#makeRoom(line)) {
      this.#forget(account, line);
      throw new QueueFull('Too many requests wait.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { admit: resolve, refuse: reject };
    line.waiters.push(waiter);
    this.#waiting += 1;
    const giveUp = (error: unknown) => {
      if (this.#leave(line, waiter)) reject(error);
    };
    const abort = () => giveUp(signal?.reason);
    // Created here, so that its stack names the caller that waited.
    const tooLong = new WaitedTooLong('There was no slot: timeout exceeded when trying to connect');
    const late = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs, tooLong);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } catch (error) {
      this.#forget(account, line);
      throw error;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
    }
    return this.#releaseOf(account, line);
  }

  #lineOf(account: string): Line {
    const line = this.#lines.get(account) ?? { held: 0, servedAt: 0, waiters: [] };
    this.#lines.set(account, line);
    return line;
  }

  #isFree({ held }: Line): boolean {
    const { slots, slotsPerAccount } = this.#options;
    return this.#held < slots && held < slotsPerAccount;
  }

  #hold(line: Line): void {
    this.#held += 1;
    line.held += 1;
    this.#served += 1;
    line.servedAt = this.#served;
  }

  #releaseOf(account: string, line: Line): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#held -= 1;
      line.held -= 1;
      this.#serve();
      this.#forget(account, line);
    };
  }

  #forget(account: string, { held, waiters }: Line): void {
    if (held === 0 && waiters.length === 0) this.#lines.delete(account);
  }

  /** Admits waiters while slots are free. */
  #serve(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const waiter = next.waiters.shift();
      this.#waiting -= 1;
      this.#hold(next);
      waiter?.admit();
    }
  }

  /** The queue served longest ago among those that may have a slot now. */
  #next(): Line | null {
    if (this.#waiting === 0) return null;
    let next: Line | null = null;
    for (const line of this.#lines.values()) {
      if (line.waiters.length === 0 || !this.#isFree(line)) continue;
      if (next === null || line.servedAt < next.servedAt) next = line;
    }
    return next;
  }

  /** Whether one more may wait in a queue; the longest queue gives way to a shorter one. */
  #makeRoom(line: Line): boolean {
    const { waiting, waitingPerAccount } = this.#options;
    if (line.waiters.length >= waitingPerAccount) return false;
    if (this.#waiting < waiting) return true;
    const [longest = line] = [...this.#lines.values()].sort((a, b) => b.waiters.length - a.waiters.length);
    const last = longest.waiters.at(-1);
    if (last === undefined || longest.waiters.length <= line.waiters.length + 1) return false;
    this.#leave(longest, last);
    last.refuse(new QueueFull('Too many requests of this account wait.'));
    return true;
  }

  /** False: the waiter was admitted or refused before. */
  #leave(line: Line, waiter: Waiter): boolean {
    const at = line.waiters.indexOf(waiter);
    if (at === -1) return false;
    line.waiters.splice(at, 1);
    this.#waiting -= 1;
    return true;
  }
}

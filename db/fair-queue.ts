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
export type WaitOptions = { readonly waitMs?: number; readonly signal?: AbortSignal };

/** Returns a slot. A second call does nothing. */
export type Release = () => void;

/** No slot became free in time. The message is that of the connection pool, which callers treat alike. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

const waitedTooLong = () => new WaitedTooLong('There was no slot: timeout exceeded when trying to connect');

/** The queue, or the account's part of it, is full. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

type Waiter = { readonly admit: () => void; readonly refuse: (error: unknown) => void };
type AccountQueue = { held: number; servedAt: number; readonly waiters: Waiter[] };

/**
 * A semaphore for all accounts. A free slot goes to the waiting account that was served longest ago. The first request of each
 * account thus runs before the second of any. When the queue is full, the longest queue loses its last waiter to a shorter
 * one.
 */
export class FairQueue {
  readonly #options: Required<FairQueueOptions>;
  readonly #queues = new Map<string, AccountQueue>();
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
  async run<Result>(account: string, task: () => Promise<Result>, options?: WaitOptions): Promise<Result> {
    const release = await this.take(account, options);
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Waits for a slot. @throws QueueFull, WaitedTooLong, or the signal's reason. */
  async take(account: string, { waitMs, signal }: WaitOptions = {}): Promise<Release> {
    signal?.throwIfAborted();
    const queue = this.#queueOf(account);
    if (this.#isFree(queue)) {
      this.#hold(queue);
      return this.#releaseOf(account, queue);
    }
    if (!this.#makeRoom(queue)) {
      this.#forget(account, queue);
      throw new QueueFull('Too many requests wait.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { admit: resolve, refuse: reject };
    queue.waiters.push(waiter);
    this.#waiting += 1;
    const giveUp = (error: unknown) => {
      if (this.#removeWaiter(queue, waiter)) reject(error);
    };
    const abort = () => giveUp(signal?.reason);
    const late = waitMs === undefined ? undefined : setTimeout(() => giveUp(waitedTooLong()), waitMs);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } catch (error) {
      this.#forget(account, queue);
      throw error;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
    }
    return this.#releaseOf(account, queue);
  }

  #queueOf(account: string): AccountQueue {
    const queue = this.#queues.get(account) ?? { held: 0, servedAt: 0, waiters: [] };
    this.#queues.set(account, queue);
    return queue;
  }

  #isFree({ held }: AccountQueue): boolean {
    const { slots, slotsPerAccount } = this.#options;
    return this.#held < slots && held < slotsPerAccount;
  }

  #hold(queue: AccountQueue): void {
    this.#held += 1;
    queue.held += 1;
    this.#served += 1;
    queue.servedAt = this.#served;
  }

  #releaseOf(account: string, queue: AccountQueue): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#held -= 1;
      queue.held -= 1;
      this.#serve();
      this.#forget(account, queue);
    };
  }

  #forget(account: string, { held, waiters }: AccountQueue): void {
    if (held === 0 && waiters.length === 0) this.#queues.delete(account);
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
  #next(): AccountQueue | null {
    if (this.#waiting === 0) return null;
    let next: AccountQueue | null = null;
    for (const queue of this.#queues.values()) {
      if (queue.waiters.length === 0 || !this.#isFree(queue)) continue;
      if (next === null || queue.servedAt < next.servedAt) next = queue;
    }
    return next;
  }

  /** Whether one more may wait in a queue; the longest queue gives way to a shorter one. */
  #makeRoom(queue: AccountQueue): boolean {
    const { waiting, waitingPerAccount } = this.#options;
    if (queue.waiters.length >= waitingPerAccount) return false;
    if (this.#waiting < waiting) return true;
    const [longest = queue] = [...this.#queues.values()].sort((a, b) => b.waiters.length - a.waiters.length);
    const last = longest.waiters.at(-1);
    if (last === undefined || longest.waiters.length <= queue.waiters.length + 1) return false;
    this.#removeWaiter(longest, last);
    last.refuse(new QueueFull('Too many requests of this account wait.'));
    return true;
  }

  /** False: the waiter was admitted or refused before. */
  #removeWaiter(queue: AccountQueue, waiter: Waiter): boolean {
    const at = queue.waiters.indexOf(waiter);
    if (at === -1) return false;
    queue.waiters.splice(at, 1);
    this.#waiting -= 1;
    return true;
  }
}

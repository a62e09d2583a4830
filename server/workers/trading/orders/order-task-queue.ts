import { FairQueue } from '../../../../db/fair-queue.ts';
import type { WorkKey } from '../../../../engine/trading/orders/execution/queue.ts';
import type { OrderKey } from '../../../../venues/broker.ts';

/** Pause of an order, doubled each time in a row: after its task failed, and while its task is not done. */
const FAILED = { minMs: 1_000, maxMs: 60_000 };
const UNDONE = { minMs: 250, maxMs: 15_000 };
/** The most pauses to remember; beyond it the oldest are forgotten and their orders tried at once. */
const PAUSES_MAX = 10_000;

type Pause = { untilMs: number; lengthMs: number };

export type OrderTaskQueueOptions = {
  /** The most orders in progress, for each connection and for all of paper trading. */
  concurrency: number;
  /**
   * Whether an order that is taken while in progress is taken again afterwards. For orders that are announced once, instead of
   * being found until they are done.
   */
  again?: boolean;
  /** Returns whether it is done: otherwise the order is taken again after a pause, once it is found. */
  task: (key: WorkKey) => Promise<boolean>;
  onError: (error: unknown, key: OrderKey) => void;
  /** The longest pause for an order that is not done; null: no limit. */
  againWithinMs?: ((key: OrderKey) => Promise<number | null>) | undefined;
  /** The clock of pauses; process time by default. */
  uptimeMs?: (() => number) | undefined;
};

/** The queue of paper orders. */
const PAPER = '';

/**
 * One kind of work on orders, several orders at a time and each of them once at a time. Each connection has slots of its own: a
 * venue that does not answer delays only its own orders. Paper accounts take turns. An order whose task throws or is not done
 * is paused, twice as long each time. So a hopeless order does not delay the others, and a venue does not get requests in a hot
 * loop.
 */
export class OrderTaskQueue {
  /** By connection, while there is work. */
  readonly #queues = new Map<string, FairQueue>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #options: OrderTaskQueueOptions;
  readonly #uptimeMs: () => number;
  readonly #busy = new Set<string>();
  #isStopped = false;
  readonly #takenAgain = new Set<string>();
  readonly #pauses = new Map<string, Pause>();

  constructor(options: OrderTaskQueueOptions) {
    this.#options = options;
    this.#uptimeMs = options.uptimeMs ?? (() => performance.now());
  }

  /** Starts on the orders that are neither in progress nor paused, and does not wait for them. */
  take(keys: readonly WorkKey[]): void {
    for (const key of keys) {
      if (this.#isPaused(key.id)) continue;
      if (this.#busy.has(key.id)) {
        if (this.#options.again) this.#takenAgain.add(key.id);
        continue;
      }
      this.#busy.add(key.id);
      const added = this.#add(key).finally(() => this.#underWay.delete(added));
      this.#underWay.add(added);
    }
  }

  /** Starts nothing more, and resolves once nothing is in progress. Waiting orders are found again by the next process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #add(key: WorkKey): Promise<void> {
    const name = key.connectionId ?? PAPER;
    const queue = this.#queueOf(name);
    await queue.run(key.accountId, () => this.#run(key));
    if (queue.isIdle) this.#queues.delete(name);
  }

  #queueOf(name: string): FairQueue {
    const queue = this.#queues.get(name);
    if (queue !== undefined) return queue;
    const opened = new FairQueue({ slots: this.#options.concurrency });
    this.#queues.set(name, opened);
    return opened;
  }

  async #run(key: WorkKey): Promise<void> {
    if (this.#isStopped) return;
    try {
      const isDone = await this.#options.task(key);
      if (isDone) this.#pauses.delete(key.id);
      else await this.#pause(key, UNDONE);
    } catch (error) {
      this.#options.onError(error, key);
      await this.#pause(key, FAILED);
    } finally {
      this.#busy.delete(key.id);
      if (this.#takenAgain.delete(key.id)) this.take([key]);
    }
  }

  #isPaused(id: string): boolean {
    const pause = this.#pauses.get(id);
    return pause !== undefined && this.#uptimeMs() < pause.untilMs;
  }

  /** Pauses an order, longer each time in a row. */
  async #pause(key: OrderKey, { minMs, maxMs }: { minMs: number; maxMs: number }): Promise<void> {
    const { id } = key;
    // If the limit cannot be read, for example from a busy database, the shortest pause applies.
    const within = await this.#options.againWithinMs?.(key).catch(() => minMs);
    const doubled = (this.#pauses.get(id)?.lengthMs ?? 0) * 2;
    const lengthMs = Math.min(Math.max(doubled, minMs), maxMs);
    this.#pauses.delete(id);
    this.#pauses.set(id, { untilMs: this.#uptimeMs() + Math.min(lengthMs, within ?? maxMs), lengthMs });
    const [oldest] = this.#pauses.keys();
    if (this.#pauses.size > PAUSES_MAX && oldest !== undefined) this.#pauses.delete(oldest);
  }
}

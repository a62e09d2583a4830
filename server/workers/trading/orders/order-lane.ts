import { FairQueue } from '../../../../db/fair-queue.ts';
import type { WorkKey } from '../../../../engine/trading/orders/execution/queue.ts';
import type { OrderKey } from '../../../../venues/broker.ts';

/** How long an order is left alone, doubled each time in a row: where its task failed, and where there is more to do. */
const FAILED = { minMs: 1_000, maxMs: 60_000 };
const UNDONE = { minMs: 250, maxMs: 15_000 };
/** Orders left alone that are remembered; beyond it the oldest are forgotten and tried at once. */
const PAUSES_MAX = 10_000;

type Pause = { untilMs: number; lengthMs: number };

export type LaneOptions = {
  /** Orders of one connection under way at the same time, and of all on paper. */
  concurrency: number;
  /**
   * Whether an order that is taken while it is under way is taken again afterwards: for orders that are told of once,
   * in place of being found until they are done.
   */
  again?: boolean;
  /** Answers whether it is done: an order that is not is taken again after a while, by whoever finds it. */
  task: (key: WorkKey) => Promise<boolean>;
  onError: (error: unknown, key: OrderKey) => void;
  /** How soon one that is not done has to be taken again, whatever its pause were; null: that is all the same. */
  againWithinMs?: ((key: OrderKey) => Promise<number | null>) | undefined;
  /** What pauses are measured by; process time, unless told otherwise. */
  uptimeMs?: (() => number) | undefined;
};

/** Where orders wait that are on paper. */
const PAPER = '';

/**
 * One kind of work on orders, several orders at a time and each of them once at a time. Each connection has slots of its own: a
 * venue that does not answer keeps its own orders waiting. On paper, accounts take turns. An order whose task throws or is
 * not done is left alone for a while that doubles each time, so that one that cannot be helped does not keep the others
 * waiting, and a venue is not asked in a hot loop.
 */
export class OrderLane {
  /** By connection, while there is anything to do. */
  readonly #queues = new Map<string, FairQueue>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #options: LaneOptions;
  readonly #uptimeMs: () => number;
  readonly #busy = new Set<string>();
  #isStopped = false;
  readonly #toldAgain = new Set<string>();
  readonly #pauses = new Map<string, Pause>();

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#uptimeMs = options.uptimeMs ?? (() => performance.now());
  }

  /** Starts on those that are neither under way nor paused, and does not wait for them. */
  take(keys: readonly WorkKey[]): void {
    for (const key of keys) {
      if (this.#isPaused(key.id)) continue;
      if (this.#busy.has(key.id)) {
        if (this.#options.again) this.#toldAgain.add(key.id);
        continue;
      }
      this.#busy.add(key.id);
      const added = this.#add(key).finally(() => this.#underWay.delete(added));
      this.#underWay.add(added);
    }
  }

  /** Begins nothing more, and resolves once nothing is under way. What waits is found again by whoever looks next. */
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
      if (this.#toldAgain.delete(key.id)) this.take([key]);
    }
  }

  #isPaused(id: string): boolean {
    const pause = this.#pauses.get(id);
    return pause !== undefined && this.#uptimeMs() < pause.untilMs;
  }

  /** Leaves an order alone for a while, longer each time in a row. */
  async #pause(key: OrderKey, { minMs, maxMs }: { minMs: number; maxMs: number }): Promise<void> {
    const { id } = key;
    // Where that cannot be told, as the database is busy perhaps, it may be soon.
    const within = await this.#options.againWithinMs?.(key).catch(() => minMs);
    const doubled = (this.#pauses.get(id)?.lengthMs ?? 0) * 2;
    const lengthMs = Math.min(Math.max(doubled, minMs), maxMs);
    this.#pauses.delete(id);
    this.#pauses.set(id, { untilMs: this.#uptimeMs() + Math.min(lengthMs, within ?? maxMs), lengthMs });
    const [oldest] = this.#pauses.keys();
    if (this.#pauses.size > PAUSES_MAX && oldest !== undefined) this.#pauses.delete(oldest);
  }
}

import PQueue from 'p-queue';
import type { OrderKey } from '../../../engine/orders/execution/broker.ts';

const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
/** Failing orders remembered; beyond it the oldest are forgotten and tried at once. */
const PAUSES_MAX = 10_000;

type Pause = { untilMs: number; lengthMs: number };

export type LaneOptions = {
  /** Orders under way at the same time. */
  concurrency: number;
  /**
   * Whether an order that is taken while it is under way is taken again afterwards: for orders that are told of once,
   * in place of being found until they are done.
   */
  again?: boolean;
  task: (key: OrderKey) => Promise<void>;
  onError: (error: unknown, key: OrderKey) => void;
};

/**
 * One kind of work on orders, several orders at a time and each of them once at a time. An order whose task throws
 * is left alone for a while that doubles with every failure, so that one that cannot be helped does not keep the
 * others waiting.
 */
export class OrderLane {
  readonly #queue: PQueue;
  readonly #options: LaneOptions;
  readonly #busy = new Set<string>();
  #isStopped = false;
  readonly #toldAgain = new Set<string>();
  readonly #pauses = new Map<string, Pause>();

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency });
  }

  /** Starts on those that are neither under way nor paused, and does not wait for them. */
  take(keys: readonly OrderKey[]): void {
    for (const key of keys) {
      if (this.#isPaused(key.id)) continue;
      if (this.#busy.has(key.id)) {
        if (this.#options.again) this.#toldAgain.add(key.id);
        continue;
      }
      this.#busy.add(key.id);
      void this.#queue.add(() => this.#run(key));
    }
  }

  /** Begins nothing more, and resolves once nothing is under way. What waits is found again by whoever looks next. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#queue.onIdle();
  }

  async #run(key: OrderKey): Promise<void> {
    if (this.#isStopped) return;
    try {
      await this.#options.task(key);
      this.#pauses.delete(key.id);
    } catch (error) {
      this.#pause(key.id);
      this.#options.onError(error, key);
    } finally {
      this.#busy.delete(key.id);
      if (this.#toldAgain.delete(key.id)) this.take([key]);
    }
  }

  #isPaused(id: string): boolean {
    const pause = this.#pauses.get(id);
    return pause !== undefined && performance.now() < pause.untilMs;
  }

  /** Leaves an order alone for a while, longer each time in a row. */
  #pause(id: string): void {
    const lengthMs = Math.min((this.#pauses.get(id)?.lengthMs ?? PAUSE_MIN_MS / 2) * 2, PAUSE_MAX_MS);
    this.#pauses.delete(id);
    this.#pauses.set(id, { untilMs: performance.now() + lengthMs, lengthMs });
    const [oldest] = this.#pauses.keys();
    if (this.#pauses.size > PAUSES_MAX && oldest !== undefined) this.#pauses.delete(oldest);
  }
}

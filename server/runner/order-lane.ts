import PQueue from 'p-queue';
import type { OrderKey } from '../../engine/orders/broker.ts';

const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
/** Failing orders remembered; beyond it the oldest are forgotten and tried at once. */
const PAUSES_MAX = 10_000;

type Pause = { untilMs: number; lengthMs: number };

/**
 * One kind of work on orders, several orders at a time and each of them once at a time. An order whose task throws
 * is left alone for a while that doubles with every failure, so that one that cannot be helped does not keep the
 * others waiting.
 */
export class OrderLane {
  readonly #queue: PQueue;
  readonly #task: (key: OrderKey) => Promise<void>;
  readonly #onError: (error: unknown, key: OrderKey) => void;
  readonly #busy = new Set<string>();
  readonly #pauses = new Map<string, Pause>();

  constructor(options: {
    concurrency: number;
    task: (key: OrderKey) => Promise<void>;
    onError: (error: unknown, key: OrderKey) => void;
  }) {
    this.#queue = new PQueue({ concurrency: options.concurrency });
    this.#task = options.task;
    this.#onError = options.onError;
  }

  /** Starts on those that are neither under way nor paused, and does not wait for them. */
  take(keys: readonly OrderKey[]): void {
    for (const key of keys) {
      if (this.#busy.has(key.id) || this.#isPaused(key.id)) continue;
      this.#busy.add(key.id);
      void this.#queue.add(() => this.#run(key));
    }
  }

  /** Resolves once nothing is under way. */
  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async #run(key: OrderKey): Promise<void> {
    try {
      await this.#task(key);
      this.#pauses.delete(key.id);
    } catch (error) {
      this.#pause(key.id);
      this.#onError(error, key);
    } finally {
      this.#busy.delete(key.id);
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

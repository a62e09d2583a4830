/** The longest time to hold locks of accounts for decisions, because users and urgent commands wait for it. */
const HELD_MAX_MS = 20;
/** Below this size, most of a batch is the fixed cost of a transaction: then the machine is slow. */
const SIZE_MIN = 16;
const SIZE_MAX = 96;
/** A batch that holds its locks longer shrinks the next ones by this factor. */
const SHRINK = 0.7;

/** The number of intents to decide under one lock: as many as this machine decides in time. */
export class IntentBatchSize {
  #size = SIZE_MIN;

  get intents(): number {
    return Math.floor(this.#size);
  }

  /** Adapts to a batch: `count` intents held their locks for `heldMs`. */
  held(count: number, heldMs: number): void {
    if (heldMs > HELD_MAX_MS) this.#size = Math.max(SIZE_MIN, this.#size * SHRINK);
    else if (count >= this.intents) this.#size = Math.min(SIZE_MAX, this.#size + 2);
  }
}

/** How long locks of accounts may be held for decisions: what people and their brakes wait for. */
const HELD_MAX_MS = 20;
/** Below it, a batch is mostly what every transaction costs: then it is the machine that is slow. */
const SIZE_MIN = 16;
const SIZE_MAX = 96;
/** A batch that holds its locks longer makes the next ones smaller by this. */
const SHRINK = 0.7;

/** How many intents are decided under one lock: as many as this machine decides in time. */
export class BatchSize {
  #size = SIZE_MIN;

  get intents(): number {
    return Math.floor(this.#size);
  }

  /** A batch of so many held its locks for so long. */
  held(count: number, heldMs: number): void {
    if (heldMs > HELD_MAX_MS) this.#size = Math.max(SIZE_MIN, this.#size * SHRINK);
    else if (count >= this.intents) this.#size = Math.min(SIZE_MAX, this.#size + 2);
  }
}

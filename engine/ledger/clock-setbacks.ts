/** The time of a step or fill, and its position in the ledger. */
export type TimedEntry = { readonly seq: string; readonly at: string; readonly is_step: boolean };

/**
 * Finds where the times of an account's ledger contradict its own order, because the clock went back: there times prove
 * nothing, numbers do. It stores two numbers for each step that is earlier than one before it, so none on most days.
 */
export class ClockSetbacks {
  /** Steps that are earlier than one before them, except those with a still earlier one after them: ascending in both. */
  readonly #behind: { seq: bigint; atMs: number }[] = [];
  #latestStepMs = Number.NEGATIVE_INFINITY;
  #latestMs = Number.NEGATIVE_INFINITY;
  #isMonotonic = true;
  #entries = 0;

  /** Takes the next entry of the ledger. */
  note({ seq, at, is_step }: TimedEntry): void {
    const atMs = Date.parse(at);
    this.#entries++;
    this.#isMonotonic &&= atMs >= this.#latestMs;
    this.#latestMs = Math.max(this.#latestMs, atMs);
    if (is_step) this.#noteStep(BigInt(seq), atMs);
  }

  /** The number of steps and fills. */
  get entries(): number {
    return this.#entries;
  }

  /** Whether no entry is earlier than one before it. */
  get isMonotonic(): boolean {
    return this.#isMonotonic;
  }

  /** Whether a step after this position is earlier. */
  isLaterThanSuccessor({ seq, at }: Pick<TimedEntry, 'seq' | 'at'>): boolean {
    const next = this.#behind[this.#firstAfter(BigInt(seq))];
    return next !== undefined && next.atMs < Date.parse(at);
  }

  #noteStep(seq: bigint, atMs: number): void {
    if (atMs < this.#latestStepMs) {
      while ((this.#behind.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= atMs) this.#behind.pop();
      this.#behind.push({ seq, atMs });
    }
    this.#latestStepMs = Math.max(this.#latestStepMs, atMs);
  }

  #firstAfter(seq: bigint): number {
    let [from, to] = [0, this.#behind.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#behind[middle]?.seq ?? seq) > seq) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/** Thins a complete line as {@link Thinner} does. */
export function thinned<Row>(rows: readonly Row[], max: number, read: (row: Row) => number): Row[] {
  const thinner = new Thinner(rows.length, max, read);
  for (const row of rows) thinner.add(row);
  return thinner.end();
}

/**
 * Thins a line of `total` points as they arrive. The first and the last stay, and the lowest and the highest of each span
 * between them. No fall and no peak is lost. Never returns more than `max` points (4 or more).
 */
export class Thinner<Row> {
  readonly #total: number;
  readonly #stretch: number;
  readonly #read: (row: Row) => number;
  readonly #rows: Row[] = [];
  #seen = 0;
  #low: IndexedRow<Row> | null = null;
  #high: IndexedRow<Row> | null = null;

  constructor(total: number, max: number, read: (row: Row) => number) {
    this.#total = total;
    this.#read = read;
    this.#stretch = total <= max ? 1 : Math.ceil((total - 2) / Math.floor((max - 2) / 2));
  }

  add(row: Row): void {
    const at = this.#seen++;
    if (at === 0 || this.#stretch === 1) {
      this.#rows.push(row);
      return;
    }
    if (at === this.#total - 1) {
      this.#close();
      this.#rows.push(row);
      return;
    }
    const worth = this.#read(row);
    if (this.#low === null || worth < this.#low.worth) this.#low = { at, worth, row };
    if (this.#high === null || worth > this.#high.worth) this.#high = { at, worth, row };
    if (at % this.#stretch === 0) this.#close();
  }

  end(): Row[] {
    this.#close();
    return this.#rows;
  }

  #close(): void {
    if (this.#low === null || this.#high === null) return;
    const ordered = this.#low.at < this.#high.at ? [this.#low, this.#high] : [this.#high, this.#low];
    this.#rows.push(...(this.#low.at === this.#high.at ? [this.#low.row] : ordered.map(({ row }) => row)));
    this.#low = null;
    this.#high = null;
  }
}

type IndexedRow<Row> = { readonly at: number; readonly worth: number; readonly row: Row };

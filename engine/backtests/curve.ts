import type { EquityPartRow } from '../backtest/result.ts';
import type { Work } from '../context.ts';
import { allRows, countRows } from './read.ts';

/** The equity of a result in at most `max` points (4 or more). @throws nothing of its own. */
export async function equityCurve(work: Work, id: string, max: number): Promise<EquityPartRow[]> {
  const { equity: total } = await countRows(work, id);
  const thinner = new Thinner(total, max);
  for await (const rows of allRows(work, id, 'equity')) for (const row of rows) thinner.add(row);
  return thinner.end();
}

/**
 * Thins a line of `total` points as they come: the first and the last stay, and of each stretch between them its lowest and
 * its highest, so that no fall and no peak is lost. Never more than `max` (4 or more).
 */
export class Thinner {
  readonly #total: number;
  readonly #stretch: number;
  readonly #kept: EquityPartRow[] = [];
  #seen = 0;
  #low: Place | null = null;
  #high: Place | null = null;

  constructor(total: number, max: number) {
    this.#total = total;
    this.#stretch = total <= max ? 1 : Math.ceil((total - 2) / Math.floor((max - 2) / 2));
  }

  add(row: EquityPartRow): void {
    const at = this.#seen++;
    if (at === 0 || this.#stretch === 1) {
      this.#kept.push(row);
      return;
    }
    if (at === this.#total - 1) {
      this.#close();
      this.#kept.push(row);
      return;
    }
    const worth = Number(row.equity);
    if (this.#low === null || worth < this.#low.worth) this.#low = { at, worth, row };
    if (this.#high === null || worth > this.#high.worth) this.#high = { at, worth, row };
    if (at % this.#stretch === 0) this.#close();
  }

  end(): EquityPartRow[] {
    this.#close();
    return this.#kept;
  }

  #close(): void {
    if (this.#low === null || this.#high === null) return;
    const ordered = this.#low.at < this.#high.at ? [this.#low, this.#high] : [this.#high, this.#low];
    this.#kept.push(...(this.#low.at === this.#high.at ? [this.#low.row] : ordered.map(({ row }) => row)));
    this.#low = null;
    this.#high = null;
  }
}

type Place = { readonly at: number; readonly worth: number; readonly row: EquityPartRow };

import type { Side } from '../../../db/vocabulary.ts';

/** Thins a complete list of fills as {@link FillThinner} does. */
export function thinnedFills<Row extends { readonly side: Side }>(rows: readonly Row[], max: number): Row[] {
  const thinner = new FillThinner<Row>(max);
  for (const row of rows) thinner.add(row);
  return thinner.end();
}

/**
 * Thins the fills of one instrument as they arrive, by cycle: buys stay with the sells that follow them. Of too many cycles
 * every second stays, and the newest. A cycle too long on its own keeps every second fill. Never returns more than `max` (2 or
 * more).
 */
export class FillThinner<Row extends { readonly side: Side }> {
  readonly #max: number;
  #cycles: Row[][] = [];
  #fillCount = 0;
  #rounds = 0;
  #everyRound = 1;
  #round: Row[] = [];
  #fills = 0;
  #everyFill = 1;
  #side: Side | null = null;

  constructor(max: number) {
    this.#max = max;
  }

  add(row: Row): void {
    if (row.side === 'buy' && this.#side === 'sell') this.#close();
    this.#side = row.side;
    if (this.#fills++ % this.#everyFill === 0) this.#round.push(row);
    if (this.#round.length > this.#max / 2) {
      this.#everyFill *= 2;
      this.#round = everySecond(this.#round);
    }
  }

  end(): Row[] {
    this.#thin(this.#max - this.#round.length);
    return [...this.#cycles.flat(), ...this.#round];
  }

  #close(): void {
    if (this.#rounds++ % this.#everyRound === 0) {
      this.#cycles.push(this.#round);
      this.#fillCount += this.#round.length;
    }
    this.#round = [];
    this.#fills = 0;
    this.#everyFill = 1;
    this.#thin(this.#max);
  }

  #thin(max: number): void {
    while (this.#fillCount > max) {
      this.#everyRound *= 2;
      this.#cycles = everySecond(this.#cycles);
      this.#fillCount = this.#cycles.reduce((sum, round) => sum + round.length, 0);
    }
  }
}

const everySecond = <Row>(rows: readonly Row[]): Row[] => rows.filter((_, index) => index % 2 === 0);

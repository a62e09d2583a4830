import { mean } from '../../../books/statistics/moments.ts';
import { missingRatio, ratio } from '../../../books/statistics/ratio.ts';
import type { BacktestSummary } from '../result.ts';

/** The bar whose volume a fill took a part of: its number, and its volume in units. */
export type TakenBar = { readonly index: number; readonly volume: number };

type Taken = { readonly index: number; readonly volume: number; amount: number };

/** Adds up which share of each bar's volume the fills of one side took together. */
export class VolumeTaken {
  readonly #latest = new Map<string, Taken>();
  readonly #shares: number[] = [];
  #unmeasured = 0;

  filled(tokenId: string, side: string, amount: string, bar: TakenBar | null): void {
    if (bar === null || bar.volume <= 0) {
      this.#unmeasured++;
      return;
    }
    const key = `${side} ${tokenId}`;
    const latest = this.#latest.get(key);
    if (latest?.index === bar.index) {
      latest.amount += Number(amount);
      return;
    }
    if (latest !== undefined) this.#shares.push(latest.amount / latest.volume);
    this.#latest.set(key, { ...bar, amount: Number(amount) });
  }

  /** @param allowed share of a bar's volume that orders may take. */
  figures(allowed: number): BacktestSummary['capacity'] {
    const shares = [...this.#shares, ...[...this.#latest.values()].map((each) => each.amount / each.volume)];
    const unmeasured = this.#unmeasured;
    if (shares.length === 0) {
      const none = missingRatio('too_few');
      return { bars: 0, meanShare: none, maxShare: none, roomFactor: none, unmeasured };
    }
    const max = shares.reduce((most, share) => Math.max(most, share), 0);
    return {
      bars: shares.length,
      meanShare: ratio(mean(shares), 'too_few'),
      maxShare: ratio(max, 'too_few'),
      roomFactor: ratio(allowed / max, 'too_few'),
      unmeasured,
    };
  }
}

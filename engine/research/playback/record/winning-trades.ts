import type { Trade } from '../../../books/statistics/trade-tracker.ts';

/** Adds up ended trades that won. Stores three numbers of each, by holding. */
export class WinningTrades {
  /** By holding: entry, exit and result of each trade in turn. */
  readonly #trades = new Map<string, number[]>();
  /** The sum of their results, USD. */
  profit = 0;

  end({
    holding,
    openedAtMs,
    closedAtMs,
    pnl,
  }: Pick<Trade, 'holding' | 'openedAtMs' | 'closedAtMs' | 'pnl'>): void {
    const profit = Number(pnl);
    if (profit <= 0) return;
    this.profit += profit;
    const trades = this.#trades.get(holding) ?? [];
    trades.push(openedAtMs, closedAtMs, profit);
    this.#trades.set(holding, trades);
  }

  /** Returns the sum of the results of a holding's trades with an entry or exit at a matching instant, USD. */
  profitAt(holding: string, matches: (atMs: number) => boolean): number {
    const trades = this.#trades.get(holding) ?? [];
    let sum = 0;
    for (let index = 0; index < trades.length; index += 3)
      if (matches(trades[index] as number) || matches(trades[index + 1] as number))
        sum += trades[index + 2] as number;
    return sum;
  }
}

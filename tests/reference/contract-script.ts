/** The template “Cheap and dear outcome” once more, as a plain loop over the quotes of a contract. */
import type { Row } from './recorded-days.ts';

type Quote = { readonly atMs: number; readonly bid: number | null; readonly ask: number | null };

const CONTRACTS = 20;
/** A difference of rounding is none. */
const TINY = 1e-9;

/** Buys below 40 cents, sells above 55, at 40 % of loss, and ten minutes before the close. */
export function rangeOfContract(token: string, closeMs: number, quotes: readonly Quote[]): Row[] {
  const rows: Row[] = [];
  let [isLow, before] = [false, null as boolean | null];
  let [held, cost] = [0, 0];
  for (const { atMs, bid, ask } of quotes) {
    const mid = bid === null || ask === null ? null : (bid + ask) / 2;
    if (mid !== null) isLow = mid < (isLow ? 0.45 : 0.4) - TINY;
    const had = held;
    if (held > 0 && bid !== null && bid > 0) {
      const isDear = mid !== null && mid > 0.55 + TINY;
      const isOver = bid <= cost * 0.6 + TINY || closeMs - atMs <= 600_000;
      if (isDear || isOver) {
        rows.push([atMs, isDear ? 'sell' : 'exit', 'sell', token, held, null]);
        held = 0;
      }
    }
    if (mid === null) continue;
    const isFit = had === 0 && (ask as number) - (bid as number) <= 0.05 + TINY;
    if (isLow && !isFit) continue;
    const rises = isLow && before !== true;
    before = isLow;
    if (!rises) continue;
    rows.push([atMs, 'buy', 'buy', token, CONTRACTS, ask]);
    [held, cost] = [CONTRACTS, ask as number];
  }
  return rows;
}

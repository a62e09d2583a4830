/** Templates of prediction markets once more, as plain loops over the quotes of a contract. */
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

/** Buys a fiftieth of the Kelly stake, fee included, at most for 100 USD. The edge at 0.6 must have been above 3 cents for ten seconds. */
export function edgeOfContract(token: string, quotes: readonly Quote[]): Row[] {
  const rows: Row[] = [];
  let [isCheap, since, before] = [false, null as number | null, null as boolean | null];
  let [held, cost, cash] = [0, 0, 10_000];
  for (const { atMs, bid, ask } of quotes) {
    const had = held;
    const worth = cash + held * (bid ?? 0);
    if (held > 0 && bid !== null && bid > 0) {
      if (bid <= cost * 0.6 + TINY || bid >= cost * 1.5 - TINY) {
        rows.push([atMs, 'exit', 'sell', token, held, null]);
        cash += held * bid;
        held = 0;
      }
    }
    if (ask === null) {
      since = null;
      continue;
    }
    const unitCost = ask + 0.07 * ask * (1 - ask);
    const edge = 0.6 - unitCost;
    isCheap = edge > (isCheap ? 0.02 : 0.03) + TINY;
    since = isCheap ? (since ?? atMs) : null;
    const hasLasted = since !== null && atMs - since >= 10_000;
    if (hasLasted && (bid === null || ask - bid > 0.05 + TINY || had >= 200)) continue;
    const rises = hasLasted && before !== true;
    before = hasLasted;
    if (!rises || had > held) continue;
    const kelly = (0.02 * worth * (0.6 - unitCost)) / (1 - unitCost) / unitCost;
    const units = Math.floor(Math.min(kelly, Math.min(100, cash) / ask) + TINY);
    rows.push([atMs, 'buy', 'buy', token, units, ask]);
    cost = (held * cost + units * ask) / (held + units);
    held += units;
    cash -= units * ask;
  }
  return rows;
}

/** Buys ten at each news, the first quote after it, while none are held; sells at 20 % of loss. */
export function newsOfContract(token: string, quotes: readonly Quote[], newsAt: readonly number[]): Row[] {
  const rows: Row[] = [];
  let [heard, wasOn, held, cost] = [0, false, 0, 0];
  for (const [index, { atMs, bid, ask }] of quotes.entries()) {
    const had = held;
    if (held > 0 && bid !== null && bid > 0 && bid <= cost * 0.8 + TINY) {
      rows.push([atMs, 'exit', 'sell', token, held, null]);
      held = 0;
    }
    const arrived = newsAt.filter((at) => at <= atMs).length;
    // A value that is there at the deploy is no arrival, and after a true step comes a false one.
    const isOn = index > 0 && !wasOn && arrived > heard;
    if (!wasOn) heard = arrived;
    wasOn = isOn;
    if (!isOn || had > 0 || bid === null || ask === null || ask - bid > 0.05 + TINY) continue;
    rows.push([atMs, 'buy', 'buy', token, 10, ask]);
    [held, cost] = [10, ask];
  }
  return rows;
}

import { type Exact, exact, ZERO } from '../../platform/decimal.ts';
import { deviation, mean, median, sum, VARIANCE_FLOOR } from './moments.ts';
import { type MissingReason, missingRatio, type Ratio, ratio } from './ratio.ts';
import type { Trade } from './trade-tracker.ts';

/** The figures of ended trades together. Money is a decimal string in USD, times are milliseconds. */
export type TradeFigures = {
  readonly closed: number;
  readonly wins: number;
  readonly losses: number;
  readonly flat: number;
  /** Flat trades are neither won nor lost, and count as trades. */
  readonly winRate: Ratio;
  readonly profitFactor: Ratio;
  /** The mean result of a trade, USD. */
  readonly expectancy: Ratio;
  /** The mean return of a trade on the money paid. */
  readonly meanReturn: Ratio;
  /** The mean return of a trade over the deviation of all: the Sharpe ratio of one trade, of no time. */
  readonly sharpe: Ratio;
  /** {@link expectancy} in mean losses: Van Tharp's R with the mean loss as the risk. */
  readonly expectancyR: Ratio;
  readonly meanWin: Ratio;
  readonly meanLoss: Ratio;
  readonly payoff: Ratio;
  /** System quality number, the count of trades not capped. */
  readonly sqn: Ratio;
  /** With this few trades, luck alone explains {@link sqn}. */
  readonly isSqnUnreliable: boolean;
  readonly best: string | null;
  readonly worst: string | null;
  readonly meanHeldMs: Ratio;
  readonly medianHeldMs: Ratio;
  readonly winsInARowMax: number;
  readonly lossesInARowMax: number;
  /** The chance that as many trades, won as often and in no order, have as long a row of wins. */
  readonly winsInARowChance: Ratio;
  readonly lossesInARowChance: Ratio;
  /** The five best trades over the result of all; above 1, the others lost. */
  readonly bestFiveShare: Ratio;
  readonly fees: string;
  /** Fees of all trades over the gross profit of the winning ones. */
  readonly feesOfGross: Ratio;
};

/** With fewer trades {@link TradeFigures.sqn} is unreliable. */
const RELIABLE_FROM = 30;
const BEST = 5;

/** Adds trades up as they end. */
export class TradeTotals {
  // Three numbers a trade, for figures that need all trades. As columns, 100,000 trades take 2.4 MB.
  readonly #pnls: number[] = [];
  readonly #heldMs: number[] = [];
  readonly #onPaid: number[] = [];
  #won = ZERO;
  #lost = ZERO;
  #wonGross = ZERO;
  #fees = ZERO;
  #counts = { wins: 0, losses: 0, flat: 0 };
  #row = { wins: 0, losses: 0 };
  #longest = { wins: 0, losses: 0 };
  #best: Exact | null = null;
  #worst: Exact | null = null;

  add({ pnl: pnlText, fees, bought, openedAtMs, closedAtMs }: Trade): void {
    const pnl = exact(pnlText);
    const [result, paid] = [Number(pnlText), Number(bought)];
    this.#pnls.push(result);
    this.#heldMs.push(closedAtMs - openedAtMs);
    this.#onPaid.push(paid === 0 ? 0 : result / paid);
    this.#fees = this.#fees.plus(fees);
    const gross = pnl.plus(fees);
    if (gross.gt(0)) this.#wonGross = this.#wonGross.plus(gross);
    if (this.#best === null || pnl.gt(this.#best)) this.#best = pnl;
    if (this.#worst === null || pnl.lt(this.#worst)) this.#worst = pnl;
    this.#count(pnl);
  }

  #count(pnl: Exact): void {
    const { wins, losses } = this.#row;
    if (pnl.gt(0)) {
      this.#counts.wins++;
      this.#won = this.#won.plus(pnl);
      this.#row = { wins: wins + 1, losses: 0 };
    } else if (pnl.lt(0)) {
      this.#counts.losses++;
      this.#lost = this.#lost.minus(pnl);
      this.#row = { wins: 0, losses: losses + 1 };
    } else {
      this.#counts.flat++;
      this.#row = { wins: 0, losses: 0 };
    }
    this.#longest = {
      wins: Math.max(this.#longest.wins, this.#row.wins),
      losses: Math.max(this.#longest.losses, this.#row.losses),
    };
  }

  figures(): TradeFigures {
    const { wins, losses, flat } = this.#counts;
    const closed = this.#pnls.length;
    const noLoss: MissingReason = closed === 0 ? 'no_trades' : 'no_losses';
    const noWin: MissingReason = closed === 0 ? 'no_trades' : 'no_wins';
    const all = this.#won.minus(this.#lost).toNumber();
    const meanWin = over(this.#won.toNumber(), wins, noWin);
    const meanLoss = over(this.#lost.toNumber(), losses, noLoss);
    const expectancy = over(all, closed, 'no_trades');
    return {
      closed,
      wins,
      losses,
      flat,
      winRate: over(wins, closed, 'no_trades'),
      profitFactor: over(this.#won.toNumber(), this.#lost.toNumber(), noLoss),
      expectancy,
      meanReturn: over(sum(this.#onPaid), closed, 'no_trades'),
      sharpe: perDeviation(this.#onPaid),
      expectancyR: overRatio(expectancy, meanLoss),
      meanWin,
      meanLoss,
      payoff: overRatio(meanWin, meanLoss),
      sqn: perDeviation(this.#pnls, Math.sqrt(closed)),
      isSqnUnreliable: closed < RELIABLE_FROM,
      best: this.#best?.toFixed() ?? null,
      worst: this.#worst?.toFixed() ?? null,
      meanHeldMs: closed === 0 ? missingRatio('no_trades') : ratio(mean(this.#heldMs), 'no_trades'),
      medianHeldMs: closed === 0 ? missingRatio('no_trades') : ratio(median(this.#heldMs), 'no_trades'),
      winsInARowMax: this.#longest.wins,
      lossesInARowMax: this.#longest.losses,
      winsInARowChance: chanceOfRow(this.#longest.wins, wins / closed, closed, [noWin, noLoss]),
      lossesInARowChance: chanceOfRow(this.#longest.losses, losses / closed, closed, [noLoss, noWin]),
      bestFiveShare: bestShareOf(this.#pnls, all),
      fees: this.#fees.toFixed(),
      feesOfGross: over(this.#fees.toNumber(), this.#wonGross.toNumber(), noWin),
    };
  }
}

const over = (part: number, whole: number, reason: MissingReason): Ratio =>
  whole === 0 ? missingRatio(reason) : ratio(part / whole, reason);

function overRatio(part: Ratio, whole: Ratio): Ratio {
  if (part.value === null) return part;
  return whole.value === null ? whole : over(part.value, whole.value, 'no_losses');
}

function perDeviation(values: readonly number[], scale = 1): Ratio {
  if (values.length < 2) return missingRatio(values.length === 0 ? 'no_trades' : 'too_few');
  const spread = deviation(values);
  return spread < VARIANCE_FLOOR
    ? missingRatio('zero_variance')
    : ratio((scale * mean(values)) / spread, 'zero_variance');
}

function bestShareOf(pnls: readonly number[], all: number): Ratio {
  if (pnls.length === 0) return missingRatio('no_trades');
  if (all <= 0) return missingRatio('no_gain');
  if (pnls.length <= BEST) return missingRatio('too_few');
  const best = pnls.toSorted((a, b) => b - a).slice(0, BEST);
  return ratio(sum(best) / all, 'no_gain');
}

/**
 * Returns the chance of a row of `length` hits or more in independent trades (Feller 1968, XIII.7). The first such row ends with
 * trade `n + 1` if a miss and `length` hits come last, after trades without one. So the chance of none is
 * `q(n + 1) = q(n) − q(n − length) p^length (1 − p)`.
 */
function chanceOfRow(
  length: number,
  p: number,
  trades: number,
  [never, always]: readonly [MissingReason, MissingReason],
): Ratio {
  if (trades === 0) return missingRatio('no_trades');
  if (p === 0 || p === 1) return missingRatio(p === 0 ? never : always);
  if (trades < RELIABLE_FROM) return missingRatio('too_few');
  const row = p ** length;
  const without = new Float64Array(trades + 1).fill(1);
  without[length] = 1 - row;
  for (let n = length; n < trades; n++)
    without[n + 1] = (without[n] ?? 0) - (without[n - length] ?? 0) * row * (1 - p);
  return ratio(Math.min(1, Math.max(0, 1 - (without[trades] ?? 0))), 'zero_variance');
}

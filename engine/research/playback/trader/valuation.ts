import type { AccountDayRow } from '../../../books/accounting/booking.ts';
import { utcDay } from '../../../platform/clock/utc-day.ts';
import { type Exact, exact, floorTo, MONEY_PLACES, ZERO } from '../../../platform/decimal.ts';
import { valueAt } from '../../../platform/valuation.ts';
import { rulesOf } from '../../../risk/rule-limits.ts';
import type { PaperAccount } from '../../account/paper-account.ts';
import type { Worth } from '../record/recorder.ts';
import type { SimulatedMarkets } from './simulated-markets.ts';

type Held = {
  readonly tokenId: string;
  readonly units: Exact;
  readonly amount: number;
  readonly cost: number;
  /** Lowest and highest bid since the last trade. */
  low: number;
  high: number;
};

/** Above this share of its limit, the loss of the day is computed exactly. */
const NEAR = 0.999;
const DAY_MS = 86_400_000;

const LAST_PLACE = exact(`1e-${MONEY_PLACES}`);

/** Returns the decimal of a price, cut to the places of the ledger. */
function priceOf(bid: number): Exact {
  const price = exact(bid);
  return price.decimalPlaces() <= MONEY_PLACES ? price : floorTo(price, LAST_PLACE);
}

/** Values a simulated account along the tape. Reads its rows again only after a trade. */
export class Valuation {
  readonly #account: PaperAccount;
  readonly #market: SimulatedMarkets;
  readonly #lossMax: number;
  readonly #hasDrawdownStop: boolean;
  #cashText = '';
  #cash = ZERO;
  #held: readonly Held[] = [];
  #isDue = true;
  #dayNumber = Number.NaN;
  #day = '';
  /** The row of the day as last read, and its result without holdings. */
  #dayRow: AccountDayRow | null = null;
  #dayResult = 0;

  constructor(account: PaperAccount, market: SimulatedMarkets) {
    this.#account = account;
    this.#market = market;
    const { maxDailyLoss, maxDrawdown } = rulesOf(account.rows.rules);
    this.#lossMax = Number(maxDailyLoss);
    this.#hasDrawdownStop = maxDrawdown !== undefined;
  }

  /** Notes a trade. */
  traded(): void {
    this.#isDue = true;
  }

  get holdsAnything(): boolean {
    this.#refresh();
    return this.#held.length > 0;
  }

  holds(tokenId: string): boolean {
    this.#refresh();
    return this.#held.some((each) => each.tokenId === tokenId);
  }

  /** Returns the average cost of one held unit; null without a holding. */
  costOf(tokenId: string): number | null {
    this.#refresh();
    const held = this.#held.find((each) => each.tokenId === tokenId);
    return held === undefined ? null : held.cost / held.amount;
  }

  at(atMs: number): Worth {
    this.#refresh();
    let held = ZERO;
    for (const each of this.#held) {
      const bid = this.#bidOf(each.tokenId, atMs);
      if (bid === null) continue;
      if (bid < each.low) each.low = bid;
      if (bid > each.high) each.high = bid;
      held = held.plus(valueAt(each.units, priceOf(bid)));
    }
    return { equity: this.#cash.plus(held), held };
  }

  /** Returns the extremes of a holding since its last trade; null if there were no prices. */
  extremesOf(tokenId: string): { low: number; high: number } | null {
    const held = this.#held.find((each) => each.tokenId === tokenId);
    return held === undefined || held.low > held.high ? null : held;
  }

  /** Whether a stop of the account may have been reached. A fast check that is never too late. */
  isNearStop(atMs: number): boolean {
    if (this.#hasDrawdownStop && this.holdsAnything) return true;
    const day = this.#account.rows.days.get(this.dayOf(atMs));
    if (day === undefined || this.#account.rows.account.tripped_at !== null) return false;
    if (day !== this.#dayRow) {
      this.#dayRow = day;
      this.#dayResult = Number(day.realized_pnl) - Number(day.opening_unrealized_pnl);
    }
    let result = this.#dayResult;
    for (const { tokenId, amount, cost } of this.#held) {
      const bid = this.#bidOf(tokenId, atMs);
      if (bid !== null) result += amount * bid - cost;
    }
    return result <= -this.#lossMax * NEAR;
  }

  isDayOpen(atMs: number): boolean {
    return this.#account.rows.days.has(this.dayOf(atMs));
  }

  dayOf(atMs: number): string {
    const number = Math.floor(atMs / DAY_MS);
    if (number !== this.#dayNumber) {
      this.#dayNumber = number;
      this.#day = utcDay(new Date(atMs));
    }
    return this.#day;
  }

  /** Returns the value of a unit: the service's mark of recorded quotes, else the bid. */
  #bidOf(tokenId: string, atMs: number): number | null {
    if (!this.#market.isRecorded(tokenId)) return this.#market.bidOf(tokenId, atMs);
    const mark = this.#account.rows.quotes.get(tokenId)?.mark_price ?? null;
    return mark === null ? null : Number(mark);
  }

  #refresh(): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    const { rows } = this.#account;
    if (rows.account.cash !== this.#cashText) {
      this.#cashText = rows.account.cash;
      this.#cash = exact(this.#cashText);
    }
    this.#held = [...rows.positions.values()]
      .filter(({ amount }) => Number(amount) > 0)
      .map(({ token_id, amount, total_cost }) => ({
        tokenId: token_id,
        units: exact(amount),
        amount: Number(amount),
        cost: Number(total_cost),
        low: Number.POSITIVE_INFINITY,
        high: Number.NEGATIVE_INFINITY,
      }));
  }
}

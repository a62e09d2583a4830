import { EQUITY_PERIOD_MS } from '../../books/accounting/equity.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import { Exact, exact, ZERO } from '../../platform/decimal.ts';
import type { BooksSnapshot } from '../rebuilt-books.ts';
import type { Report, StoredBooks } from '../rows.ts';

const DAY_MS = 86_400_000;

/**
 * Checks that a day has begun, and opened at no greater loss than all that was paid for its holdings. The exact loss
 * depends on marks, which only receipts store. Where times prove nothing (`isTimed`), the bound is all that was ever held.
 */
export class DayCheck {
  readonly #days: readonly { day: string; startMs: number; opening: string }[];
  readonly #isTimed: boolean;
  readonly #costOf = new Map<string, Exact>();
  #mostEver = ZERO;
  /** The first day that later entries may still belong to. */
  #next = 0;

  constructor(days: StoredBooks['days'], isTimed: boolean) {
    this.#isTimed = isTimed;
    this.#days = days
      .map(({ day, opening_unrealized_pnl }) => ({
        day,
        startMs: Date.parse(`${day}T00:00:00Z`),
        opening: opening_unrealized_pnl,
      }))
      .sort((a, b) => a.startMs - b.startMs);
  }

  /** Takes the values of the books, which held until `untilMs`: an entry of a day's first instant may follow its opening. */
  saw({ totalCost }: BooksSnapshot, untilMs: number): void {
    this.#mostEver = Exact.max(this.#mostEver, totalCost);
    for (let index = this.#next; index < this.#days.length; index++) {
      const day = this.#days[index];
      if (day === undefined || day.startMs > untilMs) return;
      this.#costOf.set(day.day, Exact.max(this.#costOf.get(day.day) ?? ZERO, totalCost));
      if (day.startMs + DAY_MS < untilMs) this.#next = index + 1;
    }
  }

  /** @param latestMs The latest time of any entry. */
  check(latestMs: number, report: Report): void {
    const latest = utcDay(new Date(latestMs));
    for (const { day, opening } of this.#days) {
      if (day > latest) report('account_day', day, 'day', `${latest} or before`, day);
      const cost = this.#isTimed ? (this.#costOf.get(day) ?? ZERO) : this.#mostEver;
      if (exact(opening).lt(cost.negated()))
        report('account_day', day, 'openingUnrealizedPnl', `${cost.negated().toFixed()} or more`, opening);
    }
  }
}

type Point = StoredBooks['equityPoints'][number] & { startMs: number; key: string };

/**
 * Checks points of the curve: each is cash and realized profit of its five minutes, plus the holdings at some mark. Where
 * times prove nothing (`isTimed`), the values may be of any time.
 */
export class EquityCurveCheck {
  readonly #points: readonly Point[];
  readonly #isTimed: boolean;
  readonly #report: Report;
  /** Where times prove nothing: points that matched no moment yet. */
  readonly #unseen: Map<string, Point[]>;
  /** Points whose five minutes have begun, and the first point whose minutes have not. */
  #open: Point[] = [];
  #next = 0;

  /** @param points By time. */
  constructor(points: StoredBooks['equityPoints'], isTimed: boolean, report: Report) {
    this.#isTimed = isTimed;
    this.#report = report;
    this.#points = points.map((point) => {
      const cost = exact(point.equity).minus(point.cash).minus(point.unrealized_pnl);
      const key = keyOf({ cash: exact(point.cash), realizedPnl: exact(point.realized_pnl), totalCost: cost });
      return { ...point, startMs: Date.parse(point.at), key };
    });
    this.#unseen = isTimed ? new Map() : Map.groupBy(this.#points, ({ key }) => key);
  }

  /** Takes the values of the books, which held until `untilMs`: an entry of that instant may follow a point's reading. */
  saw(moment: BooksSnapshot, untilMs: number): void {
    if (!this.#isTimed) {
      this.#unseen.delete(keyOf(moment));
      return;
    }
    for (; ; this.#next++) {
      const point = this.#points[this.#next];
      if (point === undefined || point.startMs > untilMs) break;
      this.#open.push(point);
    }
    const key = keyOf(moment);
    const unmatched = this.#open.filter((point) => point.key !== key);
    const isExhausted = ({ startMs }: Point) => startMs + EQUITY_PERIOD_MS < untilMs;
    for (const point of unmatched.filter(isExhausted)) this.#differs(point);
    this.#open = unmatched.filter((point) => !isExhausted(point));
  }

  /** Ends the check: no entry follows. */
  end(): void {
    for (const point of [...this.#unseen.values()].flat()) this.#differs(point);
  }

  #differs({ at, equity, cash, realized_pnl, unrealized_pnl }: Point): void {
    this.#report(
      'equity_point',
      at,
      'equity',
      'cash, realized profit and cost of that time',
      `equity ${equity}, cash ${cash}, realized ${realized_pnl}, unrealized ${unrealized_pnl}`,
    );
  }
}

const keyOf = ({ cash, realizedPnl, totalCost }: Omit<BooksSnapshot, 'atMs'>): string =>
  [cash, realizedPnl, totalCost].map((amount) => amount.toFixed()).join(' ');

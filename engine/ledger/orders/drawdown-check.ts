import { Exact, exact } from '../../platform/decimal.ts';
import type { Receipt } from '../../risk/receipt.ts';
import type { Drawdown } from '../../risk/risk-inputs.ts';
import type { Report, StoredBooks } from '../rows.ts';
import { drawdownTripTimesSeenAt } from './stop-trips-in-audit-trail.ts';

type DrawdownOpening = Pick<
  StoredBooks,
  'accountId' | 'watches' | 'stops' | 'watch' | 'rules' | 'ruleChanges'
>;

type SeenMark = { readonly sinceMs: number; readonly mark: Exact };

/**
 * Checks the drawdown stop on receipts. When it is turned on, its high-water mark is the account's profit, and it only
 * rises. How far it rose depends on marks that are not stored. The distance below the mark is computed again from the books.
 */
export class DrawdownCheck {
  readonly #opening: DrawdownOpening;
  readonly #report: Report;
  #last: SeenMark | null = null;

  constructor(opening: DrawdownOpening, report: Report) {
    this.#opening = opening;
    this.#report = report;
  }

  /** The drawdown that a decision saw, by the books of its moment. */
  at(orderId: string, receipt: Receipt, booked: { realized: Exact; unrealized: Exact }): Drawdown | null {
    const { drawdown, rules } = receipt;
    const isOn = rules.maxDrawdown !== undefined;
    const differs = (field: string, expected: string, actual: string) =>
      this.#report('trade_order', orderId, `${field} on the receipt`, expected, actual);
    if ((drawdown !== undefined) !== isOn)
      differs('drawdown', isOn ? 'given' : 'absent', isOn ? 'absent' : 'given');
    if (drawdown === undefined) return null;
    if (!booked.realized.eq(drawdown.realizedPnl))
      differs('realizedPnl of the drawdown', booked.realized.toFixed(), drawdown.realizedPnl);
    const possible = drawdownTripTimesSeenAt(this.#opening, new Date(receipt.decidedAt));
    if (!possible.includes(drawdown.trippedAt))
      differs(
        'trippedAt of the drawdown',
        possible.map((at) => at ?? 'none').join(' or '),
        drawdown.trippedAt ?? 'none',
      );
    const mark = exact(drawdown.highWaterMark);
    this.#compareMark({ sinceMs: Date.parse(drawdown.since), mark }, (expected) =>
      differs('highWaterMark', expected, drawdown.highWaterMark),
    );
    return {
      below: Exact.max(mark.minus(booked.realized).minus(booked.unrealized), 0),
      trippedAt: drawdown.trippedAt === null ? null : new Date(drawdown.trippedAt),
    };
  }

  /** Ends the check: the current high-water mark is no lower than the last one on a receipt. */
  end(): void {
    const { watch, rules, accountId } = this.#opening;
    const isOn = rules?.max_drawdown != null;
    const differs = (expected: string, actual: string) =>
      this.#report('drawdown_watch', accountId, 'highWaterMark', expected, actual);
    if ((watch !== undefined) !== isOn) differs(isOn ? 'a row' : 'no row', isOn ? 'none' : 'one');
    if (watch === undefined) return;
    const mark = exact(watch.high_water_mark);
    this.#compareMark({ sinceMs: Date.parse(watch.since), mark }, (expected) =>
      differs(expected, mark.toFixed()),
    );
  }

  #compareMark(seen: SeenMark, differs: (expected: string) => void): void {
    const begun = this.#opening.watches.find(({ at }) => Date.parse(at) === seen.sinceMs);
    const first = (begun?.after as { highWaterMark?: string } | null | undefined)?.highWaterMark;
    if (first === undefined) {
      differs('one that the audit trail begins');
      return;
    }
    const known = this.#last?.sinceMs === seen.sinceMs ? this.#last.mark : exact(first);
    if (seen.mark.lt(known)) differs(`${known.toFixed()} or more`);
    this.#last = { sinceMs: seen.sinceMs, mark: Exact.max(seen.mark, known) };
  }
}

import { compareAccount, compareOrder, comparePositions } from './compare-stored-books.ts';
import { checkFillCashEntries } from './money/check-fill-cash-entries.ts';
import { checkInitialDeposit, checkOpeningTimes } from './money/check-positions-and-deposit.ts';
import { PayoutAuditCheck } from './money/payout-audit-check.ts';
import { auditedWriteOffs, compareWriteOffWithAudit } from './money/write-offs.ts';
import { checkDispatchIds } from './orders/check-dispatch-ids.ts';
import { checkFillAgainstOrder } from './orders/check-fill.ts';
import { checkNodeFirings } from './orders/check-node-firings.ts';
import { checkOrderAgainstTransitions } from './orders/check-order-history.ts';
import { checkSellAllocations } from './orders/check-sell-allocations.ts';
import { checkDecision, type DecisionContext, termsBeforeReduction } from './orders/decisions.ts';
import { checkDigest } from './orders/digests.ts';
import { DrawdownCheck } from './orders/drawdown-check.ts';
import { DayCheck, EquityCurveCheck } from './orders/equity-checks.ts';
import { isLegacyReceipt } from './orders/legacy-receipt.ts';
import { checkLiveReceipt } from './orders/live-receipt.ts';
import { checkTransition, decisionOfTransition } from './orders/order-transitions.ts';
import { PaperVenueCheck } from './orders/paper-venue-check.ts';
import { checkEventNumbering, checkReleaseHash, checkSettlement } from './orders/settlement-event-release.ts';
import { compareDailyLossTrip } from './orders/stop-trips-in-audit-trail.ts';
import { type BookedOrder, RebuiltBooks } from './rebuilt-books.ts';
import type {
  Difference,
  FillEntry,
  InstrumentRow,
  LedgerPage,
  Report,
  StepRow,
  StoredBooks,
} from './rows.ts';
import { auditRowsByEntry, compareMoveWithAudit, compareTransfersWithAudit } from './trails/audited-moves.ts';
import { checkRulesAgainstAudit } from './trails/check-rule-history.ts';
import { checkReceiptRules, ruleVersions } from './trails/rule-versions.ts';

/**
 * Rebuilds the books of one account from pages of its rows in the order of the ledger. Reports every difference, also in
 * related tables. The result does not depend on where pages end. It holds only orders that still have entries to come. Pure.
 */
export class BooksVerification {
  readonly #opening: StoredBooks;
  readonly #around: DecisionContext;
  readonly #books: RebuiltBooks;
  readonly #versions: ReturnType<typeof ruleVersions>;
  readonly #writeOffs: ReturnType<typeof auditedWriteOffs>;
  readonly #payouts: PayoutAuditCheck;
  readonly #days: DayCheck;
  readonly #curve: EquityCurveCheck;
  /** The rules version of the decision before. */
  #rulesVersion = 0;
  /** Whether every receipt so far is of the first edition. */
  #isFirst = true;
  readonly #statedMoves: ReturnType<typeof auditRowsByEntry>;
  /** The number of cash movements before the current position in the ledger. */
  #moved = 0;
  /** Latest time of a step so far, and of anything. */
  #latestStepMs = Number.NEGATIVE_INFINITY;
  #latestMs: number;
  #found: Difference[] = [];

  constructor(opening: StoredBooks) {
    this.#opening = opening;
    this.#around = {
      ...opening,
      firstTerms: termsBeforeReduction(opening.reductions),
      drawdowns: new DrawdownCheck(opening, this.#report),
    };
    this.#books = new RebuiltBooks(opening, this.#report);
    this.#versions = ruleVersions(opening);
    this.#writeOffs = auditedWriteOffs(opening.writeOffs);
    this.#payouts = new PayoutAuditCheck(opening.payouts);
    this.#statedMoves = auditRowsByEntry(opening.statedMoves);
    this.#days = new DayCheck(opening.days, opening.timeOrder.isMonotonic);
    this.#curve = new EquityCurveCheck(opening.equityPoints, opening.timeOrder.isMonotonic, this.#report);
    this.#latestMs = opening.readAt.getTime();
  }

  /** Takes the next page, and returns its differences. */
  take(page: LedgerPage): Difference[] {
    const venue = this.#opening.hasPaperOrders ? new PaperVenueCheck(page) : null;
    const instruments = new Map(page.instruments.map((each) => [each.token_id, each]));
    for (const first of page.orders) {
      const order = this.#books.open(first);
      if (first.entries === 0) this.#end(order, venue);
    }
    for (const entry of page.entries) {
      this.#bookMovesBefore(BigInt('step' in entry ? entry.step.seq : entry.fill.seq));
      const id = 'step' in entry ? entry.step.order_id : entry.fill.order_id;
      const order = this.#books.order(id);
      if ('step' in entry) this.#step(entry.step, order);
      else this.#fill(entry, instruments, venue);
      if (order !== undefined && --order.entriesLeft === 0) this.#end(order, venue);
    }
    for (const release of page.releases) checkReleaseHash(release, this.#report);
    for (const { subject, id } of page.strays)
      this.#report(subject, id, 'row', 'the order or fill it is of', 'gone');
    return this.#taken();
  }

  /** Compares facts that are known only after the last page. */
  end(): Difference[] {
    const [opening, books] = [this.#opening, this.#books];
    this.#bookMovesBefore(null);
    this.#recordUntil(Number.POSITIVE_INFINITY);
    this.#curve.end();
    this.#around.drawdowns.end();
    this.#payouts.end(this.#report);
    this.#days.check(this.#latestMs, this.#report);
    comparePositions(opening, books, this.#report);
    compareAccount(opening, books, this.#report);
    checkRulesAgainstAudit(opening, this.#report);
    compareDailyLossTrip(opening, this.#report);
    compareTransfersWithAudit(opening.moves, this.#statedMoves, this.#report);
    for (const prove of opening.auditTrailChecks) prove(this.#report);
    checkOpeningTimes(opening, books, this.#report);
    checkInitialDeposit(opening, this.#report);
    checkEventNumbering(opening, this.#report);
    checkNodeFirings(opening.origins, this.#report);
    return this.#taken();
  }

  #step(step: StepRow, order: BookedOrder | undefined): void {
    const atMs = Date.parse(step.at);
    const isTimed = atMs >= this.#latestStepMs && !this.#opening.timeOrder.isLaterThanSuccessor(step);
    this.#latestStepMs = Math.max(this.#latestStepMs, atMs);
    this.#latestMs = Math.max(this.#latestMs, atMs);
    if (order === undefined) return;
    checkTransition(order, step, this.#report);
    if (!(order.row.isUnread && (step.from_status === null || step.to_status === 'queued'))) {
      checkDigest(order, step, this.#opening.digestsSince, this.#report);
      this.#decision(order, step, isTimed);
    }
    this.#books.step(order, step);
  }

  #decision(order: BookedOrder, step: StepRow, isTimed: boolean): void {
    const decided = decisionOfTransition(order, step, this.#report);
    if (decided === null) return;
    const { receipt, approval } = decided;
    const inForce = { versions: this.#versions, lastVersion: this.#rulesVersion, isTimed };
    checkReceiptRules(order, receipt, step, inForce, this.#report);
    checkLiveReceipt(this.#opening.mode, this.#books, order, receipt, this.#report);
    checkDecision(this.#around, this.#books, order, receipt, approval, this.#report);
    this.#rulesVersion = receipt.rulesVersion;
    if (isLegacyReceipt(receipt) && !this.#isFirst)
      this.#report('trade_order', order.row.id, 'day of the receipt', 'whether it had tripped', 'left out');
    this.#isFirst &&= isLegacyReceipt(receipt);
  }

  #fill(
    entry: FillEntry,
    instruments: ReadonlyMap<string, InstrumentRow>,
    venue: PaperVenueCheck | null,
  ): void {
    const atMs = Date.parse(entry.fill.applied_at);
    this.#latestMs = Math.max(this.#latestMs, atMs);
    this.#recordUntil(atMs);
    this.#books.fill(entry);
    checkFillCashEntries(entry, this.#report);
    checkFillAgainstOrder(entry, this.#books, this.#report);
    checkSettlement(entry.fill, instruments, this.#report);
    this.#payouts.compare(entry, this.#report);
    compareWriteOffWithAudit(entry.fill, this.#writeOffs, this.#report);
    venue?.compareFillWithOrder(entry.fill, this.#report);
  }

  /** Books the cash movements before a position in the ledger; null: all of them. */
  #bookMovesBefore(seq: bigint | null): void {
    const { moves } = this.#opening;
    for (let move = moves[this.#moved]; move !== undefined; move = moves[this.#moved]) {
      if (seq !== null && BigInt(move.seq ?? 0) > seq) return;
      this.#moved++;
      const atMs = Date.parse(move.at);
      this.#latestMs = Math.max(this.#latestMs, atMs);
      this.#recordUntil(atMs);
      this.#books.move(move);
      compareMoveWithAudit(move, this.#statedMoves, this.#report);
    }
  }

  /** Records that the current values of the books held until `untilMs`. */
  #recordUntil(untilMs: number): void {
    this.#days.saw(this.#books.moment, untilMs);
    this.#curve.saw(this.#books.moment, untilMs);
  }

  /** Ends an order that no entry follows. */
  #end(order: BookedOrder, venue: PaperVenueCheck | null): void {
    compareOrder(order, this.#report);
    checkOrderAgainstTransitions(order, this.#report);
    checkSellAllocations(order, this.#books, this.#report);
    checkDispatchIds(this.#opening.mode, order, this.#report);
    venue?.compareOrder(order, this.#report);
    this.#books.forget(order);
  }

  #taken(): Difference[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  readonly #report: Report = (subject, id, field, expected, actual) => {
    this.#found.push({ accountId: this.#opening.accountId, subject, id, field, expected, actual });
  };
}

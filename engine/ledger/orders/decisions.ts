import { isDeepStrictEqual } from 'node:util';
import { utcDay } from '../../platform/clock/utc-day.ts';
import { Exact, exact, toMoney, ZERO } from '../../platform/decimal.ts';
import { unrealizedAt } from '../../platform/valuation.ts';
import { decide, type ReceiptLine } from '../../risk/decide.ts';
import { staleMarkOf } from '../../risk/mark-age.ts';
import type { Receipt } from '../../risk/receipt.ts';
import type { Aggregates, Approval } from '../../risk/risk-inputs.ts';
import type { Reserved } from '../buy-reserves.ts';
import type { BookedOrder, BookedPosition, RebuiltBooks } from '../rebuilt-books.ts';
import type { Report, StoredBooks } from '../rows.ts';
import type { DrawdownCheck } from './drawdown-check.ts';
import { decideByLegacyRules, isLegacyReceipt } from './legacy-receipt.ts';
import { lossTripTimesSeenAt } from './stop-trips-in-audit-trail.ts';

const RATE_WINDOW_MS = 60_000;

/** The facts that an account's decisions are checked against, in addition to its books. */
export type DecisionContext = Pick<StoredBooks, 'days' | 'trips' | 'ruleChanges'> & {
  readonly drawdowns: DrawdownCheck;
  /** The original terms of orders that later gave back a part, by order id. */
  readonly firstTerms: ReadonlyMap<string | null, FirstTerms>;
};

/** The terms of each order before its first reduction. */
export const termsBeforeReduction = (reductions: StoredBooks['reductions']): DecisionContext['firstTerms'] =>
  new Map(reductions.toReversed().map(({ subject_id, before }) => [subject_id, before as FirstTerms]));

type FirstTerms = { readonly amount: string; readonly size: string; readonly worstFee: string };

/**
 * Evaluates an order again, by the rules of its receipt and the books of that moment. Reports where the receipt or the
 * verdict differs. Marks are taken from the receipt, which is where they are stored.
 */
export function checkDecision(
  around: DecisionContext,
  books: RebuiltBooks,
  order: BookedOrder,
  receipt: Receipt,
  approval: Approval,
  report: Report,
): void {
  const { row } = order;
  const now = new Date(receipt.decidedAt);
  const facts = {
    tokenId: row.token_id,
    side: row.side,
    ...evaluatedTermsOf(around, row, approval),
    approval,
    blueprintId: row.blueprint_id,
    envelope: receipt.envelope,
    route: receipt.passage,
    live: receipt.live,
  };
  const common = aggregatesAt(around, books, order, receipt, now, report);
  const decideThen = isLegacyReceipt(receipt) ? decideByLegacyRules : decide;
  const evaluateWith = (heldAndFree: Exact) =>
    decideThen(receipt.rules, { ...common, heldAndFree }, facts, now);
  const [likely, ...others] = heldAndFreeAt(books, order, approval, now);
  const expected = evaluateWith(likely);
  const agrees = [expected, ...others.map(evaluateWith)].some(
    ({ receipt: lines, verdict }) => verdict === receipt.verdict && sameLines(lines, receipt.lines),
  );
  if (agrees) return;
  report(
    'trade_order',
    row.id,
    `receipt of ${receipt.decidedAt}`,
    inWords(expected.verdict, expected.receipt),
    inWords(receipt.verdict, receipt.lines),
  );
}

/** The evaluated intent: at its creation an order had its size before any reduction. */
function evaluatedTermsOf({ firstTerms }: DecisionContext, row: BookedOrder['row'], approval: Approval) {
  const first = approval.by === 'person' ? undefined : firstTerms.get(row.id);
  const { amount, size, worstFee } = first ?? { ...row, worstFee: row.worst_fee };
  return { amount: exact(amount), size: exact(size), maxFee: exact(worstFee) };
}

const sameLines = (a: readonly ReceiptLine[], b: readonly ReceiptLine[]): boolean =>
  a.length === b.length && a.every((line, index) => isDeepStrictEqual({ ...line }, { ...b[index] }));

const inWords = (verdict: string, lines: readonly ReceiptLine[]): string =>
  `${verdict}: ${lines.map(({ rule, limit, actual, verdict }) => `${rule} ${actual ?? '-'}/${limit} ${verdict}`).join(', ')}`;

function aggregatesAt(
  around: DecisionContext,
  books: RebuiltBooks,
  { row }: BookedOrder,
  receipt: Receipt,
  now: Date,
  report: Report,
): Omit<Aggregates, 'heldAndFree'> {
  const { total: reserved, byToken, byBlueprint } = books.reservedAt(now, row.id);
  const held = books.heldByToken();
  const compare = (field: string, expected: Exact, actual: string) => {
    if (!expected.eq(actual))
      report('trade_order', row.id, `${field} on the receipt`, expected.toFixed(), actual);
  };
  compare('cash', books.cash, receipt.cash);
  compare('reserved', toMoney(reserved), receipt.reserved);
  const unrealized = unrealizedAtMarks(held, row.id, receipt, report);
  return {
    exposures: exposuresOf(held, byToken),
    blueprintStakes: stakesOf(books.positions.values(), byBlueprint),
    queuedLastMinute: books.queuedAfter(now.getTime() - RATE_WINDOW_MS, {
      withSells: isLegacyReceipt(receipt),
    }),
    freeCash: books.cash.minus(toMoney(reserved)),
    dayPnl: dayPnlAt(around, books, unrealized, row.id, receipt, report),
    trippedAt: trippedAt(around, row.id, receipt, report),
    drawdown: around.drawdowns.at(row.id, receipt, { realized: books.realizedPnl, unrealized }),
    staleMark: staleMarkOf(
      receipt.marks.map(({ tokenId, asOf }) => ({ tokenId, markAt: asOf === null ? null : new Date(asOf) })),
      now,
    ),
    lastLossAt: books.lastLossAt,
  };
}

/** Compares the daily loss on the receipt with the trips and rule changes in the audit trail. */
function trippedAt(around: DecisionContext, orderId: string, receipt: Receipt, report: Report): Date | null {
  if (isLegacyReceipt(receipt)) return null;
  const statedTrip = receipt.day.trippedAt;
  const possible = lossTripTimesSeenAt(around, new Date(receipt.decidedAt));
  if (!possible.includes(statedTrip)) {
    const expected = possible.map((at) => at ?? 'none').join(' or ');
    report('trade_order', orderId, 'trippedAt on the receipt', expected, statedTrip ?? 'none');
  }
  return statedTrip === null ? null : new Date(statedTrip);
}

function exposuresOf(
  held: ReturnType<RebuiltBooks['heldByToken']>,
  reserved: Reserved['byToken'],
): Aggregates['exposures'] {
  const exposures = new Map(reserved);
  for (const [tokenId, { totalCost }] of held)
    exposures.set(tokenId, totalCost.plus(exposures.get(tokenId) ?? ZERO));
  return inMoney(exposures);
}

function stakesOf(
  positions: Iterable<BookedPosition>,
  reserved: Reserved['byBlueprint'],
): Aggregates['blueprintStakes'] {
  const stakes = new Map(reserved);
  for (const { amount, blueprintId, totalCost } of positions)
    if (amount.gt(0)) stakes.set(blueprintId, totalCost.plus(stakes.get(blueprintId) ?? ZERO));
  return inMoney(stakes);
}

const inMoney = (sums: ReadonlyMap<string, Exact>): Map<string, Exact> =>
  new Map(Array.from(sums, ([key, usd]) => [key, toMoney(usd)]));

function dayPnlAt(
  { days }: DecisionContext,
  books: RebuiltBooks,
  unrealized: Exact,
  orderId: string,
  receipt: Receipt,
  report: Report,
): Exact {
  const day = utcDay(new Date(receipt.decidedAt));
  const opening = days.find((row) => row.day === day)?.opening_unrealized_pnl;
  if (opening === undefined || !exact(opening).eq(receipt.day.openingUnrealizedPnl)) {
    report(
      'account_day',
      day,
      `opening seen by order ${orderId}`,
      opening ?? 'missing',
      receipt.day.openingUnrealizedPnl,
    );
  }
  const realized = books.realizedByDay.get(day) ?? ZERO;
  if (!realized.eq(receipt.day.realizedPnl)) {
    report('trade_order', orderId, 'realizedPnl on the receipt', realized.toFixed(), receipt.day.realizedPnl);
  }
  return realized.plus(unrealized).minus(receipt.day.openingUnrealizedPnl);
}

/** The unrealized result of all holdings, at the marks of a receipt. */
function unrealizedAtMarks(
  held: ReturnType<RebuiltBooks['heldByToken']>,
  orderId: string,
  receipt: Receipt,
  report: Report,
): Exact {
  const marked = new Map(receipt.marks.map((mark) => [mark.tokenId, mark]));
  let unrealized = ZERO;
  for (const [tokenId, { amount, totalCost }] of held) {
    const mark = marked.get(tokenId);
    if (mark === undefined || !amount.eq(mark.amount)) {
      report(
        'trade_order',
        orderId,
        `amount of ${tokenId} on the receipt`,
        amount.toFixed(),
        mark?.amount ?? 'missing',
      );
    }
    if (mark?.price == null && !isLegacyReceipt(receipt)) continue;
    unrealized = unrealized.plus(unrealizedAt({ amount, totalCost }, exact(mark?.price ?? ZERO)));
  }
  return unrealized;
}

/**
 * The holdings that a sell could draw on. The order does not state whether a person's close was narrowed to one blueprint, so
 * both answers count. An approved close is checked against the positions on its request.
 */
function heldAndFreeAt(
  books: RebuiltBooks,
  { row, allocations }: BookedOrder,
  approval: Approval,
  now: Date,
): [Exact, ...Exact[]] {
  const holdings = [...books.positions.values()].filter(
    ({ tokenId, amount }) => tokenId === row.token_id && amount.gt(0),
  );
  const free = (id: string): Exact => {
    const position = holdings.find((holding) => holding.id === id);
    return position === undefined ? ZERO : Exact.max(books.freeOf(position, now, row.id), ZERO);
  };
  if (approval.by === 'person') {
    return [
      allocations.reduce(
        (sum, { position_id, amount }) => sum.plus(Exact.min(amount, free(position_id))),
        ZERO,
      ),
    ];
  }
  const freeIn = (own: typeof holdings) => own.reduce((sum, { id }) => sum.plus(free(id)), ZERO);
  const narrowed = freeIn(holdings.filter(({ blueprintId }) => blueprintId === row.blueprint_id));
  return row.origin === 'manual' ? [freeIn(holdings), narrowed] : [narrowed];
}

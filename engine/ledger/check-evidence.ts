import { createHash } from 'node:crypto';
import { EQUITY_PERIOD_MS } from '../accounting/equity.ts';
import { type Exact, exact, ZERO } from '../decimal.ts';
import { isFinal } from '../order-states.ts';
import { utcDay } from '../utc-day.ts';
import type { Books, MomentOfBooks, Report } from './books.ts';
import type { Evidence } from './evidence.ts';
import type { LedgerRows } from './rows.ts';

/** Compares the books with all that lies beside them. `isTimed`: whether times say what came first. Pure. */
export function checkEvidence(
  rows: LedgerRows,
  evidence: Evidence,
  books: Books,
  isTimed: boolean,
  report: Report,
): void {
  for (const { subject, id } of evidence.orphans)
    report(subject, id, 'row', 'the order or fill it is of', 'gone');
  checkSettlements(rows, evidence, report);
  checkPaperVenue(rows, evidence, books, report);
  checkDays(rows, evidence, books, isTimed, report);
  checkEquity(evidence, books, isTimed, report);
  checkEvents(rows, evidence, report);
  checkReleases(evidence, report);
}

/** Nothing is paid but what the venue has stated. */
function checkSettlements({ fills }: LedgerRows, { instruments }: Evidence, report: Report): void {
  const stated = new Map(instruments.map((instrument) => [instrument.token_id, instrument.settlement_value]));
  for (const { id, kind, token_id, price } of fills) {
    if (kind !== 'settlement') continue;
    const value = stated.get(token_id) ?? null;
    if (value === null || !exact(value).eq(price))
      report('fill', id, 'settlement price', value ?? 'no value stated', exact(price).toFixed());
  }
}

/** The paper venue's own record: every trade booked is one of its, and every one of its is booked once its order ended. */
function checkPaperVenue(
  { fills }: LedgerRows,
  { paperOrders, paperFills }: Evidence,
  books: Books,
  report: Report,
): void {
  // An account whose orders never reached the paper venue traded with another broker.
  if (paperOrders.length === 0) return;
  const trades = new Map(paperFills.map((trade) => [trade.id, trade]));
  const booked = new Set<string>();
  for (const fill of fills) {
    if (fill.kind !== 'trade') continue;
    const trade = trades.get(fill.venue_trade_id);
    booked.add(fill.venue_trade_id);
    if (trade === undefined)
      report('fill', fill.id, 'venueTradeId', 'a trade of the venue', fill.venue_trade_id);
    else compareWords('fill', fill.id, 'trade of the venue', inWords(trade), inWords(fill), report);
  }
  const filled = new Map<string, Exact>();
  for (const trade of paperFills) {
    filled.set(trade.order_id, (filled.get(trade.order_id) ?? ZERO).plus(trade.amount));
    const order = books.orders.get(trade.order_id);
    const isOver = order !== undefined && order.status !== null && isFinal(order.status);
    if (isOver && !booked.has(trade.id)) report('paper_fill', trade.id, 'booked', inWords(trade), 'never');
  }
  for (const order of paperOrders) {
    const expected = filled.get(order.id) ?? ZERO;
    if (!expected.eq(order.filled_amount))
      report(
        'paper_order',
        order.id,
        'filledAmount',
        expected.toFixed(),
        exact(order.filled_amount).toFixed(),
      );
    const asked = books.orders.get(order.id)?.row;
    if (asked === undefined && books.orders.size === 0) continue;
    if (asked === undefined) report('paper_order', order.id, 'order', 'an order of this account', 'none');
    else compareWords('paper_order', order.id, 'terms', termsOf(asked), termsOf(order), report);
  }
}

type Trade = Pick<
  Evidence['paperFills'][number],
  'order_id' | 'token_id' | 'side' | 'amount' | 'price' | 'fee'
>;
const inWords = ({
  order_id,
  token_id,
  side,
  amount,
  price,
  fee,
}: Omit<Trade, 'order_id'> & { order_id: string | null }) =>
  `${side} ${exact(amount).toFixed()} ${token_id} at ${exact(price).toFixed()}, fee ${exact(fee).toFixed()}, of order ${order_id}`;

type Terms = Pick<Evidence['paperOrders'][number], 'token_id' | 'venue' | 'side' | 'amount' | 'limit_price'>;
const termsOf = ({ token_id, venue, side, amount, limit_price }: Terms) =>
  `${side} ${exact(amount).toFixed()} ${token_id} at ${exact(limit_price).toFixed()} on ${venue}`;

function compareWords(
  subject: string,
  id: string,
  field: string,
  expected: string,
  actual: string,
  report: Report,
): void {
  if (expected !== actual) report(subject, id, field, expected, actual);
}

/**
 * A day has begun, and opened at no greater loss than all that was paid for what was held. Between that and the truth
 * lie marks, which only receipts keep.
 */
function checkDays(
  { days, steps, fills }: LedgerRows,
  { readAt }: Evidence,
  books: Books,
  isTimed: boolean,
  report: Report,
): void {
  const seen = [...steps.map(({ at }) => at), ...fills.map(({ applied_at }) => applied_at)];
  const latest = utcDay(
    new Date(seen.reduce((last, at) => Math.max(last, Date.parse(at)), readAt.getTime())),
  );
  for (const { day, opening_unrealized_pnl } of days) {
    if (day > latest) report('account_day', day, 'day', `${latest} or before`, day);
    const start = Date.parse(`${day}T00:00:00Z`);
    const cost = momentsWithin(books.moments, start, start + 86_400_000, isTimed)
      .map(({ totalCost }) => totalCost)
      .reduce((most, each) => (each.gt(most) ? each : most), ZERO);
    if (exact(opening_unrealized_pnl).lt(cost.negated()))
      report(
        'account_day',
        day,
        'openingUnrealizedPnl',
        `${cost.negated().toFixed()} or more`,
        opening_unrealized_pnl,
      );
  }
}

/** A point of the curve is cash and realized profit of its five minutes, and what was held then at some mark. */
function checkEquity({ equityPoints }: Evidence, books: Books, isTimed: boolean, report: Report): void {
  for (const point of equityPoints) {
    const start = Date.parse(point.at);
    const cost = exact(point.equity).minus(point.cash).minus(point.unrealized_pnl);
    const isTrue = momentsWithin(books.moments, start, start + EQUITY_PERIOD_MS, isTimed).some(
      (moment) =>
        moment.cash.eq(point.cash) && moment.realizedPnl.eq(point.realized_pnl) && moment.totalCost.eq(cost),
    );
    if (!isTrue)
      report(
        'equity_point',
        point.at,
        'equity',
        'cash, realized profit and cost of that time',
        `equity ${point.equity}, cash ${point.cash}, realized ${point.realized_pnl}, unrealized ${point.unrealized_pnl}`,
      );
  }
}

/** What the books said when `startMs` came, and whatever they said until `endMs`; all there was where times prove nothing. */
function momentsWithin(
  moments: readonly MomentOfBooks[],
  startMs: number,
  endMs: number,
  isTimed: boolean,
): readonly MomentOfBooks[] {
  if (!isTimed) return moments;
  const first = Math.max(
    0,
    moments.findLastIndex(({ atMs }) => atMs <= startMs),
  );
  const after = moments.findIndex(({ atMs }) => atMs > endMs);
  return moments.slice(first, after < 0 ? undefined : Math.max(after, first + 1));
}

/** Numbers without a gap from the oldest that is kept to the last that was counted. */
function checkEvents({ accountId }: LedgerRows, { events }: Evidence, report: Report): void {
  const { counted, first, last, rows } = events;
  if (first === null || last === null) return;
  if (last !== counted) report('account_event', accountId, 'last number', counted, last);
  const span = BigInt(last) - BigInt(first) + 1n;
  if (span !== BigInt(rows)) report('account_event', accountId, 'rows', String(span), String(rows));
}

/** A release is the drawing it was made of: its name is the drawing's hash. */
function checkReleases({ releases }: Evidence, report: Report): void {
  for (const { hash, visual } of releases) {
    const actual = createHash('sha256').update(JSON.stringify(visual)).digest('hex');
    if (actual !== hash) report('release_body', hash, 'hash', hash, actual);
  }
}

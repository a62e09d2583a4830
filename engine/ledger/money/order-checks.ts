import { isDeepStrictEqual } from 'node:util';
import { exact } from '../../platform/decimal.ts';
import { isFinal } from '../../platform/order-states.ts';
import { rulesOf } from '../../risk/rule-limits.ts';
import type { RiskRules } from '../../risk/rules/catalogue.ts';
import type { BookedOrder, RebuiltBooks } from '../rebuilt-books.ts';
import type { FillEntry, FillRow, LedgerOrderRow, Report, StepRow, StoredBooks } from '../rows.ts';

type VersionedRules = RiskRules & { version: number };

/** Checks that the rules in force are those of the last change in the audit trail. The trail must lack no change. */
export function checkRulesInForce(
  { accountId, rules, ruleChanges }: Pick<StoredBooks, 'accountId' | 'rules' | 'ruleChanges'>,
  report: Report,
): void {
  if (rules === undefined) {
    report('risk_rules', accountId, 'row', 'the rules of the account', 'gone');
    return;
  }
  const changes = ruleChanges
    .map(({ before, after }) => ({ before: before as VersionedRules, after: after as VersionedRules }))
    .sort((a, b) => a.after.version - b.after.version);
  for (const [index, { before, after }] of changes.entries()) {
    const expected = changes[index - 1]?.after ?? { ...before, version: 1 };
    if (!isDeepStrictEqual(before, expected) || after.version !== before.version + 1)
      report(
        'audit_event',
        accountId,
        `rules of version ${after.version}`,
        inWords(expected),
        inWords(before),
      );
  }
  const current: VersionedRules = { ...rulesOf(rules), version: rules.version };
  const last = changes.at(-1)?.after ?? { ...current, version: 1 };
  if (!isDeepStrictEqual(last, current))
    report('risk_rules', accountId, 'rules', inWords(last), inWords(current));
}

const inWords = (rules: VersionedRules): string => JSON.stringify(rules);

/** Checks an order's own fields except amounts: each moment, reason and name is that of one of its steps. */
export function checkOrderHistory({ row, steps }: Pick<BookedOrder, 'row' | 'steps'>, report: Report): void {
  const taken = steps.toSorted((a, b) => a.number - b.number);
  const compare = (field: string, expected: string | null, actual: string | null) => {
    if (expected !== actual) report('trade_order', row.id, field, expected ?? 'none', actual ?? 'none');
  };
  const at = (status: string) => instantOf(taken.findLast((step) => step.to_status === status)?.at);
  compare('approvedBy', approverOf(row, taken), row.approved_by);
  compare('queuedAt', at('queued'), instantOf(row.queued_at));
  const last = taken.at(-1);
  const end = last !== undefined && isFinal(last.to_status) ? last : null;
  compare('endedAt', instantOf(end?.at), instantOf(row.ended_at));
  if (last?.digest != null) compare('expiresAt', instantOf(last.expires_at), instantOf(row.expires_at));
  // Before its end an order also states why its cancel was requested, which is no step.
  if (end !== null) compare('reason', end.reason, row.reason);
}

/** The approver: the actor who took the order out of `pending`, or the requester whose request was its own approval. */
function approverOf(row: LedgerOrderRow, taken: readonly StepRow[]): string | null {
  const approval = taken.find(
    ({ from_status, to_status }) => from_status === 'pending' && to_status === 'queued',
  );
  const [creation] = taken;
  if (approval !== undefined) return approval.actor;
  return row.approved_by !== null && creation?.to_status === 'queued' ? creation.actor : null;
}

const instantOf = (moment: string | null | undefined): string | null =>
  moment == null ? null : new Date(moment).toISOString();

/** Checks that a trade matches its order, at the order's limit or better, and moved positions of the order's blueprint. */
export function checkTrade({ fill, parts }: FillEntry, books: RebuiltBooks, report: Report): void {
  const order = books.order(fill.order_id);
  for (const { position_id } of parts) {
    const position = books.positions.get(position_id);
    if (position === undefined) continue;
    const isAny = order === undefined || drawsOnAnyBlueprint(order) || isReservationSpent(order, books);
    const owner = isAny ? position.blueprintId : order.row.blueprint_id;
    if (position.blueprintId !== owner)
      report('position', position.id, `blueprintId of fill ${fill.id}`, owner, position.blueprintId);
    if (position.tokenId !== fill.token_id)
      report('position', position.id, `tokenId of fill ${fill.id}`, fill.token_id, position.tokenId);
  }
  if (order !== undefined) compareTrade(fill, order.row, report);
}

/** A close by a person or key may draw on every blueprint's position. */
const drawsOnAnyBlueprint = ({ row }: BookedOrder): boolean => row.side === 'sell' && row.origin === 'manual';

/**
 * Whether nothing is left of a sell's reservation. A trade beyond it, or one that arrives after the holding was sold
 * otherwise, is booked to any other holding.
 */
const isReservationSpent = ({ reservations, drawnByPosition }: BookedOrder, books: RebuiltBooks): boolean =>
  reservations.length > 0 &&
  reservations.every(
    ({ position_id, amount }) =>
      exact(amount).lte(drawnByPosition.get(position_id) ?? 0) ||
      !(books.positions.get(position_id)?.amount.gt(0) ?? false),
  );

/** The side of a fill: a reversal has the opposite one. */
const sideOf = ({ kind, side }: FillRow): FillRow['side'] =>
  kind !== 'reversal' ? side : side === 'buy' ? 'sell' : 'buy';

function compareTrade(fill: FillRow, order: LedgerOrderRow, report: Report): void {
  const ordered = `${order.side} ${order.token_id} on ${order.venue}`;
  const done = `${sideOf(fill)} ${fill.token_id} on ${fill.venue}`;
  if (ordered !== done) report('fill', fill.id, 'trade', ordered, done);
  if (fill.connection_id !== order.connection_id)
    report('fill', fill.id, 'connectionId', order.connection_id ?? 'none', fill.connection_id ?? 'none');
  if (fill.fee_asset === 'USD' && !exact(fill.fee).eq(fill.fee_amount))
    report('fill', fill.id, 'feeAmount', exact(fill.fee).toFixed(), exact(fill.fee_amount).toFixed());
  const [price, limit] = [exact(fill.price), exact(order.limit_price)];
  if (order.side === 'buy' ? price.gt(limit) : price.lt(limit))
    report(
      'fill',
      fill.id,
      'price',
      `${limit.toFixed()} or ${order.side === 'buy' ? 'less' : 'more'}`,
      price.toFixed(),
    );
}

type Openings = Pick<StoredBooks, 'accountId' | 'tradingAccount' | 'positions' | 'deposits'>;

/** Checks that positions were opened when their books say so. Money came from outside once: when the account was opened. */
export function checkPositionOpenings(
  { accountId, tradingAccount, positions, deposits }: Openings,
  books: RebuiltBooks,
  report: Report,
): void {
  for (const { id, opened_at } of positions) {
    const opened = books.positions.get(id)?.openedAt;
    if (opened !== undefined && Date.parse(opened) !== Date.parse(opened_at))
      report('position', id, 'openedAt', opened, opened_at);
  }
  const opened = instantOf(tradingAccount.created_at);
  for (const { id, at } of deposits) {
    if (instantOf(at) !== opened)
      report('cash_entry', id, 'deposit', `the one of ${opened}`, `one of ${instantOf(at)}`);
  }
  if (deposits.length > 1) report('cash_entry', accountId, 'deposits', '1', String(deposits.length));
}

import { drawsOfSell } from '../../books/accounting/apply-fill.ts';
import { bookFill } from '../../books/accounting/book-fill.ts';
import { holdingOf } from '../../books/accounting/booking.ts';
import { moveCash } from '../../books/accounting/move-cash.ts';
import { heldPositionsOf } from '../../books/accounting/positions-of.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { Exact, exact, sumOf, ZERO } from '../../platform/decimal.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { recordEvents } from '../../platform/events/events.ts';
import { createLiveTradingAccount } from '../accounts/provision-account.ts';
import { type ConnectionRow, loadConnection } from '../connections/row.ts';
import { amountOf, closeDifference, type DifferenceRow, differenceDetailsOf } from './difference-store.ts';
import { evaluateDifferences } from './evaluate-differences.ts';
import { readMarksAndPayouts } from './read-our-books.ts';

/** Resolutions. `adjustment`: the books are changed to match the venue. `explained`: the difference stays and is accepted. */
export const RESOLUTIONS = ['adjustment', 'explained'] as const;
export type Resolution = {
  readonly as: (typeof RESOLUTIONS)[number];
  /** Explanation by the person, for later review. */
  readonly note: string | null;
};

const STATE_AFTER = { adjustment: 'booked', explained: 'explained' } as const;

/**
 * Resolves a difference as a person decided, with an audit record. The same resolution again changes nothing. Entries that it
 * blocked are allowed again if nothing else is open.
 *
 * @throws DomainError `not_found`; `invalid_state` for a difference that is no longer open, is temporary, or has nothing to
 *   adjust in the books.
 */
export async function resolveDifference(
  work: Work,
  ids: { readonly connectionId: string; readonly differenceId: string },
  resolution: Resolution,
): Promise<DifferenceRow> {
  return underAccountLock({ ...work, mode: 'live' }, async (tx, now) => {
    const connection = await loadConnection(tx, ids.connectionId);
    const row = await loadDifference(tx, ids);
    const state = STATE_AFTER[resolution.as];
    if (row.state === state) return row;
    refuseUnlessOpen(row);
    await createLiveTradingAccount(tx, now);
    if (resolution.as === 'adjustment') await adjust(tx, connection, row, now);
    const after = await closeDifference(tx, row.id, { state, note: resolution.note }, now);
    await audit(tx, {
      action: `venue_difference.${state}`,
      subjectId: row.id,
      before: { kind: row.kind, subject: row.subject, ours: row.ours, theirs: row.theirs },
      after: { state, note: resolution.note, about: row.about, theirs: row.theirs },
      at: now,
    });
    await evaluateDifferences(tx, connection, now);
    return after;
  });
}

async function loadDifference(
  tx: Work,
  { connectionId, differenceId }: { connectionId: string; differenceId: string },
): Promise<DifferenceRow> {
  const row = await tx.db
    .selectFrom('venue_difference')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('connection_id', '=', connectionId)
    .where('id', '=', differenceId)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

function refuseUnlessOpen({ state, kind }: DifferenceRow): void {
  if (state !== 'open') throw new DomainError('invalid_state', `The difference is ${state} already.`);
  if (kind === 'in_flight' || kind === 'lag')
    throw new DomainError('invalid_state', 'The difference is temporary: check again in a minute.');
}

/** Adjusts the books to the venue, if they have something to adjust. */
async function adjust(tx: Work, connection: ConnectionRow, row: DifferenceRow, now: Date): Promise<void> {
  const { tokenId, side, price, fee, gap } = differenceDetailsOf(row);
  if (row.subject.startsWith('cash:')) {
    const kind = row.kind === 'fee' ? 'fee_true_up' : 'adjustment';
    return move(tx, row, { kind, amount: exact(gap ?? 0) }, now);
  }
  if (row.kind === 'unredeemed') {
    return move(tx, row, { kind: 'redemption', amount: amountOf(row.worth) }, now);
  }
  if (tokenId === undefined || row.kind === 'external_order') throw nothingOfOurs();
  const isFill = row.kind === 'external_fill' || row.kind === 'netting';
  if (isFill && side !== undefined) {
    const amount = amountOf(row.theirs).times(side === 'sell' ? -1 : 1);
    await reduce(
      tx,
      connection,
      row,
      { tokenId, amount, price: exact(price ?? 0), fee: exact(fee ?? 0) },
      now,
    );
    return;
  }
  const { marks } = await readMarksAndPayouts(tx, [tokenId]);
  const mark = marks.get(tokenId) ?? ZERO;
  await reduce(tx, connection, row, { tokenId, amount: exact(gap ?? 0), price: mark, fee: ZERO }, now);
}

const move = (
  tx: Work,
  { connection_id, subject }: DifferenceRow,
  { kind, amount }: { kind: 'adjustment' | 'fee_true_up' | 'redemption'; amount: Exact },
  now: Date,
) =>
  moveCash(tx, { kind, amount, connectionId: connection_id, reason: `A person took over ${subject}.` }, now);

type Reduction = {
  /** Instrument of the venue's book. `amount` is signed: the venue's surplus over the books. */
  readonly tokenId: string;
  readonly amount: Exact;
  readonly price: Exact;
  readonly fee: Exact;
};

/** Books out a holding that the venue no longer has, at its price. At a venue that nets, less of no is more of yes. */
async function reduce(
  tx: Work,
  connection: ConnectionRow,
  row: DifferenceRow,
  { tokenId, amount, price, fee }: Reduction,
  now: Date,
): Promise<void> {
  const isNo = amount.gt(0);
  const token = isNo ? tokenId.replace(/:yes$/, ':no') : tokenId;
  const value = isNo ? exact(1).minus(price) : price;
  const positions = await heldPositionsOf(tx, token).execute();
  const held = sumOf(positions.map((position) => position.amount));
  if ((isNo && token === tokenId) || held.lt(amount.abs())) throw nothingOfOurs();
  const kind = row.kind === 'netting' ? 'netting' : 'adjustment';
  const fill = {
    kind,
    orderId: null,
    tokenId: token,
    venue: connection.venue,
    venueTradeId: `${kind}:${row.id}`,
    side: 'sell',
    amount: amount.abs(),
    price: Exact.max(value, ZERO),
    fee,
    connectionId: connection.id,
    at: now,
  } as const;
  await bookFill(tx, fill, drawsOfSell(fill.amount, [], positions.map(holdingOf)), now);
  await audit(tx, {
    action: 'position.adjusted',
    subjectId: row.id,
    before: { tokenId: token, amount: held.toFixed() },
    after: { value: fill.price.toFixed(), amount: fill.amount.toFixed(), tradeId: fill.venueTradeId },
    at: now,
  });
  await recordEvents(
    tx,
    now,
    positions.map(({ blueprint_id }) => ({
      type: 'position.changed',
      payload: { tokenId: token, blueprintId: blueprint_id },
    })),
  );
}

const nothingOfOurs = () =>
  new DomainError(
    'invalid_state',
    'The books have no holding to adjust for this difference: resolve it as explained instead.',
  );

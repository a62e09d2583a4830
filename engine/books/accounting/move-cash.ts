import { sql } from 'kysely';
import { audit } from '../../platform/audit/audit.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { Work } from '../../platform/context.ts';
import { type Exact, ZERO } from '../../platform/decimal.ts';
import { openAccountDay } from './day.ts';

/** Money that moves without a fill: real money by all of them, paper by the `transfer` of a reset. */
export const MOVE_KINDS = ['transfer', 'adjustment', 'fee_true_up', 'redemption'] as const;

export type CashMove = {
  readonly kind: (typeof MOVE_KINDS)[number];
  /** USD, positive in, negative out. */
  readonly amount: Exact;
  /** The venue account that holds the money; null on paper. */
  readonly connectionId: string | null;
  /** The reason, in words for the audit trail. */
  readonly reason: string;
  /** The id of a transfer in the venue's own record. Null for the balance that the account was connected with. */
  readonly recordId?: string | null;
};

/** The audit action of a cash movement. */
export const auditActionOf = (kind: CashMove['kind']): string => `cash.${kind}`;

/**
 * Moves money in the books, audited. A fee that differs from the booked one is realized when it is found; no other
 * movement is a profit or a loss. Call under the account's lock, with books that are open.
 */
export async function moveCash(tx: Work, move: CashMove, now: Date): Promise<void> {
  const { kind, amount, connectionId, reason, recordId } = move;
  const id = tx.newId();
  await openAccountDay(tx, now);
  await tx.db
    .insertInto('cash_entry')
    .values({
      account_id: tx.accountId,
      id,
      mode: tx.mode,
      kind,
      amount: amount.toFixed(),
      connection_id: connectionId,
      seq: sql<string>`nextval('ledger_seq')`,
      at: now,
    })
    .execute();
  await addToBooks(tx, { cash: amount, realizedPnl: kind === 'fee_true_up' ? amount : ZERO }, now);
  await audit(tx, {
    action: auditActionOf(kind),
    subjectId: id,
    before: null,
    after: { amount: amount.toFixed(), connectionId, reason, ...(recordId !== undefined && { recordId }) },
    at: now,
  });
}

async function addToBooks(
  tx: Work,
  { cash, realizedPnl }: { readonly cash: Exact; readonly realizedPnl: Exact },
  now: Date,
): Promise<void> {
  const realized = sql<string>`realized_pnl + ${realizedPnl.toFixed()}`;
  await tx.db
    .updateTable('trading_account')
    .set({ cash: sql<string>`cash + ${cash.toFixed()}`, realized_pnl: realized })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .execute();
  if (realizedPnl.isZero()) return;
  await tx.db
    .updateTable('account_day')
    .set({ realized_pnl: realized })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('day', '=', utcDay(now))
    .execute();
}

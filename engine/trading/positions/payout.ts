import { bookFill } from '../../books/accounting/book-fill.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { recordEvents } from '../../platform/events/events.ts';
import type { Payout } from './plan-settlement.ts';

/** Books a payout with its audit records and events. Call under the account's lock. */
export async function bookPayout(tx: Work, now: Date, { fills, audits, events }: Payout): Promise<void> {
  for (const { fill, draws } of fills) {
    if (!(await bookFill(tx, fill, draws, now))) throw new Error(`${fill.venueTradeId} was booked already.`);
  }
  await audit(tx, ...audits);
  await recordEvents(tx, now, events);
}

/** Returns the venue account that holds an instrument: the one that last traded it. Null on paper. */
export async function readHoldingConnection(tx: Work, tokenId: string): Promise<string | null> {
  const row = await tx.db
    .selectFrom('fill')
    .select('connection_id')
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('token_id', '=', tokenId)
    .where('connection_id', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.connection_id ?? null;
}

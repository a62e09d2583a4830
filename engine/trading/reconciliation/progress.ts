import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import type { Work } from '../../platform/context.ts';
import type { PartsDone, ReconciliationPart } from './due-parts.ts';

export type ProgressRow = Selectable<Database['venue_cursor']>;
type Progress = Partial<Omit<ProgressRow, 'account_id' | 'connection_id'>>;

const TIME_OF = { orders: 'orders_at', fills: 'fills_at', books: 'books_at' } as const satisfies Record<
  ReconciliationPart,
  keyof ProgressRow
>;

/** Reads the progress of a connection's reconciliation; empty if it never ran. */
export async function readProgress(work: Work, connectionId: string): Promise<ProgressRow> {
  const row = await work.db
    .selectFrom('venue_cursor')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return row ?? { ...NOTHING, account_id: work.accountId, connection_id: connectionId };
}

const NOTHING = { fills: null, orders_at: null, fills_at: null, books_at: null, agreed_at: null };

/** Reads when each part was last done, for `dueParts`. */
export async function readPartsDone(work: Work, connectionId: string): Promise<PartsDone> {
  const row = await readProgress(work, connectionId);
  const at = (part: ReconciliationPart) => dateOf(row[TIME_OF[part]]);
  return { orders: at('orders'), fills: at('fills'), books: at('books') };
}

const dateOf = (stored: string | null): Date | null => (stored === null ? null : new Date(stored));

/** Stores progress, so that the next run continues from there. */
export async function storeProgress(work: Work, connectionId: string, progress: Progress): Promise<void> {
  await work.db
    .insertInto('venue_cursor')
    .values({ account_id: work.accountId, connection_id: connectionId, ...progress })
    .onConflict((conflict) => conflict.columns(['account_id', 'connection_id']).doUpdateSet(progress))
    .execute();
}

/** Builds the progress of a finished part, as of its start: it may miss later events. */
export const progressOfPart = (part: ReconciliationPart, startedAt: Date): Progress => ({
  [TIME_OF[part]]: startedAt.toISOString(),
});

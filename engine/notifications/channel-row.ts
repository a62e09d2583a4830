import type { Selectable } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database } from '../../db/tables.ts';
import type { Work } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import type { Switches } from './kinds.ts';
import type { QuietHours } from './quiet-hours.ts';

type Columns = Selectable<Database['notification_channel']>;

/** A channel as stored, with typed rules. */
export type ChannelRow = Omit<Columns, 'switches' | 'quiet_hours'> & {
  readonly switches: Switches;
  readonly quiet_hours: QuietHours | null;
};

/** The columns were validated when written. */
export const typedChannelRow = (row: Columns): ChannelRow => ({
  ...row,
  switches: row.switches as Json & Switches,
  quiet_hours: row.quiet_hours as (Json & QuietHours) | null,
});

/** @throws DomainError `not_found`. */
export async function loadChannel(work: Work, id: string): Promise<ChannelRow> {
  const row = await work.db
    .selectFrom('notification_channel')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('id', '=', id)
    // Locks the channel, so that one transaction at a time assigns positions in its queue.
    .$if(work.db.isTransaction, (query) => query.forUpdate())
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return typedChannelRow(row);
}

import type { Selectable } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database } from '../../db/tables.ts';
import type { Work } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import type { Switches } from './kinds.ts';
import type { QuietHours } from './quiet-hours.ts';

type Columns = Selectable<Database['notification_channel']>;

/** A channel as stored, its rules as what they are. */
export type ChannelRow = Omit<Columns, 'switches' | 'quiet_hours'> & {
  readonly switches: Switches;
  readonly quiet_hours: QuietHours | null;
};

/** What was written was checked. */
export const channelOf = (row: Columns): ChannelRow => ({
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
    // Whoever gives out places on it does so one at a time.
    .$if(work.db.isTransaction, (query) => query.forUpdate())
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return channelOf(row);
}

import { sql } from 'kysely';
import type { Work } from '../../platform/context.ts';
import { loadConnection } from '../connections/row.ts';
import type { DifferenceRow } from './store.ts';

/** Open ones come first, so that these are all there is to decide, unless there are more of them. */
const LISTED_MAX = 200;

/** What a connection and its venue differ in or did, open ones first, newest first. @throws DomainError `not_found`. */
export async function listDifferences(work: Work, connectionId: string): Promise<DifferenceRow[]> {
  await loadConnection(work, connectionId);
  return work.db
    .selectFrom('venue_difference')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', connectionId)
    .orderBy(sql`state = 'open'`, 'desc')
    .orderBy('first_seen', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_MAX)
    .execute();
}

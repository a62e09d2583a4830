import { sql } from 'kysely';
import type { Work } from '../../platform/context.ts';
import { loadConnection } from '../connections/row.ts';
import type { DifferenceRow } from './difference-store.ts';

/** Maximum number of listed differences. Open ones come first, so that the list contains all of them up to this number. */
const LISTED_MAX = 200;

/** Lists a connection's current and past differences, open ones first, newest first. @throws DomainError `not_found`. */
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

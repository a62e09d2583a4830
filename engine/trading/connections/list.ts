import type { Work } from '../../platform/context.ts';
import type { ConnectionRow } from './row.ts';

/** Maximum number of listed connections, including revoked ones. */
const LISTED_MAX = 100;

/** Lists the account's connections, newest first. */
export const listConnections = (work: Work): Promise<ConnectionRow[]> =>
  work.db
    .selectFrom('venue_connection')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_MAX)
    .execute();

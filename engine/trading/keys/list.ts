import { isSession } from '../../platform/audit/actor.ts';
import type { Work } from '../../platform/context.ts';

/** The newest so many, revoked and expired ones among them, so that the list stays bounded. */
const LISTED_MAX = 500;

/** The account's keys as the work may see them, newest first: metadata only. */
export const listKeys = (work: Work) => keysOf(work).execute();

/** The account's keys: to a key those of its own mode, to a person all. */
const keysOf = (work: Work) => {
  const keys = work.db
    .selectFrom('api_key')
    .select([
      'id',
      'name',
      'start',
      'last4',
      'scopes',
      'mode',
      'envelope',
      'created_at',
      'expires_at',
      'last_used_at',
      'revoked_at',
    ])
    .where('account_id', '=', work.accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_MAX);
  return isSession(work.actor) ? keys : keys.where('mode', '=', work.mode);
};

export type KeyRow = Awaited<ReturnType<typeof listKeys>>[number];

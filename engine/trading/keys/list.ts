import { isSessionActor } from '../../platform/audit/session-actor.ts';
import type { Work } from '../../platform/context.ts';

/** Maximum number of listed keys, newest first, including revoked and expired ones. */
const LISTED_MAX = 500;

/** Lists the account's keys that the caller may see, newest first: metadata only. */
export const listKeys = (work: Work) => keysOf(work).execute();

/** Selects the account's keys: for a key caller those of its own mode, for a session all. */
const keysOf = (work: Work) => {
  const keys = work.db
    .selectFrom('api_key')
    .leftJoin('oauth_grant', (join) =>
      join
        .onRef('oauth_grant.account_id', '=', 'api_key.account_id')
        .onRef('oauth_grant.key_id', '=', 'api_key.id'),
    )
    .select([
      'api_key.id',
      'api_key.name',
      'start',
      'last4',
      'api_key.scopes',
      'mode',
      'api_key.envelope',
      'created_at',
      'expires_at',
      'last_used_at',
      'revoked_at',
      'client_name',
      'redirect_uri',
    ])
    .where('api_key.account_id', '=', work.accountId)
    .orderBy('created_at', 'desc')
    .orderBy('api_key.id', 'desc')
    .limit(LISTED_MAX);
  return isSessionActor(work.actor) ? keys : keys.where('mode', '=', work.mode);
};

export type KeyRow = Awaited<ReturnType<typeof listKeys>>[number];

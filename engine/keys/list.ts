import type { Work } from '../context.ts';

/** The newest so many, revoked and expired ones among them, so that the list stays bounded. */
const LISTED_MAX = 500;

/** The account's keys, newest first: metadata only. */
export const listKeys = (work: Work) =>
  work.db
    .selectFrom('api_key')
    .select([
      'id',
      'name',
      'start',
      'last4',
      'scopes',
      'created_at',
      'expires_at',
      'last_used_at',
      'revoked_at',
    ])
    .where('account_id', '=', work.accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_MAX)
    .execute();

export type KeyRow = Awaited<ReturnType<typeof listKeys>>[number];

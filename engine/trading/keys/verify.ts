import { CompiledQuery, sql } from 'kysely';
import { PiggybackStatement, selectScope } from '../../../db/scope.ts';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { hashToken, isToken } from './token.ts';

/** A valid key. `scopes` is one space-separated text: parsing an array takes longer than the rest of the row. */
export type VerifiedKey = { id: string; accountId: string; start: string; scopes: string; mode: Mode };

/**
 * Returns the valid key of a token, or null. Not cached: every process refuses a revoked or expired key at once, by the
 * database's clock. A token with a wrong checksum costs no statement. Works with any `db` that is not a transaction: its
 * connection switches to the key's account.
 */
export const verifyKey = (db: Db, token: string): Promise<VerifiedKey | null> =>
  verifyBy(LIVE_KEY, db, token);

/** As {@link verifyKey}, for the access token of a connected client: returns its key. No such token passes `verifyKey`. */
export const verifyAccessToken = (db: Db, token: string): Promise<VerifiedKey | null> =>
  verifyBy(LIVE_GRANT, db, token);

async function verifyBy(statement: string, db: Db, token: string): Promise<VerifiedKey | null> {
  if (!isToken(token)) return null;
  const { rows } = await db.executeQuery<VerifiedKey>(CompiledQuery.raw(statement, [hashToken(token)]));
  const [key] = rows;
  if (key === undefined) return null;
  const { id, accountId, start, scopes, mode } = key;
  return { id, accountId, start, scopes, mode };
}

/** Whether the token is a key or access token of an account that has moved to another cell. */
export async function isMovedToken(db: Db, token: string): Promise<boolean> {
  if (!isToken(token)) return false;
  const { rows } = await sql`select from moved_key where token_hash = ${hashToken(token)}`.execute(db);
  return rows.length > 0;
}

/** Identifies a key by the hash that is stored, never by the token. */
export const fingerprintOf = (token: string): string => hashToken(token).toString('latin1');

/**
 * Builds a query that checks a key's validity, sent together with the account's first query. With any result, the database
 * connection switches to that account. {@link isKeyUnchanged} reads the result.
 */
export const keyRecheckQuery = (
  fingerprint: string,
  { accountId }: VerifiedKey,
): PiggybackStatement<ConfirmedKey> =>
  new PiggybackStatement({
    name: 'live_key',
    text: STILL_LIVE,
    values: [Buffer.from(fingerprint, 'latin1'), accountId],
  });

type ConfirmedKey = { id: string | null; accountId: string | null; scopes: string | null; mode: Mode | null };

/** Whether the key is valid and unchanged. */
export const isKeyUnchanged = (known: VerifiedKey, found: ConfirmedKey | undefined): boolean =>
  found?.id === known.id &&
  found.accountId === known.accountId &&
  found.scopes === known.scopes &&
  found.mode === known.mode;

/** Returns which of these keys are neither revoked nor expired. */
export async function findValidKeys(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('api_key')
    .select('id')
    .where('id', 'in', [...ids])
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<string>`clock_timestamp()`)]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Plain SQL text: every request runs it, and building a statement costs more than running this one. */
const liveKeyBy = (find: string) =>
  `select id, account_id as "accountId", start, array_to_string(scopes, ' ') as scopes, mode, ${selectScope('account_id')}
  from ${find}($1)`;
const LIVE_KEY = liveKeyBy('live_key');
const LIVE_GRANT = liveKeyBy('live_grant');

const STILL_LIVE = `select k.id, k.account_id as "accountId", array_to_string(k.scopes, ' ') as scopes, k.mode, ${selectScope('$2')}
  from (select) as always left join live_key($1) k on true`;

/** Stores when keys were last used, to the minute and only forward; one statement for any number of keys. */
export async function noteKeysUsed(db: Db, usedAt: ReadonlyMap<string, Date>): Promise<void> {
  if (usedAt.size === 0) return;
  const ids = [...usedAt.keys()];
  const moments = [...usedAt.values()].map((moment) => moment.toISOString());
  await sql`
    update api_key set last_used_at = used.at
    from unnest(${ids}::uuid[], ${moments}::timestamptz[]) as used (id, at)
    where api_key.id = used.id and (last_used_at is null or last_used_at < used.at)
  `.execute(db);
}

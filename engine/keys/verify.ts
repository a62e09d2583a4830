import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { hashToken, isToken } from './token.ts';

export type VerifiedKey = { id: string; accountId: string; start: string; scopes: readonly string[] };

/**
 * The live key behind a token, or null. No cache: a revoked or expired key is refused by every process at once,
 * by the database's clock. A token with a wrong checksum costs no statement.
 */
export async function verifyKey(db: Db, token: string): Promise<VerifiedKey | null> {
  if (!isToken(token)) return null;
  const row = await db
    .selectFrom('api_key')
    .select(['id', 'account_id', 'start', 'scopes'])
    .where('token_hash', '=', hashToken(token))
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > clock_timestamp())`)
    .executeTakeFirst();
  return row ? { id: row.id, accountId: row.account_id, start: row.start, scopes: row.scopes } : null;
}

/** Notes when keys were last used, to the minute, forward only; one statement for any number of keys. */
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

import { CompiledQuery, sql } from 'kysely';
import { becoming, Rider } from '../../../db/scope.ts';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { hashToken, isToken } from './token.ts';

/** `scopes` is one text, with spaces between: arrays take longer to read than the rest of the row. */
export type VerifiedKey = { id: string; accountId: string; start: string; scopes: string; mode: Mode };

/**
 * The live key behind a token, or null. No cache: a revoked or expired key is refused by every process at once,
 * by the database's clock. A token with a wrong checksum costs no statement. Whose rows `db` sees does not matter, as
 * long as it is no transaction: its connection goes on as the key's account.
 */
export async function verifyKey(db: Db, token: string): Promise<VerifiedKey | null> {
  if (!isToken(token)) return null;
  const { rows } = await db.executeQuery<VerifiedKey>(CompiledQuery.raw(LIVE_KEY, [hashToken(token)]));
  const [key] = rows;
  if (key === undefined) return null;
  const { id, accountId, start, scopes, mode } = key;
  return { id, accountId, start, scopes, mode };
}

/** A key by what is kept of it: never the token itself. */
export const fingerprintOf = (token: string): string => hashToken(token).toString('latin1');

/**
 * The question whether a key lives, to ride along with what its account asks: whatever comes of it, the connection is that
 * account's from then on. {@link isConfirmed} reads the answer.
 */
export const confirming = (fingerprint: string, { accountId }: VerifiedKey): Rider<ConfirmedKey> =>
  new Rider({ name: 'live_key', text: STILL_LIVE, values: [Buffer.from(fingerprint, 'latin1'), accountId] });

type ConfirmedKey = { id: string | null; accountId: string | null; scopes: string | null; mode: Mode | null };

/** Whether it lives, and is the key it was. */
export const isConfirmed = (known: VerifiedKey, found: ConfirmedKey | undefined): boolean =>
  found?.id === known.id &&
  found.accountId === known.accountId &&
  found.scopes === known.scopes &&
  found.mode === known.mode;

/** Those of these keys that are neither revoked nor expired. */
export async function liveKeys(db: Db, ids: readonly string[]): Promise<string[]> {
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

/** In words of its own: every request asks this, and building a statement costs more than running this one. */
const LIVE_KEY = `select id, account_id as "accountId", start, array_to_string(scopes, ' ') as scopes, mode, ${becoming('account_id')}
  from live_key($1)`;

const STILL_LIVE = `select k.id, k.account_id as "accountId", array_to_string(k.scopes, ' ') as scopes, k.mode, ${becoming('$2')}
  from (select) as always left join live_key($1) k on true`;

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

import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { readCell } from '../../../engine/trading/keys/cell.ts';
import { readEmailDigests, readEmailKey } from './emails.ts';
import { changeRoutes, type Route } from './route-file.ts';
import type { Subject } from './rows.ts';

/**
 * Routes every key of the account, and the e-mails and passkeys of its users, to the cell of this database. Returns the lines.
 *
 * @throws Error as `changeRoutes`
 */
export async function writeRoutes(file: string, db: Db, { accountId, userIds }: Subject): Promise<Route[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select token_hash as hash from api_key where account_id = ${accountId}
    union select access_hash from oauth_grant where account_id = ${accountId} and access_hash is not null
    union select sha256(convert_to("credentialID", 'UTF8')) from auth.passkey
      where "userId" = any(${userIds}::uuid[]) order by 1`.execute(db);
  return changeRoutes(file, {
    digests: [...(await readEmailDigests(db, userIds)), ...rows.map(({ hash }) => hash)],
    cell: await readCell(db),
    emailKey: await readEmailKey(db),
  });
}

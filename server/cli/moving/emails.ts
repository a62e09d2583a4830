/** Digests of the e-mails of an account that moves: they keep each e-mail unique, and HAProxy routes sign-ins by them. */

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { emailDigest } from '../../identity/moved-emails.ts';
import { type Cells, MoveRefused } from './checks.ts';
import type { Subject } from './rows.ts';

const KEY_BYTES = 32;

/**
 * Gives both cells one key of e-mails, which the first move of all creates. A backup from before that move has none: such a cell
 * takes the key of the other.
 *
 * @throws MoveRefused if the other cell has another key
 */
export async function shareEmailKey({ from, to }: Pick<Cells, 'from' | 'to'>): Promise<void> {
  const ours = await claimKey(from, (await readEmailKey(to)) ?? randomBytes(KEY_BYTES));
  if (!(await claimKey(to, ours)).equals(ours))
    throw new MoveRefused(
      'The cells have different keys of e-mails: move accounts of cell 0 into a cell before any others, or the cells do not belong together.',
    );
}

/** Stores the key in a cell without one. Returns the key that the cell has from then on. */
async function claimKey(db: Db, key: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ key: Buffer }>`
    update cell set email_key = coalesce(email_key, ${key}) returning email_key as key`.execute(db);
  if (rows[0] === undefined)
    throw new MoveRefused('A database has no cell number yet: start the service there once, with its CELL.');
  return rows[0].key;
}

/** Returns the key of e-mails; null before the first move. */
export async function readEmailKey(db: Db): Promise<Buffer | null> {
  const { rows } = await sql<{ key: Buffer | null }>`select email_key as key from cell`.execute(db);
  return rows[0]?.key ?? null;
}

/** Reads the digests of the users' e-mails, and of their ids at providers, in a cell that has their rows. */
export async function readEmailDigests(db: Db, userIds: Subject['userIds']): Promise<Buffer[]> {
  const key = await readEmailKey(db);
  if (key === null) return [];
  const { rows } = await sql<{ name: string }>`
    select email as name from auth."user" where id = any(${userIds}::uuid[])
    union all select "providerId" || ':' || "accountId" from auth.account
      where "userId" = any(${userIds}::uuid[]) and "providerId" <> 'credential'`.execute(db);
  return rows.map(({ name }) => emailDigest(key, name));
}

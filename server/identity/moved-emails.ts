/** Keeps an e-mail unique over cells: users are created in cell 0, which remembers the e-mails of accounts that have left it. */

import { createHmac } from 'node:crypto';
import type pg from 'pg';

/** Returns what stands for an e-mail in `moved_email` and in the file of HAProxy: without the key no guess can be checked. */
export const emailDigest = (key: Buffer, email: string): Buffer =>
  createHmac('sha256', key).update(email.toLowerCase()).digest();

/**
 * Returns the digest of an e-mail whose account has moved, in hexadecimal as in the file of HAProxy; else null. `name`: also an id
 * at a provider, as `github:583231`.
 */
export async function movedDigest(pool: pg.Pool, name: string): Promise<string | null> {
  const { rows } = await pool.query<{ key: Buffer | null }>('select email_key as key from public.cell');
  const key = rows[0]?.key ?? null;
  if (key === null) return null;
  const digest = emailDigest(key, name);
  const { rowCount } = await pool.query('select from public.moved_email where digest = $1', [digest]);
  return rowCount === 1 ? digest.toString('hex').toUpperCase() : null;
}

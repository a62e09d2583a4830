/** Keeps an e-mail unique over cells: users are created in cell 0, which remembers the e-mails of accounts that have left it. */

import { createHmac } from 'node:crypto';
import type pg from 'pg';

/** Returns what stands for an e-mail in `moved_email` and in the file of HAProxy: without the key no guess can be checked. */
export const emailDigest = (key: Buffer, email: string): Buffer =>
  createHmac('sha256', key).update(email.toLowerCase()).digest();

/** Whether the account of this e-mail has moved to another cell. */
export async function isMovedEmail(pool: pg.Pool, email: string): Promise<boolean> {
  const { rows } = await pool.query<{ key: Buffer | null }>('select email_key as key from public.cell');
  const key = rows[0]?.key ?? null;
  if (key === null) return false;
  const { rowCount } = await pool.query('select from public.moved_email where digest = $1', [
    emailDigest(key, email),
  ]);
  return rowCount === 1;
}

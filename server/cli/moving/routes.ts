/** The files by which HAProxy finds accounts that have moved (`ops/haproxy-cells.cfg`): lines of a digest and a cell. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { readCell } from '../../../engine/trading/keys/cell.ts';
import { readEmailDigests, readEmailKey } from './emails.ts';
import type { Subject } from './rows.ts';

/** Stands beside the other file, readable by its owner alone. */
const KEY_FILE = 'email-key.map';

/**
 * Routes every key of the account, and the e-mails and passkeys of its users, to the cell of this database. Writes all or
 * nothing; other lines stay.
 */
export async function writeRoutes(file: string, db: Db, { accountId, userIds }: Subject): Promise<void> {
  const { rows } = await sql<{ hash: Buffer }>`
    select token_hash as hash from api_key where account_id = ${accountId}
    union select access_hash from oauth_grant where account_id = ${accountId} and access_hash is not null
    union select sha256(convert_to("credentialID", 'UTF8')) from auth.passkey
      where "userId" = any(${userIds}::uuid[]) order by 1`.execute(db);
  const digests = [...(await readEmailDigests(db, userIds)), ...rows.map(({ hash }) => hash)];
  const own = new Set(digests.map((digest) => digest.toString('hex').toUpperCase()));
  const cell = await readCell(db);
  const others = readLines(file).filter((line) => !own.has(line.split(' ')[0] ?? ''));
  replaceFile(file, [...others, ...[...own].map((hash) => `${hash} cell${cell}`)]);
  const key = await readEmailKey(db);
  if (key !== null) replaceFile(path.join(path.dirname(file), KEY_FILE), [`email ${key.toString('base64')}`]);
}

function replaceFile(file: string, lines: readonly string[]): void {
  writeFileSync(`${file}.new`, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** @throws Error if the file cannot be read. It must exist, so that a mistyped name is noticed. */
export const readLines = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

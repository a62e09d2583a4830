/** The file by which HAProxy routes keys of moved accounts (`ops/haproxy-cells.cfg`): lines of a key's SHA-256 and a cell. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { readCell } from '../../../engine/trading/keys/cell.ts';

/** Routes every key of the account to the cell of this database. Writes all or nothing; other lines stay. */
export async function writeRoutes(file: string, db: Db, accountId: string): Promise<void> {
  const { rows } = await sql<{ hash: string }>`
    select upper(encode(token_hash, 'hex')) as hash from api_key where account_id = ${accountId}
    union select upper(encode(access_hash, 'hex')) from oauth_grant
      where account_id = ${accountId} and access_hash is not null order by 1`.execute(db);
  const own = new Set(rows.map(({ hash }) => hash));
  const cell = await readCell(db);
  const others = readLines(file).filter((line) => !own.has(line.split(' ')[0] ?? ''));
  const lines = [...others, ...[...own].map((hash) => `${hash} cell${cell}`)];
  writeFileSync(`${file}.new`, lines.map((line) => `${line}\n`).join(''));
  renameSync(`${file}.new`, file);
}

/** @throws Error if the file cannot be read. It must exist, so that a mistyped name is noticed. */
export const readLines = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

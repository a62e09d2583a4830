/** Reads heads of chains from a file outside the database, and compares them with the chains of today. */
import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Difference } from './rows.ts';

/** `account number hash`, a head a line. */
const LINE = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}) (\d{1,15}) ([\da-f]{64})$/;

type StoredHead = { readonly accountId: string; readonly number: string; readonly hash: string };

/** @throws Error with the invalid line. */
export const parseChainHeads = (text: string): StoredHead[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, accountId = '', number = '', hash = ''] = LINE.exec(line.trim()) ?? [];
      if (hash === '') throw new Error(`This line is no head: ${line.slice(0, 200)}`);
      return { accountId, number, hash };
    });

/** The current heads, one a line. */
export async function listChainHeads(db: Db): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', account_id, number, encode(hash, 'hex')) as line
    from ledger_head where not is_denial order by account_id`.execute(db);
  return rows.map(({ line }) => `${line}\n`).join('');
}

/** Returns the stored heads that are no longer in the chains: the rows before them were rewritten, or cut. */
export async function findLostChainHeads(db: Db, storedHeads: readonly StoredHead[]): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    select k.account_id as "accountId", 'ledger_head' as subject, k.account_id::text as id, 'link ' || k.number as field,
      k.hash as expected, coalesce(encode(l.hash, 'hex'), 'gone') as actual
    from unnest(${storedHeads.map(({ accountId }) => accountId)}::uuid[], ${storedHeads.map(({ number }) => number)}::bigint[],
        ${storedHeads.map(({ hash }) => hash)}::text[]) as k (account_id, number, hash)
      left join ledger_link l on l.account_id = k.account_id and not l.is_denial and l.number = k.number
    where encode(l.hash, 'hex') is distinct from k.hash`.execute(db);
  return rows;
}

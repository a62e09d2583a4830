import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { Work } from './context.ts';

/** The pause between two pages: a long read leaves half of the database and of the thread to others. */
const PAUSE_MS = 5;

/** Rows of an account to read: names and expressions are constants of the code, over the row `t`. */
export type KeyPages = {
  readonly table: string;
  /** The primary key after the account, in order. */
  readonly key: readonly string[];
  /** Reads these of each row: SQL with a name. */
  readonly select: readonly string[];
  readonly pageRows: number;
  /** Reads the rows of the work's mode only. */
  readonly isOfMode?: true;
};

type KeyPageRow<Column extends string> = Readonly<Record<Column | `k${number}`, string | null>>;

/**
 * Reads an account's rows by their key, a page at a time: each page begins after the last row of the one before, and no
 * transaction waits for a slow reader. Rows written meanwhile may or may not be included.
 */
export async function* keyPages<Column extends string>(
  { db, accountId, mode }: Work,
  pages: KeyPages,
): AsyncGenerator<KeyPageRow<Column>[]> {
  const owner = pages.isOfMode ? [accountId, mode] : [accountId];
  for (let after: unknown[] = []; ; ) {
    const page = CompiledQuery.raw(pageOf(pages, owner.length, after.length > 0), [...owner, ...after]);
    const { rows } = await db.executeQuery<KeyPageRow<Column>>(page);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pages.pageRows) return;
    after = pages.key.map((_column, index) => last[`k${index}`]);
    await sleep(PAUSE_MS);
  }
}

function pageOf({ table, key, select, pageRows, isOfMode }: KeyPages, owners: number, isNext: boolean) {
  const columns = key.map((column) => `t.${column}`);
  const bounds = columns.map((_column, index) => `$${index + owners + 1}`);
  const selected = [...select, ...columns.map((column, index) => `${column}::text as k${index}`)];
  return `select ${selected.join(', ')} from ${table} t
    where t.account_id = $1 ${isOfMode ? 'and t.mode = $2' : ''}
      ${isNext ? `and (${columns.join(', ')}) > (${bounds.join(', ')})` : ''}
    order by ${['t.account_id', ...columns].join(', ')} limit ${pageRows}`;
}

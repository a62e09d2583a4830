import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import type { Json } from '../../../db/json.ts';
import type { Work } from '../../platform/context.ts';
import { ACCOUNT_TABLES, type AccountTable } from './tables.ts';

/** Some 100 kB: larger pages would delay other requests. */
const PAGE_ROWS = 100;
/** A graph may have 200 kB. */
const WIDE_PAGE_ROWS = 20;
/** The pause between two pages: an export leaves half of the database and of the thread to others. */
const PAUSE_MS = 5;
/** Raised when a reader of older exports would misread a newer one. */
const VERSION = 1;

/**
 * Exports everything stored of an account, one JSON value a line: a header, each row with its table, and the number of rows.
 * A truncated file therefore shows by its end. Decimals are exact. Rows are read by their keys, a page at a time, and no
 * transaction waits for a slow reader. Rows written meanwhile may or may not be included.
 *
 * @param person Facts about the signed-in person.
 */
export async function* exportAccount(work: Work, person: Json): AsyncGenerator<string> {
  const at = await work.clock(work.db);
  yield lineOf({ export: { version: VERSION, account: work.accountId, at: at.toISOString() } });
  yield lineOf({ person });
  const { rows: own } = await sql<{ line: string }>`
    select json_build_object('table', 'account', 'row', to_jsonb(a))::text as line
    from account a where id = ${work.accountId}`.execute(work.db);
  for (const { line } of own) yield `${line}\n`;
  let count = own.length;
  for (const [name, table] of Object.entries(ACCOUNT_TABLES)) {
    for await (const lines of pagesOf(work, name, table)) {
      count += lines.length;
      yield `${lines.join('\n')}\n`;
    }
  }
  yield lineOf({ end: { rows: count } });
}

const lineOf = (value: Json): string => `${JSON.stringify(value)}\n`;

type PageRow = Readonly<Record<string, string>> & { readonly line: string };

/** Reads a table's rows of the account, by their key: each page begins after the last row of the one before. */
async function* pagesOf(work: Work, name: string, table: AccountTable): AsyncGenerator<string[]> {
  const size = table.isWide ? WIDE_PAGE_ROWS : PAGE_ROWS;
  const first = CompiledQuery.raw(pageOf(name, table, size, false), [work.accountId]);
  let { rows } = await work.db.executeQuery<PageRow>(first);
  while (rows.length > 0) {
    yield rows.map(({ line }) => line);
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    const after = table.key.map((_column, index) => last[`k${index}`]);
    await sleep(PAUSE_MS);
    const next = CompiledQuery.raw(pageOf(name, table, size, true), [work.accountId, ...after]);
    ({ rows } = await work.db.executeQuery<PageRow>(next));
  }
}

/** Names come only from the list above. */
function pageOf(name: string, { key, without = [] }: AccountTable, size: number, isNext: boolean): string {
  const columns = key.map((column) => `t.${column}`);
  const row = without.reduce((value, column) => `${value} - '${column}'`, 'to_jsonb(t)');
  const after = isNext
    ? `and (${columns.join(', ')}) > (${columns.map((_column, index) => `$${index + 2}`).join(', ')})`
    : '';
  const line = `json_build_object('table', '${name}', 'row', ${row})::text as line`;
  const selected = [line, ...columns.map((column, index) => `${column}::text as k${index}`)];
  return `select ${selected.join(', ')}
    from ${name} t where t.account_id = $1 ${after} order by ${['t.account_id', ...columns].join(', ')} limit ${size}`;
}

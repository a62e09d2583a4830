/** The rows of an account and of its users: read as texts of their columns, stored, inserted, compared and deleted. */

import { type RawBuilder, sql } from 'kysely';
import { SqlCursor } from '../../../db/sql-cursor.ts';
import type { Db } from '../../../db/tables.ts';
import { ACCOUNT_TABLES } from '../../../engine/usecases/personal-data/tables.ts';

/** Rows that are read at once: few of those that may be large. */
const PAGE_ROWS = 1_000;
const WIDE_PAGE_ROWS = 20;

/** An account and the users who act for it. */
export type Subject = { readonly accountId: string; readonly userIds: readonly string[] };

/** A table, and the column by which its rows belong to the account or to its users. */
type Owned = { readonly name: string; readonly owner: 'account' | 'user'; readonly column: string };
type Column = { readonly name: string; readonly type: string };
type Table = Owned & { readonly columns: readonly Column[]; readonly pageRows: number };

/** Every table that moves. Sessions and unfinished sign-ins do not: the cookie names the cell. */
const OWNED: readonly Owned[] = [
  { name: 'public.account', owner: 'account', column: 'id' },
  ...Object.keys(ACCOUNT_TABLES).map(
    (name): Owned => ({ name: `public.${name}`, owner: 'account', column: 'account_id' }),
  ),
  { name: 'auth."user"', owner: 'user', column: 'id' },
  ...['account', 'passkey', '"twoFactor"', '"usedCode"'].map(
    (name): Owned => ({ name: `auth.${name}`, owner: 'user', column: '"userId"' }),
  ),
];
const WIDE = new Set(
  Object.entries(ACCOUNT_TABLES).flatMap(([name, { isWide }]) => (isWide ? [`public.${name}`] : [])),
);

/** Rows of venues that an account's rows refer to: inserted where they are missing. */
const INSTRUMENT = 'public.instrument';
const INSTRUMENT_FACT = 'public.instrument_fact';

/** The counts and digests of an account's rows, by table. */
export type Digests = ReadonlyMap<string, string>;

/** Reads the columns of every table that moves. Both cells have one version, so it holds for both. */
export async function describeTables(db: Db): Promise<readonly Table[]> {
  const tables: Table[] = [];
  for (const owned of OWNED) {
    const columns = await columnsOf(db, owned.name);
    tables.push({ ...owned, columns, pageRows: WIDE.has(owned.name) ? WIDE_PAGE_ROWS : PAGE_ROWS });
  }
  return tables;
}

async function columnsOf(db: Db, name: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attname`.execute(db);
  return rows;
}

/** Texts of the columns as one JSON array: exact for every type, also for a JSON null. */
const packed = (columns: readonly Column[]): RawBuilder<string> =>
  sql.raw(`to_jsonb(array[${columns.map(({ name }) => `${name}::text`).join()}])::text`);

const belongs = ({ owner, column }: Owned, { accountId, userIds }: Subject): RawBuilder<boolean> =>
  sql`${sql.raw(column)} = any(${owner === 'account' ? [accountId] : userIds}::uuid[])`;

type Stage = (tableName: string, rows: readonly string[]) => Promise<void>;

/** Reads all rows of the account page by page, and those of venues that they refer to. */
export async function readRows(
  trx: Db,
  tables: readonly Table[],
  subject: Subject,
  stage: Stage,
): Promise<void> {
  const read = async (
    name: string,
    columns: readonly Column[],
    condition: RawBuilder<boolean>,
    count: number,
  ) => {
    const query = sql<{
      texts: string;
    }>`select ${packed(columns)} as texts from ${sql.raw(name)} where ${condition}`;
    const cursor = await SqlCursor.open(trx, 'moving', query);
    for await (const page of cursor.pages(count))
      await stage(
        name,
        page.map(({ texts }) => texts),
      );
  };
  for (const table of tables) await read(table.name, table.columns, belongs(table, subject), table.pageRows);
  const { accountId } = subject;
  const isReferred = sql<boolean>`token_id in (select token_id from position where account_id = ${accountId}
    union select token_id from trade_order where account_id = ${accountId})`;
  for (const name of [INSTRUMENT, INSTRUMENT_FACT])
    await read(name, await columnsOf(trx, name), isReferred, PAGE_ROWS);
}

/** Stores rows of an arriving account until all of them are inserted at once. */
export async function storePart(
  db: Db,
  part: { accountId: string; number: number; tableName: string; rows: readonly string[] },
): Promise<void> {
  await sql`insert into arriving_part (arriving_id, number, table_name, rows)
    values (${part.accountId}, ${part.number}, ${part.tableName}, ${`[${part.rows.join()}]`}::jsonb)`.execute(
    db,
  );
}

export async function deleteParts(db: Db, accountId: string): Promise<void> {
  await sql`delete from arriving_part where arriving_id = ${accountId}`.execute(db);
}

export async function hasParts(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from arriving_part where arriving_id = ${accountId} limit 1`.execute(db);
  return rows.length > 0;
}

/** Inserts the stored rows. Call where triggers and references do not run: the rows have their results already. */
export async function insertRows(trx: Db, tables: readonly Table[], accountId: string): Promise<void> {
  const insert = (name: string, columns: readonly Column[], onConflict = sql``) =>
    sql`
    insert into ${sql.raw(`${name} (${columns.map((column) => column.name).join()})`)}
    select ${sql.raw(columns.map(({ type }, index) => `(texts->>${index})::${type}`).join())}
    from arriving_part, jsonb_array_elements(rows) as texts
    where arriving_id = ${accountId} and table_name = ${name} ${onConflict}`.execute(trx);
  const columns = await columnsOf(trx, INSTRUMENT);
  const all = columns.map(({ name }) => name);
  await insert(
    INSTRUMENT,
    columns,
    sql.raw(`on conflict (token_id) do update set (${all}) = row(${all.map((name) => `excluded.${name}`)})
      where instrument.settlement_value is null and excluded.settlement_value is not null`),
  );
  await insert(INSTRUMENT_FACT, await columnsOf(trx, INSTRUMENT_FACT), sql`on conflict do nothing`);
  for (const table of tables) await insert(table.name, table.columns);
}

const DIGEST = sql`count(*) || ':' || coalesce(sum(hashtextextended(texts, 0)::numeric), 0)`;

/** Counts and digests the account's rows. */
export async function digestRows(trx: Db, tables: readonly Table[], subject: Subject): Promise<Digests> {
  return digestBy(
    trx,
    tables,
    ({ columns, name, ...owned }) =>
      sql`select ${packed(columns)} as texts from ${sql.raw(name)} where ${belongs({ name, ...owned }, subject)}`,
  );
}

/** Deletes the account's rows, and counts and digests exactly those that it deleted. */
export async function deleteRows(trx: Db, tables: readonly Table[], subject: Subject): Promise<Digests> {
  await sql`delete from auth.session where "userId" = any(${subject.userIds}::uuid[])`.execute(trx);
  return digestBy(
    trx,
    tables,
    ({ columns, name, ...owned }) =>
      sql`delete from ${sql.raw(name)} where ${belongs({ name, ...owned }, subject)} returning ${packed(columns)} as texts`,
  );
}

async function digestBy(
  trx: Db,
  tables: readonly Table[],
  rowsOf: (table: Table) => RawBuilder<unknown>,
): Promise<Digests> {
  const digests = new Map<string, string>();
  for (const table of tables) {
    const { rows } = await sql<{ digest: string }>`
      with found as (${rowsOf(table)}) select ${DIGEST} as digest from found`.execute(trx);
    digests.set(table.name, rows[0]?.digest ?? '');
  }
  return digests;
}

/** Returns the tables whose rows differ. */
export const differingTables = (one: Digests, other: Digests): string[] =>
  [...one].flatMap(([name, digest]) => (other.get(name) === digest ? [] : [name]));

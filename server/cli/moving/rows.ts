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
type Table = Owned & { readonly columns: readonly Column[] };
/** The tables that move, and the columns of those with rows of venues that they refer to. */
export type Tables = {
  readonly moved: readonly Table[];
  readonly instrument: readonly Column[];
  readonly facts: readonly Column[];
};

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
export async function describeTables(db: Db): Promise<Tables> {
  const names = [...OWNED.map(({ name }) => name), INSTRUMENT, INSTRUMENT_FACT];
  const { rows } = await sql<Column & { table: string }>`
    select t.name as table, quote_ident(attname) as name, format_type(atttypid, atttypmod) as type
    from unnest(${names}::text[]) as t(name) join pg_attribute on attrelid = t.name::regclass
    where attnum > 0 and not attisdropped and attgenerated = '' order by attname`.execute(db);
  const byTable = Map.groupBy(rows, ({ table }) => table);
  const columnsOf = (name: string) => byTable.get(name) ?? [];
  return {
    moved: OWNED.map((owned) => ({ ...owned, columns: columnsOf(owned.name) })),
    instrument: columnsOf(INSTRUMENT),
    facts: columnsOf(INSTRUMENT_FACT),
  };
}

/** Texts of the columns as one JSON array: exact for every type, also for a JSON null. */
const packed = (columns: readonly Column[]): RawBuilder<string> =>
  sql.raw(`to_jsonb(array[${columns.map(({ name }) => `${name}::text`).join()}])::text`);

const belongs = ({ owner, column }: Owned, { accountId, userIds }: Subject): RawBuilder<boolean> =>
  sql`${sql.raw(column)} = any(${owner === 'account' ? [accountId] : userIds}::uuid[])`;

type Stage = (tableName: string, rows: readonly string[]) => Promise<void>;

/** Reads all rows of the account in pages, and those of venues that they refer to. One statement for all tables. */
export async function readRows(trx: Db, tables: Tables, subject: Subject, stage: Stage): Promise<void> {
  const { accountId } = subject;
  const isReferred = sql<boolean>`token_id in (select token_id from position where account_id = ${accountId}
    union select token_id from trade_order where account_id = ${accountId})`;
  const owned = tables.moved.map((table) => ({ ...table, condition: belongs(table, subject) }));
  const wide = owned.filter(({ name }) => WIDE.has(name));
  const narrow = [
    ...owned.filter(({ name }) => !WIDE.has(name)),
    { name: INSTRUMENT, columns: tables.instrument, condition: isReferred },
    { name: INSTRUMENT_FACT, columns: tables.facts, condition: isReferred },
  ];
  for (const [group, pageRows] of [
    [narrow, PAGE_ROWS],
    [wide, WIDE_PAGE_ROWS],
  ] as const) {
    const queries = group.map(
      ({ name, columns, condition }) =>
        sql`select ${sql.lit(name)} as name, ${packed(columns)} as texts from ${sql.raw(name)} where ${condition}`,
    );
    const all = sql<{ name: string; texts: string }>`${sql.join(queries, sql` union all `)}`;
    const cursor = await SqlCursor.open(trx, 'moving', all);
    for await (const page of cursor.pages(pageRows)) {
      for (const [name, found] of Map.groupBy(page, (row) => row.name))
        await stage(
          name,
          found.map(({ texts }) => texts),
        );
    }
  }
}

/** A page of rows of an arriving account, as it is stored until all of them are inserted at once. */
export type Part = {
  readonly accountId: string;
  readonly number: number;
  readonly tableName: string;
  readonly rows: readonly string[];
};

export async function storePart(db: Db, { accountId, number, tableName, rows }: Part): Promise<void> {
  const texts = `[${rows.join()}]`;
  await sql`insert into arriving_part (arriving_id, number, table_name, rows)
    values (${accountId}, ${number}, ${tableName}, ${texts}::jsonb)`.execute(db);
}

export async function deleteParts(db: Db, accountId: string): Promise<void> {
  await sql`delete from arriving_part where arriving_id = ${accountId}`.execute(db);
}

export async function hasParts(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from arriving_part where arriving_id = ${accountId} limit 1`.execute(db);
  return rows.length > 0;
}

/** Inserts the stored rows. Call where triggers and references do not run: the rows have their results already. */
export async function insertRows(trx: Db, tables: Tables, accountId: string): Promise<void> {
  const insert = (name: string, columns: readonly Column[], onConflict = sql``) => sql`
    insert into ${sql.raw(`${name} (${columns.map((column) => column.name).join()})`)}
    select ${sql.raw(columns.map(({ type }, index) => `(texts->>${index})::${type}`).join())}
    from arriving_part, jsonb_array_elements(rows) as texts
    where arriving_id = ${accountId} and table_name = ${sql.lit(name)} ${onConflict}`;
  const all = tables.instrument.map(({ name }) => name);
  const orItsSettlement =
    sql.raw(`on conflict (token_id) do update set (${all}) = row(${all.map((name) => `excluded.${name}`)})
    where instrument.settlement_value is null and excluded.settlement_value is not null`);
  await inOneStatement(trx, [
    insert(INSTRUMENT, tables.instrument, orItsSettlement),
    insert(INSTRUMENT_FACT, tables.facts, sql`on conflict do nothing`),
    ...tables.moved.map(({ name, columns }) => insert(name, columns)),
  ]);
}

const inOneStatement = (trx: Db, changes: readonly RawBuilder<unknown>[]) => {
  const named = changes.map((change, index) => sql`${sql.raw(`change_${index}`)} as (${change})`);
  return sql`with ${sql.join(named)} select`.execute(trx);
};

/** Counts and digests the account's rows. */
export const digestRows = (trx: Db, { moved }: Tables, subject: Subject): Promise<Digests> =>
  digestBy(
    trx,
    moved,
    ({ columns, ...owned }) =>
      sql`select ${packed(columns)} as texts from ${sql.raw(owned.name)} where ${belongs(owned, subject)}`,
  );

/** Deletes the account's rows, and counts and digests exactly those that it deleted. */
export async function deleteRows(trx: Db, { moved }: Tables, subject: Subject): Promise<Digests> {
  await sql`delete from auth.session where "userId" = any(${subject.userIds}::uuid[])`.execute(trx);
  return digestBy(
    trx,
    moved,
    ({ columns, ...owned }) =>
      sql`delete from ${sql.raw(owned.name)} where ${belongs(owned, subject)} returning ${packed(columns)} as texts`,
  );
}

/**
 * Returns the tables with rows left. Transactions in progress inserted them, and the delete waited for those without seeing
 * their rows. None can follow: the rows that they refer to are deleted.
 */
export async function findRemaining(trx: Db, { moved }: Tables, subject: Subject): Promise<string[]> {
  const session: Owned = { name: 'auth.session', owner: 'user', column: '"userId"' };
  const found = [...moved, session].map(
    (owned) => sql`select ${sql.lit(owned.name)} as name
      where exists (select from ${sql.raw(owned.name)} where ${belongs(owned, subject)})`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(found, sql` union all `)}`.execute(trx);
  return rows.map(({ name }) => name);
}

/** One statement for all tables: each costs a round trip, and the account waits. */
async function digestBy(
  trx: Db,
  moved: readonly Table[],
  rowsOf: (table: Table) => RawBuilder<unknown>,
): Promise<Digests> {
  const found = moved.map((table, index) => sql`${sql.raw(`found_${index}`)} as (${rowsOf(table)})`);
  const digests = moved.map(
    ({ name }, index) => sql`select ${sql.lit(name)} as name,
      count(*) || ':' || coalesce(sum(hashtextextended(texts, 0)::numeric), 0) as digest from ${sql.raw(`found_${index}`)}`,
  );
  const { rows } = await sql<{ name: string; digest: string }>`
    with ${sql.join(found)} ${sql.join(digests, sql` union all `)}`.execute(trx);
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** Returns the tables whose rows differ. */
export const differingTables = (one: Digests, other: Digests): string[] =>
  [...one].flatMap(([name, digest]) => (other.get(name) === digest ? [] : [name]));

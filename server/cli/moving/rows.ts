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

/**
 * Tables that grow with trading: rows are copied ahead, while the account works. A later version of a row replaces the copied
 * one by its primary key. Other unique indexes of these tables are on columns that never change.
 */
const LARGE = new Map(
  [
    ...['trade_order', 'denied_fold', 'order_transition', 'order_allocation', 'order_dispatch'],
    ...['fill', 'fill_allocation', 'cash_entry', 'ledger_link', 'audit_event', 'account_event'],
    ...['paper_order', 'paper_fill', 'venue_event', 'equity_point', 'blueprint_equity', 'account_day'],
    ...['idempotency_key', 'notification', 'release_body', 'backtest', 'backtest_part', 'sweep_trial'],
  ].map((name) => [`public.${name}`, ['account_id', ...(ACCOUNT_TABLES[name]?.key ?? [])]]),
);

/**
 * The number of parts that were copied ahead, by table, and the oldest transaction in progress then. Rows of these tables that
 * this transaction or a later one has written are still to be copied.
 */
export type Ahead = { readonly since: string; readonly parts: ReadonlyMap<string, number> };

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

/** A hash of the texts of the columns, by which a null differs from an empty text. */
const hashed = (columns: readonly Column[]): RawBuilder<string> =>
  sql.raw(`hashtextextended(row(${columns.map(({ name }) => name).join()})::text, 0)`);

const belongs = ({ owner, column }: Owned, { accountId, userIds }: Subject): RawBuilder<boolean> =>
  sql`${sql.raw(column)} = any(${owner === 'account' ? [accountId] : userIds}::uuid[])`;

export type Stage = (tableName: string, rows: readonly string[]) => Promise<void>;
type Selected = {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly condition: RawBuilder<unknown>;
};

const XIDS = 2 ** 32;

/** Whether a row was written before the transaction. Stored numbers of transactions wrap around: half of them are earlier. */
const isBefore = (since: string): RawBuilder<boolean> =>
  sql`(xmin::text::bigint - ${sql.lit(String(BigInt(since) % BigInt(XIDS)))} + ${sql.lit(XIDS)}) % ${sql.lit(XIDS)} >= ${sql.lit(XIDS / 2)}`;

/** Returns the oldest transaction in progress in the caller's snapshot: all before it have ended. */
export async function readOldestInProgress(snapshot: Db): Promise<string> {
  const { rows } = await sql<{ since: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as since`.execute(snapshot);
  return rows[0]?.since ?? '0';
}

/** Reads the rows of large tables that were written before a transaction, in pages. */
export async function readAhead(
  trx: Db,
  { moved }: Tables,
  subject: Subject,
  since: string,
  stage: Stage,
): Promise<void> {
  const large = moved.filter(({ name }) => LARGE.has(name));
  const selected = large.map((table) => ({
    ...table,
    condition: sql`${belongs(table, subject)} and ${isBefore(since)}`,
  }));
  await readPages(trx, selected, stage);
}

/** Reads all other rows of the account in pages, and those of venues that it refers to. */
export async function readRest(
  trx: Db,
  tables: Tables,
  subject: Subject,
  { since, parts }: Ahead,
  stage: Stage,
): Promise<void> {
  const { accountId } = subject;
  const isReferred = sql<boolean>`token_id in (select token_id from position where account_id = ${accountId}
    union select token_id from trade_order where account_id = ${accountId})`;
  const owned = tables.moved.map((table) => {
    const condition = belongs(table, subject);
    return {
      ...table,
      condition: parts.has(table.name) ? sql`${condition} and not (${isBefore(since)})` : condition,
    };
  });
  const ofVenues = [
    { name: INSTRUMENT, columns: tables.instrument, condition: isReferred },
    { name: INSTRUMENT_FACT, columns: tables.facts, condition: isReferred },
  ];
  await readPages(trx, [...owned, ...ofVenues], stage);
}

/** One statement for all tables. */
async function readPages(trx: Db, selected: readonly Selected[], stage: Stage): Promise<void> {
  for (const [group, pageRows] of [
    [selected.filter(({ name }) => !WIDE.has(name)), PAGE_ROWS],
    [selected.filter(({ name }) => WIDE.has(name)), WIDE_PAGE_ROWS],
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

/** Deletes the parts that were not copied ahead, and those of tables that are to be copied again. */
export async function deleteRest(db: Db, accountId: string, again: readonly string[]): Promise<void> {
  await sql`delete from arriving_part where arriving_id = ${accountId}
    and (number >= 0 or table_name = any(${again}::text[]))`.execute(db);
}

/** Counts the parts that were copied ahead, by table. */
export async function countAhead(db: Db, accountId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select table_name as name, count(*)::int as count from arriving_part
    where arriving_id = ${accountId} and number < 0 group by 1`.execute(db);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

export async function hasParts(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from arriving_part where arriving_id = ${accountId} limit 1`.execute(db);
  return rows.length > 0;
}

/** Inserts stored rows. Call where triggers and references do not run: the rows have their results already. */
const insertInto = (accountId: string, numbers: RawBuilder<boolean>) => {
  return (name: string, columns: readonly Column[], onConflict = sql``) => sql`
    insert into ${sql.raw(`${name} (${columns.map((column) => column.name).join()})`)}
    select ${sql.raw(columns.map(({ type }, index) => `(texts->>${index})::${type}`).join())}
    from arriving_part, jsonb_array_elements(rows) as texts
    where arriving_id = ${accountId} and table_name = ${sql.lit(name)} and ${numbers} ${onConflict}`;
};

/** Inserts the rows that were copied ahead. */
export async function insertAhead(trx: Db, { moved }: Tables, accountId: string): Promise<void> {
  const insert = insertInto(accountId, sql`number < 0`);
  await inOneStatement(
    trx,
    moved.filter(({ name }) => LARGE.has(name)).map(({ name, columns }) => insert(name, columns)),
  );
}

/** Inserts all other rows: in large tables they replace what was copied ahead. */
export async function insertRest(trx: Db, tables: Tables, accountId: string): Promise<void> {
  const insert = insertInto(accountId, sql`number >= 0`);
  const orReplace = (name: string, key: readonly string[], columns: readonly Column[]) => {
    const all = columns.map((column) => column.name);
    return insert(
      name,
      columns,
      sql.raw(
        `on conflict (${key.join()}) do update set (${all}) = row(${all.map((one) => `excluded.${one}`)})`,
      ),
    );
  };
  await inOneStatement(trx, [
    sql`${orReplace(INSTRUMENT, ['token_id'], tables.instrument)}
      where instrument.settlement_value is null and excluded.settlement_value is not null`,
    insert(INSTRUMENT_FACT, tables.facts, sql`on conflict do nothing`),
    ...tables.moved.map(({ name, columns }) => {
      const key = LARGE.get(name);
      return key === undefined ? insert(name, columns) : orReplace(name, key, columns);
    }),
  ]);
}

const inOneStatement = (trx: Db, changes: readonly RawBuilder<unknown>[]) => {
  const named = changes.map((change, index) => sql`${sql.raw(`change_${index}`)} as (${change})`);
  return sql`with ${sql.join(named)} select`.execute(trx);
};

/** Deletes the account's rows of these tables. */
export async function deleteFrom(
  trx: Db,
  tables: Tables,
  subject: Subject,
  names: readonly string[],
): Promise<void> {
  const doomed = tables.moved.filter(({ name }) => names.includes(name));
  if (doomed.length === 0) return;
  await inOneStatement(
    trx,
    doomed.map((owned) => sql`delete from ${sql.raw(owned.name)} where ${belongs(owned, subject)}`),
  );
}

/** Counts the account's rows. */
export const countRows = (trx: Db, { moved }: Tables, subject: Subject): Promise<Digests> =>
  digestBy(
    trx,
    moved,
    (owned) => sql`select 0 as hash from ${sql.raw(owned.name)} where ${belongs(owned, subject)}`,
  );

/** Counts and digests the account's rows. */
export const digestRows = (trx: Db, { moved }: Tables, subject: Subject): Promise<Digests> =>
  digestBy(
    trx,
    moved,
    ({ columns, ...owned }) =>
      sql`select ${hashed(columns)} as hash from ${sql.raw(owned.name)} where ${belongs(owned, subject)}`,
  );

/** Deletes the account's rows, and counts and digests exactly those that it deleted. */
export async function deleteRows(trx: Db, { moved }: Tables, subject: Subject): Promise<Digests> {
  await sql`delete from auth.session where "userId" = any(${subject.userIds}::uuid[])`.execute(trx);
  return digestBy(
    trx,
    moved,
    ({ columns, ...owned }) =>
      sql`delete from ${sql.raw(owned.name)} where ${belongs(owned, subject)} returning ${hashed(columns)} as hash`,
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
      count(*) || ':' || coalesce(sum(hash::numeric), 0) as digest from ${sql.raw(`found_${index}`)}`,
  );
  const { rows } = await sql<{ name: string; digest: string }>`
    with ${sql.join(found)} ${sql.join(digests, sql` union all `)}`.execute(trx);
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** Returns the tables whose rows differ. */
export const differingTables = (one: Digests, other: Digests): string[] =>
  [...one].flatMap(([name, digest]) => (other.get(name) === digest ? [] : [name]));

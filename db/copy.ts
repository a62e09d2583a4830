/** Copies a whole database into another one: to one's own server, or across major versions. */

import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { clientConfig } from './migrating/migrate.ts';
import type { DatabaseConnection } from './orm.ts';

/** Thrown if nothing was copied; the message has the remedy. */
export class CopyRefused extends Error {}

type Table = { readonly name: string; readonly columns: string };
export type Copied = { readonly table: string; readonly rows: number };

const BOOK_OF_MIGRATIONS = 'public.schema_migration';
const SCHEMAS = ['public', 'auth'];

/**
 * Copies every row of one snapshot of the source, table by table, parents first, and sets the sequences. All of it is one
 * transaction of the target. References are checked as rows arrive. Our triggers do not run, because the rows already contain
 * their results. Both databases must have one version, and the target must be empty. Call as the owner of both.
 *
 * @throws CopyRefused if it was not begun; nothing has changed then, nor after any other error.
 */
export async function copyDatabase(
  from: DatabaseConnection,
  to: DatabaseConnection,
  onCopied: (copied: Copied) => void = () => {},
): Promise<void> {
  await using source = await open(from);
  await using target = await open(to);
  await source.client.query('begin isolation level repeatable read read only');
  await target.client.query('begin');
  await refuseOther(source.client, target.client);
  const tables = await tablesOf(target.client);
  for (const { name } of tables) await refuseFull(target.client, name);
  for (const { name } of tables) await target.client.query(`alter table ${name} disable trigger user`);
  for (const table of tables) {
    onCopied({ table: table.name, rows: await copyTable(source.client, target.client, table) });
  }
  for (const { name } of tables) await target.client.query(`alter table ${name} enable trigger user`);
  await copySequences(source.client, target.client);
  await target.client.query('commit');
}

/** Whether the database has no tables other than PostgreSQL's own. */
export async function isEmptyDatabase(connection: DatabaseConnection): Promise<boolean> {
  await using opened = await open(connection);
  const { rows } = await opened.client.query<{ tables: number }>(
    `select count(*)::int as tables from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  return rows[0]?.tables === 0;
}

async function open(connection: DatabaseConnection): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new pg.Client({ ...clientConfig(connection), keepAlive: true });
  // The statement on a broken connection reports the error too.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    `select set_config(name, '0', false) from unnest(array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) name`,
  );
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

async function refuseOther(source: pg.Client, target: pg.Client): Promise<void> {
  const [theirs, ours] = await Promise.all([versionOf(source), versionOf(target)]);
  if (theirs === ours) return;
  throw new CopyRefused(
    'The database to copy is of another version of the service. Start this version on it once, then copy it.',
  );
}

async function versionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select coalesce(string_agg(name, ' ' order by name), '') as names from ${BOOK_OF_MIGRATIONS}`,
  );
  return rows[0]?.names ?? '';
}

/** Parents before their children; a table that refers to itself is checked at the end of its copy. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { parents: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      array(select format('%I.%I', pn.nspname, p.relname) from pg_constraint f
        join pg_class p on p.oid = f.confrelid join pg_namespace pn on pn.oid = p.relnamespace
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind = 'r' order by 1`,
    [SCHEMAS],
  );
  const waiting = rows.filter(({ name }) => name !== BOOK_OF_MIGRATIONS);
  const sorted: Table[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ parents }) =>
      parents.every((parent) => !waiting.some(({ name }) => name === parent)),
    );
    if (next < 0)
      throw new Error(`Tables refer to each other in a circle: ${waiting.map(({ name }) => name)}`);
    sorted.push(...waiting.splice(next, 1));
  }
  return sorted;
}

async function refuseFull(target: pg.Client, name: string): Promise<void> {
  const { rows } = await target.query(`select from ${name} limit 1`);
  if (rows.length === 0) return;
  throw new CopyRefused(`The target has rows in ${name} already. Name an empty database.`);
}

async function copyTable(source: pg.Client, target: pg.Client, { name, columns }: Table): Promise<number> {
  const incoming = target.query(copyFrom(`copy ${name} (${columns}) from stdin`));
  await pipeline(source.query(copyTo(`copy (select ${columns} from ${name}) to stdout`)), incoming);
  return incoming.rowCount ?? 0;
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = any($1)`,
    [SCHEMAS],
  );
  for (const { name } of rows.filter(({ name }) => !name.startsWith(BOOK_OF_MIGRATIONS))) {
    const { rows: states } = await source.query<{ last_value: string; is_called: boolean }>(
      `select last_value, is_called from ${name}`,
    );
    for (const { last_value, is_called } of states)
      await target.query('select setval($1::regclass, $2, $3)', [name, last_value, is_called]);
  }
}

import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import { type ColumnType, type Generated, Kysely, PostgresDialect } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { entities } from './entities/index.ts';
import { ALL_ACCOUNTS, ANY, type Scope, scopedPool } from './scope.ts';

type Inferred = InferKyselyDB<(typeof entities)[number]>;

/** The pool leaves timestamps as text, so a `Date` column reads as a string and takes either. */
type AsRead<Column> =
  Column extends Generated<infer Value>
    ? ColumnType<AsReadValue<Value>, AsWritten<Value> | undefined, AsWritten<Value>>
    : ColumnType<AsReadValue<Column>, AsWritten<Column>, AsWritten<Column>>;
type AsReadValue<Value> = Value extends Date ? string : Value;
type AsWritten<Value> = Value extends Date ? Date | string : Value;

/** Our tables as Kysely sees them, derived from the entities: column names as in the database. */
export type Database = {
  [Table in keyof Inferred]: { [Column in keyof Inferred[Table]]: AsRead<Inferred[Table][Column]> };
};

export type Db = Kysely<Database>;

/** Handles kept ready per pool; an account that comes back after so many others gets a new one. */
const HANDLES_MAX = 1_000;

type Handles = { pool: Promise<pg.Pool>; byScope: LRUCache<string, Db> };

/** By connection of MikroORM, which makes its pool when it is first used. */
const handles = new WeakMap<object, Handles>();

export function rememberPool(em: EntityManager, pool: Promise<pg.Pool>): void {
  handles.set(em.getConnection(), { pool, byScope: new LRUCache({ max: HANDLES_MAX }) });
}

/** On behalf of one account: no other account's rows are there. Inside a transaction it is that transaction. */
export const accountDb = (em: EntityManager, accountId: string): Db => scopedDb(em, accountId);

/** On behalf of the service itself, over all accounts. Inside a transaction it is that transaction. */
export const systemDb = (em: EntityManager): Db => scopedDb(em, ALL_ACCOUNTS);

/** For statements that read no account's table: whose rows would be there is left open. */
export const unscopedDb = (em: EntityManager): Db => scopedDb(em, ANY);

function scopedDb(em: EntityManager, scope: Scope): Db {
  if (em.isInTransaction()) return em.getKysely<Database>();
  const connection = em.getConnection();
  const own = handles.get(connection);
  if (own === undefined) throw new Error('This unit of work does not come from openDatabase.');
  const known = own.byScope.get(scope);
  if (known !== undefined) return known;
  connection.getClient(); // makes the pool
  const dialect = new PostgresDialect({ pool: async () => scopedPool(await own.pool, scope) });
  const db = new Kysely<Database>({ dialect });
  own.byScope.set(scope, db);
  return db;
}

import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { ColumnType, Generated, Kysely } from 'kysely';
import type { entities } from './entities/index.ts';

type Inferred = InferKyselyDB<(typeof entities)[number]>;

/** The pool leaves timestamps as text, so a `Date` column reads as a string and takes either. */
type AsRead<Column> =
  Column extends Generated<infer Value>
    ? ColumnType<AsReadValue<Value>, AsWritten<Value> | undefined, AsWritten<Value>>
    : ColumnType<AsReadValue<Column>, AsWritten<Column>, AsWritten<Column>>;
type AsReadValue<Value> = Value extends Date ? string : Value;
type AsWritten<Value> = Value extends Date ? Date | string : Value;

/** Our tables as Kysely types, derived from the entities: column names as in the database. */
export type Database = {
  [Table in keyof Inferred]: { [Column in keyof Inferred[Table]]: AsRead<Inferred[Table][Column]> };
};

/** A pool in the scope of one account or of the service, or a transaction (`isTransaction`). */
export type Db = Kysely<Database>;

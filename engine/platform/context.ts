import { CompiledQuery } from 'kysely';
import { accountDb, type Handles } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import type { Mode } from '../../db/vocabulary.ts';
import { newId } from './ids.ts';

/** Reads the instant at which decisions about money, keys and limits are made. Tests pass their own. */
export type Clock = (db: Db) => Promise<Date>;

/** Context of a use case on behalf of one account: its rows, in a transaction once one has begun. */
export type Work = {
  /** Sees the rows of `accountId` alone. Inside `transact` it is the transaction. */
  readonly db: Db;
  readonly accountId: string;
  /** Mode of the deployment, order or request. Data of the other mode is not visible. */
  readonly mode: Mode;
  /** The actor, as audit rows name it: `session:<user id>`, `key:<key id>` or `system`. */
  readonly actor: string;
  readonly requestId: string | null;
  readonly clock: Clock;
  /** Creates ids of new rows: orders, positions, fills, cash entries. Tests pass their own. */
  readonly newId: () => string;
};

/** The account, mode and actor that a work is for. */
export type Caller = Omit<Work, 'db' | 'newId'> & Partial<Pick<Work, 'newId'>>;

/** Opens work on behalf of an account. The only function that gives a work its handle, which sees that account alone. */
export const openWork = (pool: Handles, caller: Caller): Work => ({
  db: accountDb(pool, caller.accountId),
  newId,
  ...caller,
});

/** The books that an account keeps of one mode: cash, positions, orders, days. */
export type BooksKey = { readonly accountId: string; readonly mode: Mode };

/** One text per account and mode, as a key of maps and in logs. */
export const booksName = ({ accountId, mode }: BooksKey): string => `${accountId} ${mode}`;

/** Opens work that the service does for an account without a request. */
export const systemWork = (
  pool: Handles,
  { accountId, mode }: BooksKey,
  clock: Clock = databaseClock,
): Work => openWork(pool, { accountId, mode, actor: 'system', requestId: null, clock });

/** The database's clock, so that every process agrees, however its own clock is set. */
export const databaseClock: Clock = async (db) => {
  const { rows } = await db.executeQuery<{ now: string }>(NOW);
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('The database returned no time.');
  return new Date(now);
};
const NOW = CompiledQuery.raw('select clock_timestamp() as now');

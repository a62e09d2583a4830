import { CompiledQuery } from 'kysely';
import { accountDb, type Handles } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import type { Mode } from '../../db/vocabulary.ts';
import { newId } from './ids.ts';

/** Reads the moment decisions about money, keys and limits are taken at. Tests pass their own. */
export type Clock = (db: Db) => Promise<Date>;

/** What a use case may touch, on behalf of one account: the account's rows, in a transaction where one was begun. */
export type Work = {
  /** Sees the rows of `accountId` alone. Inside `transact` it is the transaction. */
  readonly db: Db;
  readonly accountId: string;
  /** Whose money: of the deployment, order or request this is about. What another mode holds is not there. */
  readonly mode: Mode;
  /** Who acts, as audit rows name it: `session:<user id>`, `key:<key id>` or `system`. */
  readonly actor: string;
  readonly requestId: string | null;
  readonly clock: Clock;
  /** Names what comes into being: orders, positions, fills, lines of cash. Tests pass their own. */
  readonly newId: () => string;
};

/** Who a work is for. */
export type Caller = Omit<Work, 'db' | 'newId'> & Partial<Pick<Work, 'newId'>>;

/** Work on behalf of an account. The one place where a work gets its handle, so that it is the account's own. */
export const openWork = (pool: Handles, caller: Caller): Work => ({
  db: accountDb(pool, caller.accountId),
  newId,
  ...caller,
});

/** The books that an account keeps of one mode: cash, positions, orders, days. */
export type BooksKey = { readonly accountId: string; readonly mode: Mode };

/** One text per account and mode, as a key of maps and in logs. */
export const nameOf = ({ accountId, mode }: BooksKey): string => `${accountId} ${mode}`;

/** What the service does for an account by itself: no request asked for it. */
export const systemWork = (
  pool: Handles,
  { accountId, mode }: BooksKey,
  clock: Clock = databaseClock,
): Work => openWork(pool, { accountId, mode, actor: 'system', requestId: null, clock });

/** The database's clock, so that every process agrees, however its own clock is set. */
export const databaseClock: Clock = async (db) => {
  const { rows } = await db.executeQuery<{ now: string }>(NOW);
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('The database did not tell the time.');
  return new Date(now);
};
const NOW = CompiledQuery.raw('select clock_timestamp() as now');

import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { accountDb, type Db } from '../db/tables.ts';

/** Reads the moment decisions about money, keys and limits are taken at. Tests pass their own. */
export type Clock = (db: Db) => Promise<Date>;

/** What a use case may touch: one unit of work, on behalf of one account. */
export type Work = {
  em: EntityManager;
  accountId: string;
  /** Who acts, as audit rows name it: `session:<user id>`, `key:<key id>` or `system`. */
  actor: string;
  requestId: string | null;
  clock: Clock;
  /** Set by `transact`: whether this transaction appended events, to be announced after its commit. */
  recorded?: { events: boolean };
};

/** Whether a web session acts: a person at the console, not an integration's key. */
export const isSession = (actor: string): boolean => actor.startsWith('session:');

/** The database's clock, so that every process agrees, however its own clock is set. */
export const databaseClock: Clock = async (db) => {
  const { rows } = await db.executeQuery<{ now: string }>(NOW);
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('The database did not tell the time.');
  return new Date(now);
};
const NOW = CompiledQuery.raw('select clock_timestamp() as now');

/** Kysely on the work's transaction, or on the pool where there is none: the rows of its account alone are there. */
export const dbOf = (work: Pick<Work, 'em' | 'accountId'>): Db => accountDb(work.em, work.accountId);

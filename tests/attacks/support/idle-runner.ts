import pg from 'pg';
import { clientConfig } from '../../../db/migrating/migrate.ts';
import { lockKey } from '../../../server/kernel/rounds/lock-session.ts';
import type { Fortress } from './fortress.ts';

/** Simulates a live runner that does nothing: a process that serves only the API refuses orders while no runner lives. */
export async function openIdleRunner({ database }: Fortress): Promise<{ close: () => Promise<void> }> {
  const client = new pg.Client(clientConfig(database.owner));
  await client.connect();
  await client.query('select pg_advisory_lock($1, $2)', lockKey('daily-loss'));
  return { close: () => client.end() };
}

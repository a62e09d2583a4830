import pg from 'pg';
import { clientConfig } from '../../../db/migrating/migrate.ts';
import { lockKey } from '../../../server/kernel/rounds/lock-session.ts';
import type { Fortress } from './fortress.ts';

/** A runner to all who look, which does nothing: a process that serves the API alone refuses what nobody would carry out. */
export async function openIdleRunner({ database }: Fortress): Promise<{ close: () => Promise<void> }> {
  const client = new pg.Client(clientConfig(database.owner));
  await client.connect();
  await client.query('select pg_advisory_lock($1, $2)', lockKey('daily-loss'));
  return { close: () => client.end() };
}

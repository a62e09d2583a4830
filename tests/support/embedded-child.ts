/**
 * The built-in database in a process of its own, so that tests can kill it.
 *
 * Arguments: the data folder, and `write` to insert 1, 2, 3, …, safe after a crash. Prints one JSON line once the server is
 * ready. Then prints every number once its commit is acknowledged. SIGTERM stops it in order.
 */

import pg from 'pg';
import { startEmbeddedPostgres } from '../../db/embedded.ts';

const [dir = '', task] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dir, durable: task === 'write' });
process.once('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});
console.log(JSON.stringify({ adopted: server.adopted }));

if (task === 'write') await write();
else setInterval(() => {}, 60_000);

async function write(): Promise<void> {
  const { host, port, user, password } = server;
  const client = new pg.Client({ host, port, user, password, database: 'postgres' });
  await client.connect();
  await client.query('create table if not exists number (value int generated always as identity)');
  for (;;) {
    const { rows } = await client.query<{ value: number }>(
      'insert into number default values returning value',
    );
    console.log(rows[0]?.value);
  }
}

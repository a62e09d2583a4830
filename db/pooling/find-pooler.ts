import pg from 'pg';
import { isBusyServer } from '../database-errors.ts';

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;
/** A pooler under load may give a connection the same session twice by chance. */
const ROUNDS = 5;

type Probe = pg.Client & { processID: number };

/**
 * Whether the statements of one connection all reach the same session of the server. True of PostgreSQL and of a pooler in
 * session mode, also of one with a single session left; false of one in transaction mode.
 *
 * @param config may have shorter times than 5 s to connect and 10 s to answer
 * @throws Error if the address cannot be used
 */
export async function keepsSession(config: pg.ClientConfig): Promise<boolean> {
  const first = await openProbe(config);
  let second: Probe | null = null;
  let session: number | null = null;
  try {
    session = await sessionOf(first);
    // The server states the process of a session when it connects; a pooler states a number of its own.
    if (first.processID === session) return true;
    second = await openProbe(config);
    for (let round = 0; round < ROUNDS; round++) {
      const before = await sessionOf(first);
      // Holds a session: that of the first connection, if it was returned to the pooler.
      await second.query('begin');
      const isShared = (await sessionOf(second)) === before || (await sessionOf(first)) !== before;
      await second.query('rollback');
      if (isShared) return false;
    }
    return true;
  } catch (error) {
    // The second connection waits for a session, the first does not wait behind it: it has kept its own.
    if (session !== null && isBusyServer(error) && (await sessionOf(first)) === session) return true;
    throw error;
  } finally {
    await Promise.all([first.end(), second?.end()]);
  }
}

/** Names the database behind an address: the same for two addresses of one database. */
export async function databaseIdOf(config: pg.ClientConfig): Promise<string> {
  const client = await openProbe(config);
  try {
    const { rows } = await client.query<{ id: string }>(
      `select system_identifier || '/' || current_database() as id from pg_control_system()`,
    );
    return rows[0]?.id ?? '';
  } finally {
    await client.end();
  }
}

async function openProbe(config: pg.ClientConfig): Promise<Probe> {
  const client = new pg.Client({
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    ...config,
  });
  client.on('error', () => {}); // the next statement reports it
  await client.connect();
  return client as Probe;
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

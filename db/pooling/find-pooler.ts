import pg from 'pg';

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;
/** A pooler under load may give a connection the same session twice by chance. */
const ROUNDS = 5;

type Probe = pg.Client & { processID: number };

/**
 * Whether the statements of one connection all reach the same session of the server. True of PostgreSQL and of a pooler in
 * session mode, false of one in transaction mode.
 *
 * @throws Error if the address cannot be used
 */
export async function keepsSession(config: pg.ClientConfig): Promise<boolean> {
  const first = await openProbe(config);
  let second: Probe | null = null;
  try {
    // The server states the process of a session when it connects; a pooler states a number of its own.
    if (first.processID === (await sessionOf(first))) return true;
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
    ...config,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on('error', () => {}); // the next statement reports it
  await client.connect();
  return client as Probe;
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

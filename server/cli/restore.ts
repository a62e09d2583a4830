/**
 * Restores a backup of the built-in database: `npm run restore -- --from <backup> [--until <instant>]`. The target is the
 * `DATA_DIR` of this environment, which must hold no database. With `WAL_ARCHIVE` it replays the archived log to its end, or to
 * the instant. Exit code 0 if the restored database has answered, else 1.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { renumberEvents } from '../../db/embedded/renumber-events.ts';
import { restoreBackup } from '../../db/embedded/restore.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { readConfig } from '../kernel/config.ts';
import { DATABASE_NAME, dataDirOf, reasonOf } from '../kernel/connect-database.ts';
import { readCommandLine, refuseCall } from './command-line.ts';

/** Replaying a day of a busy log takes minutes. */
const FOLLOWED_WITHIN_MS = 24 * 3_600_000;

const USAGE = 'Usage: npm run restore -- --from <backup> [--until 2026-11-22T12:00:00Z]';

async function restore(backup: string, until: Date | null): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== null)
    throw new Error('DATABASE_URL is set: unset it to restore the built-in database.');
  const dir = dataDirOf(config);
  const { walArchive } = config;
  const files = await restoreBackup({ backup: path.resolve(backup), dir, walArchive, until });
  console.error(`${files} files are as they were copied. Starting the database…`);
  const embedded = await startEmbeddedPostgres({
    dir,
    walArchive: walArchive ?? undefined,
    startTimeoutMs: FOLLOWED_WITHIN_MS,
  }).catch((error: unknown) => {
    rmSync(path.join(dir, 'data'), { recursive: true, force: true });
    throw new Error(`nothing was restored: ${reasonOf(error)}`);
  });
  try {
    const { host, port, user, password } = embedded;
    const login = { host, port, user, password };
    const at = await withClient({ ...login, database: 'postgres' }, lastCommitOf);
    console.log(`${dir} holds the database as it was at ${at}.`);
    await withClient({ ...login, database: DATABASE_NAME }, (client) => renumberEvents(client, new Date()));
  } catch (error) {
    throw new Error(
      `the numbers of events stay: ${reasonOf(error)}. Delete ${path.join(dir, 'data')} and restore again before you start the service, or readers of events may miss some.`,
    );
  } finally {
    await embedded.stop();
  }
  console.log('Next: npm run verify-ledger. Stop every other process that still uses the old database.');
}

async function withClient<Result>(
  login: pg.ClientConfig,
  task: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(login);
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

async function lastCommitOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at');
  return rows[0]?.at?.toISOString() ?? 'the end of the backup';
}

function instantOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new Error(`--until is ${text}, which is not an instant. ${USAGE}`);
  return at;
}

try {
  const { values } = readCommandLine(USAGE, { from: { type: 'string' }, until: { type: 'string' } });
  if (values.from === undefined) refuseCall(USAGE);
  await restore(values.from, instantOf(values.until));
} catch (error) {
  console.error(`The restore failed: ${reasonOf(error)}`);
  process.exitCode = 1;
}

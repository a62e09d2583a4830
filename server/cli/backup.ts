/**
 * Backs up the built-in database while it runs: `npm run backup -- [--to <folder>] [--keep 7]`, for example by cron. Exit code
 * 0 if the copy is complete and on disk, else 1, with nothing left behind.
 */
import path from 'node:path';
import { backupsIn, type Login, MANIFEST, takeBackup } from '../../db/embedded/backup.ts';
import { removeSegmentsBefore } from '../../db/embedded/wal-archive.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { openPool, unscopedDb } from '../../db/pool.ts';
import { readConfig } from '../kernel/config.ts';
import { DATABASE_NAME, dataDirOf, reasonOf } from '../kernel/connect-database.ts';
import { recordCommandEnd } from '../kernel/scheduled-commands.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';
import { readCommandLine } from './command-line.ts';

const USAGE = 'Usage: npm run backup -- [--to <folder>] [--keep <copies to retain, 1 to 1000>]';
const KEEP = '7';
const PROGRESS_PERIOD_MS = 5_000;

async function backUp(folder: string | undefined, keep: number, signal: AbortSignal): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== null) {
    throw new Error(
      'DATABASE_URL names a PostgreSQL of your own: back it up with its own tools (docs/operations.md).',
    );
  }
  const dir = dataDirOf(config);
  const embedded = await startEmbeddedPostgres({ dir, walArchive: config.walArchive ?? undefined });
  try {
    const to = path.resolve(folder ?? path.join(dir, 'backups'));
    const backup = await takeBackup(embedded, { folder: to, keep, progress: openProgress(), signal });
    console.log(`${backup.dir} holds the database (${inMb(backup.bytes)} before compression).`);
    for (const old of backup.removed) console.log(`Removed ${old}.`);
    const [oldest] = backupsIn(to);
    if (config.walArchive !== null && oldest !== undefined) {
      const removed = removeSegmentsBefore(config.walArchive, path.join(oldest, MANIFEST));
      if (removed > 0) console.log(`Removed ${removed} segments of the log that no backup needs.`);
    }
    await note(embedded);
    console.log(`Not included: auth-secret and credential-keys of ${dir}. Store them elsewhere.`);
  } finally {
    await embedded.stop();
  }
}

/** Records the time for the metrics; a failure here does not spoil the backup. */
async function note({ host, port, user, password }: Login): Promise<void> {
  const pool = await openPool({ host, port, user, password, dbName: DATABASE_NAME }, { poolMax: 1 });
  try {
    await recordCommandEnd(unscopedDb(pool), { name: 'backup', isOk: true });
  } catch (error) {
    console.error(`Metrics do not show this backup: ${reasonOf(error)}`);
  } finally {
    await pool.close();
  }
}

/** Reports progress from time to time. */
function openProgress(): (bytes: number) => void {
  let saidAtMs = performance.now();
  return (bytes) => {
    if (performance.now() - saidAtMs < PROGRESS_PERIOD_MS) return;
    saidAtMs = performance.now();
    console.error(`${inMb(bytes)} so far.`);
  };
}

const inMb = (bytes: number): string => `${Math.ceil(bytes / 1_048_576).toLocaleString('en')} MB`;

try {
  const { values } = readCommandLine(USAGE, {
    to: { type: 'string' },
    keep: { type: 'string', default: KEEP },
  });
  const keep = Number(values.keep);
  if (!Number.isInteger(keep) || keep < 1 || keep > 1_000)
    throw new Error(`--keep is ${values.keep}. ${USAGE}`);
  await backUp(values.to, keep, finishBeforeStopping());
} catch (error) {
  console.error(`No backup was made: ${reasonOf(error)}`);
  process.exitCode = 1;
}

/**
 * Moves receipts and inputs of old orders, and old points of equity, from the database to the archive: `npm run archive`, with
 * `ARCHIVE_URL`, daily, beside the service. Reports progress. May be interrupted (Ctrl-C) at any time, also by a crash; the next
 * run continues. Exit code 0 if nothing is left to archive.
 */
import { isNotInitialized } from '../../db/database-errors.ts';
import { systemDb } from '../../db/pool.ts';
import { archiveAccount, findAccountsToArchive } from '../../engine/usecases/archive/archive-account.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { LockSession } from '../kernel/rounds/lock-session.ts';
import { recordCommandEnd } from '../kernel/scheduled-commands.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';
import { readCommandLine } from './command-line.ts';
import { openCommandResources } from './command-resources.ts';

const USAGE = 'Usage: npm run archive';
const PROGRESS_PERIOD_MS = 5_000;
/** One statement looks for due orders in every account. */
const ANSWER_WITHIN_MS = 600_000;
const LEASE_MS = 30_000;

async function run(stopping: AbortSignal): Promise<boolean> {
  await using opened = new AsyncDisposableStack();
  const { pool, archive, close } = await openCommandResources(2, ANSWER_WITHIN_MS);
  opened.defer(close);
  if (archive === null) {
    console.error('There is no archive: set ARCHIVE_URL.');
    return false;
  }
  const lock = new LockSession(pool, 'archive', LEASE_MS);
  opened.defer(() => lock.close());
  if (!(await lock.hold())) {
    console.error('Another process archives already.');
    return false;
  }
  const db = systemDb(pool);
  const moved = { orders: 0, points: 0, bytes: 0 };
  let failures = 0;
  let saidAtMs = performance.now();
  for (const accountId of await findAccountsToArchive(db)) {
    try {
      for await (const { what, rows, bytes } of archiveAccount(db, archive, accountId)) {
        moved[what] += rows;
        moved.bytes += bytes;
        if (stopping.aborted) break;
        if (performance.now() - saidAtMs < PROGRESS_PERIOD_MS) continue;
        saidAtMs = performance.now();
        console.error(`${countsOf(moved)} so far.`);
      }
    } catch (error) {
      failures += 1;
      console.error(`Account ${accountId} was not archived: ${reasonOf(error)}`);
    }
    if (stopping.aborted) break;
  }
  const mebibytes = (moved.bytes / 1_048_576).toFixed(1);
  console.log(`${countsOf(moved)} are archived, ${mebibytes} MiB.`);
  if (stopping.aborted) console.error('Interrupted: the next run continues.');
  else await recordCommandEnd(db, { name: 'archive', isOk: failures === 0 });
  return failures === 0 && !stopping.aborted;
}

const countsOf = ({ orders, points }: { orders: number; points: number }): string =>
  `${orders.toLocaleString('en')} orders and ${points.toLocaleString('en')} points of equity`;

readCommandLine(USAGE, {});
try {
  if (!(await run(finishBeforeStopping()))) process.exitCode = 1;
} catch (error) {
  console.error(
    isNotInitialized(error)
      ? 'There is nothing to archive yet: start the service once.'
      : `Nothing more was archived: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

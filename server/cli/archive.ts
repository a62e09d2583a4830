/**
 * Moves old rows from the database to the archive: `npm run archive`, daily, beside the service. Receipts and inputs of orders, and
 * points of equity, go to `ARCHIVE_URL`; history and quotes go to `HISTORY_URL`. Reports progress. May be interrupted (Ctrl-C) at
 * any time, also by a crash; the next run continues. Exit code 0 if nothing is left to archive.
 */
import { isNotInitialized } from '../../db/database-errors.ts';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import type { BodyFolder } from '../../engine/history/archived-bodies.ts';
import { archiveAccount, findAccountsToArchive } from '../../engine/usecases/archive/archive-account.ts';
import { archiveBodies, findBodiesToArchive } from '../../engine/usecases/archive/history.ts';
import type { SealedPart } from '../../engine/usecases/archive/seal.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { LockSession } from '../kernel/rounds/lock-session.ts';
import { recordCommandEnd } from '../kernel/scheduled-commands.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';
import { readCommandLine } from './command-line.ts';
import { type CommandResources, openCommandResources } from './command-resources.ts';

const USAGE = 'Usage: npm run archive';
const PROGRESS_PERIOD_MS = 5_000;
/** One statement looks for due orders in every account. */
const ANSWER_WITHIN_MS = 600_000;
const LEASE_MS = 30_000;

async function run(stopping: AbortSignal): Promise<boolean> {
  await using opened = new AsyncDisposableStack();
  const resources = await openCommandResources(2, ANSWER_WITHIN_MS);
  const { pool, archive, historyArchive, close } = resources;
  opened.defer(close);
  if (archive === null && historyArchive === null) {
    console.error('There is no archive: set ARCHIVE_URL or HISTORY_URL.');
    return false;
  }
  const lock = new LockSession(pool, 'archive', LEASE_MS);
  opened.defer(() => lock.close());
  if (!(await lock.hold())) {
    console.error('Another process archives already.');
    return false;
  }
  const db = systemDb(pool);
  const moved: Moved = { orders: 0, points: 0, history: 0, quotes: 0, bytes: 0 };
  let failures = 0;
  let saidAtMs = performance.now();
  for await (const { of, parts } of findDue(db, resources)) {
    try {
      for await (const { what, rows, bytes } of parts) {
        moved[what] += rows;
        moved.bytes += bytes;
        if (stopping.aborted) break;
        if (performance.now() - saidAtMs < PROGRESS_PERIOD_MS) continue;
        saidAtMs = performance.now();
        console.error(`${countsOf(moved)} so far.`);
      }
    } catch (error) {
      failures += 1;
      console.error(`${of} was not archived: ${reasonOf(error)}`);
    }
    if (stopping.aborted) break;
  }
  const mebibytes = (moved.bytes / 1_048_576).toFixed(1);
  console.log(`${countsOf(moved)} are archived, ${mebibytes} MiB.`);
  if (stopping.aborted) console.error('Interrupted: the next run continues.');
  else await recordCommandEnd(db, { name: 'archive', isOk: failures === 0 });
  return failures === 0 && !stopping.aborted;
}

type What = 'orders' | 'points' | BodyFolder;
type Moved = Record<What | 'bytes', number>;
type Due = { readonly of: string; readonly parts: AsyncIterable<SealedPart & { readonly what: What }> };

async function* findDue(
  db: Db,
  { archive, historyArchive }: Pick<CommandResources, 'archive' | 'historyArchive'>,
): AsyncGenerator<Due> {
  if (archive !== null)
    for (const accountId of await findAccountsToArchive(db))
      yield { of: `Account ${accountId}`, parts: archiveAccount(db, archive, accountId) };
  if (historyArchive !== null)
    for (const due of await findBodiesToArchive(db))
      yield { of: `The ${due.folder} of ${due.of}`, parts: archiveBodies(db, historyArchive.store, due) };
}

const countsOf = ({ orders, points, history, quotes }: Moved): string => {
  const [ofOrders, ofPoints, ofHistory, ofQuotes] = [orders, points, history, quotes].map((count) =>
    count.toLocaleString('en'),
  );
  return `${ofOrders} orders, ${ofPoints} points of equity, ${ofHistory} chunks of history and ${ofQuotes} of quotes`;
};

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

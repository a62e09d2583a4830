/**
 * Keeps the books of every account a second time and compares: `npm run verify-ledger`, also on `DATABASE_URL`.
 * Reads only, and may run while the service works; says how far it is where that takes long. Exit code 0 if every number
 * is right, else 1 and a table; also 1 where it was stopped before its end (Ctrl-C).
 *
 * `--venues` also holds live books against what their venues say the accounts have (needs `CREDENTIAL_KEYS`), and says of each connection
 * that could not be asked why: 1 then too.
 */
import { isNothingThere } from '../../db/failures.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { findToKill } from '../../engine/connections/kill-switch.ts';
import { type Difference, type Verified, walkLedger } from '../../engine/ledger/verify-ledger.ts';
import { readConfig } from '../config.ts';
import { openConnection, reasonOf } from '../connection.ts';
import { openReach } from '../reach.ts';
import { finishBeforeStopping } from '../stop-signal.ts';
import { compareVenueLedger, type VenueLedger } from '../venue-ledger.ts';
import { readCommandLine } from './command-line.ts';
import { openOperation } from './operation.ts';

/** Differences that are printed; there may be as many as rows. */
const SHOWN_MAX = 200;
const PROGRESS_PERIOD_MS = 5_000;
/** What a large account has is sorted in one statement; a server that vanishes is noticed by its connection. */
const ANSWER_WITHIN_MS = 3_600_000;

type Found = { readonly shown: Difference[]; count: number; isWhole: boolean };

async function verify(stopping: AbortSignal): Promise<Found> {
  await using opened = new AsyncDisposableStack();
  const { places, release } = await openConnection(readConfig(process.env), () => {});
  opened.defer(release);
  // As the owner, before whom no row can hide, also before the first start of a version with another role.
  const pool = await openPool(places.owner, { poolMax: 1, answerWithinMs: ANSWER_WITHIN_MS });
  opened.defer(() => pool.close());
  const found: Found = { shown: [], count: 0, isWhole: true };
  const tell = openProgress();
  for await (const verified of walkLedger(systemDb(pool))) {
    found.shown.push(...verified.differences.slice(0, SHOWN_MAX - found.shown.length));
    found.count += verified.differences.length;
    tell(verified, found);
    found.isWhole = !stopping.aborted;
    if (!found.isWhole) break;
  }
  return found;
}

/** Says now and then how far it is. */
function openProgress(): (verified: Verified, found: Found) => void {
  let saidAtMs = performance.now();
  return ({ accountId, mode, done, total }, { count }) => {
    if (performance.now() - saidAtMs < PROGRESS_PERIOD_MS) return;
    saidAtMs = performance.now();
    const [of, all] = [done, total].map((entries) => entries.toLocaleString('en'));
    console.error(
      `Account ${accountId} (${mode}): ${of} of ${all} steps and fills, ${count} differences so far.`,
    );
  };
}

function report({ shown, count, isWhole }: Found): void {
  if (count > 0) {
    console.table(shown);
    if (count > shown.length) console.error(`… and ${count - shown.length} more.`);
    console.error(`The ledger differs in ${count} places. Stop trading and find out why.`);
  }
  if (!isWhole) console.error('Stopped before the end: what was not reached is not verified.');
  if (count > 0 || !isWhole) {
    process.exitCode = 1;
    return;
  }
  console.log(
    'The ledger agrees: positions, profits, balances and rule decisions follow from fills and receipts, and these from orders, limits, the audit trail and what the venues say.',
  );
}

/** Asks every venue that something may still be traded at. */
async function verifyVenues(): Promise<VenueLedger[]> {
  const { pool, keys, config, close } = await openOperation();
  try {
    const reach = openReach({ pool, keys, config });
    const found: VenueLedger[] = [];
    for (const row of await findToKill(systemDb(pool), {}))
      found.push(await compareVenueLedger(pool, reach, row));
    return found;
  } finally {
    await close();
  }
}

function reportVenues(found: readonly VenueLedger[]): void {
  if (found.length === 0) console.log('No account is connected to a venue.');
  for (const { row, differences, unasked } of found) {
    const name = `${row.venue} ${row.environment} "${row.label}" (${row.id})`;
    if (unasked !== null) console.error(`${name}: NOT ASKED: ${unasked}. Nothing is said of it.`);
    else if (differences.length === 0) console.log(`${name}: holdings and money agree.`);
    else console.error(`${name}: ${differences.length} differences.`);
    if (differences.length > 0) console.table(differences);
    if (unasked !== null || differences.length > 0) process.exitCode = 1;
  }
}

const USAGE = 'Usage: npm run verify-ledger [-- --venues]';

const withVenues = readCommandLine(USAGE, { venues: { type: 'boolean', default: false } }).values.venues;
try {
  report(await verify(finishBeforeStopping()));
  if (withVenues) reportVenues(await verifyVenues());
} catch (error) {
  const isEmpty = isNothingThere(error);
  console.error(
    isEmpty
      ? 'There is no ledger yet: start the service once.'
      : `The ledger was not verified: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

/**
 * Recomputes the books of every account and compares: `npm run verify-ledger`, also on `DATABASE_URL`. Reads only, except for a
 * record of its result, and may run beside the service; reports progress if slow. Exit code 0 if every number is right, else 1
 * and a table; also 1 if interrupted (Ctrl-C).
 *
 * `--heads FILE` also compares the chains with the heads in the file, from an earlier run. If all agrees it writes the present
 * ones. Store the file where the database's operators cannot write: it proves that nothing was rewritten together with its
 * chain.
 *
 * `--venues` also compares live books with the balances at their venues (needs `CREDENTIAL_KEYS`). It prints the reason for
 * each connection that could not be checked, and then exits with 1, too.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isNotInitialized } from '../../db/database-errors.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { findLostChainHeads, listChainHeads, parseChainHeads } from '../../engine/ledger/chain-heads.ts';
import { type Difference, type VerifiedPart, walkLedger } from '../../engine/ledger/verify-ledger.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { findTradingConnections } from '../../engine/trading/connections/kill-switch.ts';
import { openArchive } from '../kernel/archive/open-archive.ts';
import { readConfig } from '../kernel/config.ts';
import { connectDatabase, reasonOf } from '../kernel/connect-database.ts';
import { recordCommandEnd } from '../kernel/scheduled-commands.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';
import { adminBrokerOpener } from '../process/admin-broker.ts';
import { readCommandLine } from './command-line.ts';
import { openCommandResources } from './command-resources.ts';
import { type VenueBalanceCheck, verifyVenueBalances } from './verify-venue-balances.ts';

/** The most differences to print; there may be as many as rows. */
const PRINTED_MAX = 200;
const PROGRESS_PERIOD_MS = 5_000;
/** One statement sorts the rows of a large account; a lost server shows as a broken connection. */
const ANSWER_WITHIN_MS = 3_600_000;

type Found = { readonly printed: Difference[]; count: number; isWhole: boolean };

async function verify(stopping: AbortSignal, headsFile?: string): Promise<Found> {
  await using opened = new AsyncDisposableStack();
  const config = readConfig(process.env);
  const { access, release } = await connectDatabase(config, () => {});
  opened.defer(release);
  // Connects as the owner, for whom row-level security hides nothing. Also works before the first start of a version with
  // another role.
  const pool = await openPool(access.owner, { poolMax: 1, answerWithinMs: ANSWER_WITHIN_MS });
  opened.defer(() => pool.close());
  const found: Found = { printed: [], count: 0, isWhole: true };
  const add = (differences: readonly Difference[]) => {
    found.printed.push(...differences.slice(0, PRINTED_MAX - found.printed.length));
    found.count += differences.length;
  };
  const db = systemDb(pool);
  // Read before the walk: later writes only add links.
  const heads = headsFile === undefined ? '' : await listChainHeads(db);
  if (headsFile !== undefined && existsSync(headsFile))
    add(await findLostChainHeads(db, parseChainHeads(readFileSync(headsFile, 'utf8'))));
  const reportProgress = openProgress();
  for await (const verified of walkLedger(db, databaseClock, openArchive(config))) {
    add(verified.differences);
    reportProgress(verified, found);
    found.isWhole = !stopping.aborted;
    if (!found.isWhole) break;
  }
  if (found.isWhole) await note(db, found);
  if (headsFile !== undefined && found.isWhole && found.count === 0) storeHeads(headsFile, heads);
  return found;
}

/** Writes all or nothing: a truncated file would prove less. */
function storeHeads(file: string, heads: string): void {
  writeFileSync(`${file}.new`, heads);
  renameSync(`${file}.new`, file);
}

/**
 * Records the result for the metrics. A standby, or a database of an older version, accepts no record; the result still holds.
 */
async function note(db: Db, { count }: Found): Promise<void> {
  try {
    await recordCommandEnd(db, { name: 'verify-ledger', isOk: count === 0 });
  } catch (error) {
    console.error(`Metrics do not show this run: ${reasonOf(error)}`);
  }
}

/** Reports progress from time to time. */
function openProgress(): (verified: VerifiedPart, found: Found) => void {
  let saidAtMs = performance.now();
  return ({ accountId, mode, done, total }, { count }) => {
    if (total === 0 || performance.now() - saidAtMs < PROGRESS_PERIOD_MS) return;
    saidAtMs = performance.now();
    const [of, all] = [done, total].map((entries) => entries.toLocaleString('en'));
    console.error(
      `Account ${accountId} (${mode}): ${of} of ${all} steps and fills, ${count} differences so far.`,
    );
  };
}

function report({ printed, count, isWhole }: Found): void {
  if (count > 0) {
    console.table(printed);
    if (count > printed.length) console.error(`… and ${count - printed.length} more.`);
    console.error(`The ledger differs in ${count} places. Stop trading and find out why.`);
  }
  if (!isWhole) console.error('Stopped before the end: the rest is not verified.');
  if (count > 0 || !isWhole) {
    process.exitCode = 1;
    return;
  }
  console.log(
    'The ledger agrees: positions, profits, balances and rule decisions follow from fills and receipts, and these from orders, limits, the audit trail and what the venues say.',
  );
}

/** Compares every venue where an account may still trade. */
async function verifyVenues(): Promise<VenueBalanceCheck[]> {
  const { pool, keys, config, close } = await openCommandResources();
  try {
    const adminBroker = adminBrokerOpener({ pool, keys, config });
    const found: VenueBalanceCheck[] = [];
    for (const row of await findTradingConnections(systemDb(pool), {}))
      found.push(await verifyVenueBalances(pool, adminBroker, row));
    return found;
  } finally {
    await close();
  }
}

function reportVenues(found: readonly VenueBalanceCheck[]): void {
  if (found.length === 0) console.log('No account is connected to a venue.');
  for (const { row, differences, uncheckedReason } of found) {
    const name = `${row.venue} ${row.environment} "${row.label}" (${row.id})`;
    if (uncheckedReason !== null) console.error(`${name}: NOT CHECKED: ${uncheckedReason}.`);
    else if (differences.length === 0) console.log(`${name}: holdings and money agree.`);
    else console.error(`${name}: ${differences.length} differences.`);
    if (differences.length > 0) console.table(differences);
    if (uncheckedReason !== null || differences.length > 0) process.exitCode = 1;
  }
}

const USAGE = 'Usage: npm run verify-ledger [-- --heads FILE --venues]';

const { venues: withVenues, heads: headsFile } = readCommandLine(USAGE, {
  venues: { type: 'boolean', default: false },
  heads: { type: 'string' },
}).values;
try {
  report(await verify(finishBeforeStopping(), headsFile));
  if (withVenues) reportVenues(await verifyVenues());
} catch (error) {
  const isEmpty = isNotInitialized(error);
  console.error(
    isEmpty
      ? 'There is no ledger yet: start the service once.'
      : `The ledger was not verified: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

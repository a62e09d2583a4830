/**
 * Copies the database of these settings into an empty one: `npm run db:copy -- --to postgres://owner:password@host/name`. Use
 * it to move from the built-in database to a server, or to another major version of PostgreSQL. Migrates the target, copies one
 * snapshot of all tables, sets the sequences and verifies the ledger there. Stop the service first: writes after the snapshot
 * are not copied. Exit code 0 if all was copied and the ledger agrees.
 */
import { copyDatabase, isEmptyDatabase } from '../../db/copy.ts';
import { isMissingDatabase, isNotInitialized } from '../../db/database-errors.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import { walkLedger } from '../../engine/ledger/verify-ledger.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { databaseAccessOf, reasonOf } from '../kernel/connect-database.ts';
import { readCommandLine, refuseCall } from './command-line.ts';
import { openCommandResources } from './command-resources.ts';

const USAGE = 'Usage: npm run db:copy -- --to postgres://owner:password@host:5432/name';
const ANSWER_WITHIN_MS = 3_600_000;

function readTarget(): string {
  const { to } = readCommandLine(USAGE, { to: { type: 'string' } }).values;
  if (to === undefined || !/^postgres(ql)?:\/\//.test(to)) refuseCall(USAGE);
  return to.replace('@/', '@localhost/'); // without a host, as with a socket, other URL parsers reject it
}

async function isEmpty(to: string): Promise<boolean> {
  try {
    return await isEmptyDatabase({ clientUrl: to });
  } catch (error) {
    if (isMissingDatabase(error)) return true; // migrating creates it
    throw error;
  }
}

async function copy(to: string): Promise<boolean> {
  if (!(await isEmpty(to))) {
    console.error('The target is not empty: it has tables already. Name a database with nothing in it.');
    return false;
  }
  const { access, archive, close } = await openCommandResources(1);
  try {
    const target = databaseAccessOf(to, null);
    await prepareDatabase(target, (message) => console.warn(message));
    let total = 0;
    await copyDatabase(access.owner, target.owner, ({ table, rows }) => {
      total += rows;
      if (rows > 0) console.log(`${table}: ${rows.toLocaleString('en')}`);
    });
    const pool = await openPool(target.owner, { poolMax: 1, answerWithinMs: ANSWER_WITHIN_MS });
    let differences = 0;
    for await (const verified of walkLedger(systemDb(pool), databaseClock, archive))
      differences += verified.differences.length;
    await pool.close();
    if (differences > 0) {
      console.error(`${total} rows are copied, and the ledger differs there in ${differences} places.`);
      return false;
    }
    console.log(
      `${total.toLocaleString('en')} rows are copied, and the ledger agrees. Start the service with this address as DATABASE_URL, and with the same AUTH_SECRET and CREDENTIAL_KEYS.`,
    );
    return true;
  } finally {
    await close();
  }
}

const to = readTarget();
try {
  if (!(await copy(to))) process.exitCode = 1;
} catch (error) {
  console.error(
    isNotInitialized(error)
      ? 'There is no database to copy yet: start the service once.'
      : `Nothing was copied: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

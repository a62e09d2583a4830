/**
 * Keeps the books of every account a second time and compares: `npm run verify-ledger`, also on `DATABASE_URL`.
 * Reads only, and may run while the service works. Exit code 0 if every number is right, else 1 and a table.
 */
import { isNothingThere } from '../../db/failures.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { type Difference, verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { readConfig } from '../config.ts';
import { openConnection, reasonOf } from '../connection.ts';
import { finishBeforeStopping } from '../stop-signal.ts';

/** Differences that are printed; there may be as many as rows. */
const SHOWN_MAX = 200;

async function differences(): Promise<Difference[]> {
  await using opened = new AsyncDisposableStack();
  const { places, release } = await openConnection(readConfig(process.env), () => {});
  opened.defer(release);
  // As the owner, before whom no row can hide, also before the first start of a version with another role.
  const pool = await openPool(places.owner, { poolMax: 1 });
  opened.defer(() => pool.close());
  return await verifyLedger(systemDb(pool));
}

finishBeforeStopping();
try {
  const found = await differences();
  if (found.length > 0) {
    console.table(found.slice(0, SHOWN_MAX));
    if (found.length > SHOWN_MAX) console.error(`… and ${found.length - SHOWN_MAX} more.`);
    console.error(`The ledger differs in ${found.length} places. Stop trading and find out why.`);
    process.exitCode = 1;
  } else {
    console.log(
      'The ledger agrees: positions, profits, balances and rule decisions follow from fills and receipts, and these from orders, limits, the audit trail and what the venues say.',
    );
  }
} catch (error) {
  const isEmpty = isNothingThere(error);
  console.error(
    isEmpty
      ? 'There is no ledger yet: start the service once.'
      : `The ledger was not verified: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

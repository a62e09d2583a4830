/**
 * Keeps the books of every account a second time and compares: `npm run verify-ledger`, also on `DATABASE_URL`.
 * Reads only, and may run while the service works. Exit code 0 if every number is right, else 1 and a table.
 */
import { openDatabase } from '../../db/orm.ts';
import { kyselyOf } from '../../db/tables.ts';
import { verifyLedger } from '../../engine/accounting/verify-ledger.ts';
import { readConfig } from '../config.ts';
import { openConnection } from '../connection.ts';

const { connection, release } = await openConnection(readConfig(process.env), () => {});
const orm = await openDatabase(connection, { poolMax: 1 });
const differences = await verifyLedger(kyselyOf(orm.em.fork()));
await orm.close(true);
await release();

if (differences.length === 0) {
  console.log(
    'The ledger agrees: every position, profit, balance and rule decision follows from fills and receipts.',
  );
} else {
  console.table(differences);
  console.error(`The ledger differs in ${differences.length} places. Stop trading and find out why.`);
  process.exitCode = 1;
}

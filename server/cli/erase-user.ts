/**
 * Erases a user and all that names them: `npm run user:erase -- --email ada@example.com --yes`. Strategies stop, orders are
 * taken back, keys and connections end, and so do their sessions; the ledger stays without a name. Works beside the running
 * service. Exit code 0 once nothing is left to erase; where it says what has to be done first, do that and run it again.
 */
import { parseArgs } from 'node:util';
import { isNothingThere } from '../../db/failures.ts';
import { reasonOf } from '../connection.ts';
import { eraseUser } from '../erase-user.ts';
import { openOperation } from './operation.ts';

const USAGE = 'Usage: npm run user:erase -- --email ada@example.com --yes (it cannot be taken back)';
const ANSWER_WITHIN_MS = 15 * 60_000;

function readEmail(): string | null {
  try {
    const { email, yes } = parseArgs({
      options: { email: { type: 'string' }, yes: { type: 'boolean', default: false } },
    }).values;
    return yes && email?.includes('@') ? email : null;
  } catch {
    return null;
  }
}

const email = readEmail();
if (email === null) {
  console.error(USAGE);
  process.exit(1);
}
try {
  const { pool, close } = await openOperation(2, ANSWER_WITHIN_MS);
  try {
    const isErased = await eraseUser(pool, email);
    console.log(
      isErased
        ? `${email} is erased: nobody signs in as them, and the ledger that is left names nobody.`
        : `There is no user ${email}: nothing to erase.`,
    );
  } finally {
    await close();
  }
} catch (error) {
  console.error(
    isNothingThere(error)
      ? 'There is no database yet, so that nobody is in it.'
      : `${email} was not erased: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

/**
 * Erases a user and all personal data: `npm run user:erase -- --email ada@example.com --yes`. `--left` instead of the e-mail
 * erases every user who deleted their account in the console. Strategies stop, orders are canceled, and keys, connections and
 * sessions end; the ledger stays without a name. Runs beside the service. Exit code 0 once nothing is left to erase. If it
 * names a step to do first, do that and run it again.
 */
import { isNotInitialized } from '../../db/database-errors.ts';
import type { Pool } from '../../db/pool.ts';
import { findDeletedUsers } from '../identity/users/delete-account.ts';
import { erasePerson, eraseUser } from '../identity/users/erase-user.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { readCommandLine, refuseCall } from './command-line.ts';
import { openCommandResources } from './command-resources.ts';

const USAGE =
  'Usage: npm run user:erase -- --email ada@example.com --yes, or --left --yes for all deleted users (this cannot be undone)';
const ANSWER_WITHIN_MS = 15 * 60_000;

type Target = { email: string } | 'left';

function readTarget(): Target {
  const { email, left, yes } = readCommandLine(USAGE, {
    email: { type: 'string' },
    left: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  }).values;
  if (!yes || left === (email !== undefined)) refuseCall(USAGE);
  if (left) return 'left';
  if (!email?.includes('@')) refuseCall(USAGE);
  return { email };
}

/** Erases, and returns a sentence about the result. */
async function erase(pool: Pool, target: Target): Promise<string> {
  if (target !== 'left') {
    const { email } = target;
    return (await eraseUser(pool, email))
      ? `${email} is erased: sign-in is impossible, and the ledger that remains has no personal data.`
      : `There is no user ${email}: nothing to erase.`;
  }
  const all = await findDeletedUsers(pool);
  for (const person of all) await erasePerson(pool, person);
  return `${all.length} deleted ${all.length === 1 ? 'user is' : 'users are'} erased.`;
}

const target = readTarget();
const named = target === 'left' ? 'The deleted users' : target.email;
try {
  const { pool, close } = await openCommandResources(2, ANSWER_WITHIN_MS);
  try {
    console.log(await erase(pool, target));
  } finally {
    await close();
  }
} catch (error) {
  console.error(
    isNotInitialized(error)
      ? 'There is no database yet, so there are no users.'
      : `Not erased: ${named}: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

/**
 * Erases a user and all that names them: `npm run user:erase -- --email ada@example.com --yes`, or with `--left` in place of
 * the e-mail everybody who left by the console. Strategies stop, orders are
 * taken back, keys and connections end, and so do their sessions; the ledger stays without a name. Works beside the running
 * service. Exit code 0 once nothing is left to erase; where it says what has to be done first, do that and run it again.
 */
import { isNothingThere } from '../../db/failures.ts';
import type { Pool } from '../../db/pool.ts';
import { erasePerson, eraseUser } from '../identity/users/erase-user.ts';
import { findLeft } from '../identity/users/leave.ts';
import { reasonOf } from '../kernel/connection.ts';
import { readCommandLine, refuseCall } from './command-line.ts';
import { openOperation } from './operation.ts';

const USAGE =
  'Usage: npm run user:erase -- --email ada@example.com --yes, or --left --yes for all who left (it cannot be taken back)';
const ANSWER_WITHIN_MS = 15 * 60_000;

type Whom = { email: string } | 'left';

function readWhom(): Whom {
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

/** What was done, in words. */
async function erase(pool: Pool, whom: Whom): Promise<string> {
  if (whom !== 'left') {
    const { email } = whom;
    return (await eraseUser(pool, email))
      ? `${email} is erased: nobody signs in as them, and the ledger that is left names nobody.`
      : `There is no user ${email}: nothing to erase.`;
  }
  const all = await findLeft(pool);
  for (const person of all) await erasePerson(pool, person);
  return `${all.length} who left ${all.length === 1 ? 'is' : 'are'} erased.`;
}

const whom = readWhom();
const named = whom === 'left' ? 'Who left' : whom.email;
try {
  const { pool, close } = await openOperation(2, ANSWER_WITHIN_MS);
  try {
    console.log(await erase(pool, whom));
  } finally {
    await close();
  }
} catch (error) {
  console.error(
    isNothingThere(error)
      ? 'There is no database yet, so that nobody is in it.'
      : `${named} was not erased: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

import { systemDb } from '../../db/pool.ts';
import { grantOperator, revokeOperator } from '../identity/users/operators.ts';
import { createUser, findUser, resetPassword, resetSecondFactor } from '../identity/users/users.ts';
import { newSecret } from '../kernel/config.ts';
import { openAdministration } from './administration.ts';
import { readCommandLine, refuseCall } from './command-line.ts';

const USAGE =
  'Usage: npm run user:create -- --email ada@example.com [--name Ada] | npm run user:reset-password -- --email ada@example.com | npm run user:reset-second-factor -- --email ada@example.com | npm run operator:grant -- --email ada@example.com | npm run operator:revoke -- --email ada@example.com';
const COMMANDS: readonly (string | undefined)[] = [
  'create',
  'reset-password',
  'reset-second-factor',
  'grant-operator',
  'revoke-operator',
];

const { positionals, values } = readCommandLine(
  USAGE,
  { email: { type: 'string' }, name: { type: 'string' } },
  1,
);
const [command] = positionals;
const { email, name } = values;

if (!COMMANDS.includes(command) || !email?.includes('@')) refuseCall(USAGE);

const { config, pool, owner, auth, trail, close } = await openAdministration();
/** Rows of the audit trail that no request caused. */
const onCommandLine = (userId: string) => ({ subjectId: userId, after: null, requestId: null });

const password = newSecret().slice(0, 20);
const known = await findUser(pool, email);
if (command === 'create' && known) {
  console.error(`There is a user ${email} already.`);
  process.exitCode = 1;
} else if (command === 'create' && config.cell > 0) {
  console.error(
    'Users are created in cell 0, so that an e-mail has one user. Create it there, and move its account here.',
  );
  process.exitCode = 1;
} else if (command === 'create') {
  await createUser(auth, { email, name: name ?? email.replace(/@.*/, ''), password });
  console.log(`Created ${email} with the password ${password}`);
} else if (known && command === 'reset-second-factor') {
  await resetSecondFactor(auth, trail, known);
  console.log(`${email} signs in without a second factor now; every session of theirs has ended.`);
} else if (known && command === 'grant-operator') {
  const refusal = await grantOperator(systemDb(owner), known);
  if (refusal === null)
    await trail.record({ userId: known, action: 'operator.granted', ...onCommandLine(known) });
  else process.exitCode = 1;
  console[refusal === null ? 'log' : 'error'](refusal ?? `${email} is an operator: the page is /operator.`);
} else if (known && command === 'revoke-operator') {
  const was = await revokeOperator(systemDb(owner), known);
  if (was) await trail.record({ userId: known, action: 'operator.revoked', ...onCommandLine(known) });
  console.log(`${email} is no operator${was ? ' any more' : ''}.`);
} else if (known) {
  await resetPassword(auth, trail, { userId: known, password });
  console.log(`The password of ${email} is now ${password}; every session of theirs has ended.`);
} else {
  console.error(`There is no user ${email}.`);
  process.exitCode = 1;
}
await close();

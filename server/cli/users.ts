import { createUser, findUser, resetPassword, resetSecondFactor } from '../identity/users/users.ts';
import { newSecret } from '../kernel/config.ts';
import { openAdministration } from './administration.ts';
import { readCommandLine, refuseCall } from './command-line.ts';

const USAGE =
  'Usage: npm run user:create -- --email ada@example.com [--name Ada] | npm run user:reset-password -- --email ada@example.com | npm run user:reset-second-factor -- --email ada@example.com';
const COMMANDS: readonly (string | undefined)[] = ['create', 'reset-password', 'reset-second-factor'];

const { positionals, values } = readCommandLine(
  USAGE,
  { email: { type: 'string' }, name: { type: 'string' } },
  1,
);
const [command] = positionals;
const { email, name } = values;

if (!COMMANDS.includes(command) || !email?.includes('@')) refuseCall(USAGE);

const { pool, auth, trail, close } = await openAdministration();
const password = newSecret().slice(0, 20);
const known = await findUser(pool, email);
if (command === 'create' && known) {
  console.error(`There is a user ${email} already.`);
  process.exitCode = 1;
} else if (command === 'create') {
  await createUser(auth, { email, name: name ?? email.replace(/@.*/, ''), password });
  console.log(`Created ${email} with the password ${password}`);
} else if (known && command === 'reset-second-factor') {
  await resetSecondFactor(auth, trail, known);
  console.log(`${email} signs in without a second factor now; every session of theirs has ended.`);
} else if (known) {
  await resetPassword(auth, trail, { userId: known, password });
  console.log(`The password of ${email} is now ${password}; every session of theirs has ended.`);
} else {
  console.error(`There is no user ${email}.`);
  process.exitCode = 1;
}
await close();

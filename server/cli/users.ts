import { newSecret } from '../config.ts';
import { createUser, findUser, resetPassword } from '../users.ts';
import { openAdministration } from './administration.ts';
import { readCommandLine, refuseCall } from './command-line.ts';

const USAGE =
  'Usage: npm run user:create -- --email ada@example.com [--name Ada] | npm run user:reset-password -- --email ada@example.com';

const { positionals, values } = readCommandLine(
  USAGE,
  { email: { type: 'string' }, name: { type: 'string' } },
  1,
);
const [command] = positionals;
const { email, name } = values;

if ((command !== 'create' && command !== 'reset-password') || !email?.includes('@')) refuseCall(USAGE);

const { pool, auth, trail, close } = await openAdministration();
const password = newSecret().slice(0, 20);
const known = await findUser(pool, email);
if (command === 'create' && known) {
  console.error(`There is a user ${email} already.`);
  process.exitCode = 1;
} else if (command === 'create') {
  await createUser(auth, { email, name: name ?? email.replace(/@.*/, ''), password });
  console.log(`Created ${email} with the password ${password}`);
} else if (known) {
  await resetPassword(auth, trail, { userId: known, password });
  console.log(`The password of ${email} is now ${password}; every session of theirs has ended.`);
} else {
  console.error(`There is no user ${email}.`);
  process.exitCode = 1;
}
await close();

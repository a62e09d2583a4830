// npm run pictures [accept | record]: takes what the console looks like now for right (accept, the default), after asking
// a service anew what pages show (record). The pictures that changed are then to be looked at, and committed.

import { spawnSync } from 'node:child_process';

const [how = 'accept'] = process.argv.slice(2);
if (!['accept', 'record'].includes(how)) {
  process.stderr.write(`“${how}” is not known. Choose accept or record.\n`);
  process.exit(2);
}
const { status } = spawnSync(
  'vitest',
  ['run', '--config', 'vitest.e2e.config.ts', 'tests/e2e/pictures.e2e.ts'],
  { stdio: 'inherit', env: { ...process.env, PICTURES: how } },
);
process.exit(status ?? 1);

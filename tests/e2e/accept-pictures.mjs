// npm run pictures [accept | record]. `accept` (the default) takes the console's present pictures as the reference. `record`
// first records a service's answers again. Then review the changed pictures and commit them.

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

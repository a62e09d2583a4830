import { defineConfig } from 'vitest/config';
import { hasPooler } from './tests/pooler/start-pooler.ts';
import { TAGS } from './tests/support/tags.ts';

/** Journeys, row security and attacks, with everything that the service sends going through a PgBouncer in transaction mode. */
const THROUGH_POOLER = [
  'tests/pooler/**/*.pooler.ts',
  'tests/db/{row-security,pool}.test.ts',
  'tests/api/{contract-trading,keys,revoked,sign-in,signals}.test.ts',
  'tests/live/events.test.ts',
  'tests/orders/{approve,close,execution,transact}.test.ts',
  'tests/attacks/isolation.attack.ts',
];

const isInstalled = hasPooler();
if (!isInstalled)
  process.stderr.write(
    'SKIPPED: PgBouncer is not installed, so nothing was tested: apt-get install pgbouncer\n',
  );

export default defineConfig({
  resolve: {
    alias: [{ find: /^fast-check$/, replacement: `${import.meta.dirname}/tests/support/fast-check.ts` }],
  },
  test: {
    include: isInstalled ? THROUGH_POOLER : [],
    passWithNoTests: !isInstalled,
    ...(isInstalled && { globalSetup: 'tests/pooler/global-setup.ts' }),
    tags: TAGS,
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

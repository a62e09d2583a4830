import { defineConfig } from 'vitest/config';
import { slowFirst } from './tests/support/slow-first.ts';

// Processes are killed and started by the dozen: what they load is compiled once.
process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compiled';

/** Minutes, not seconds: these kill, freeze and starve real processes, one file at a time. */
export default defineConfig({
  test: {
    include: ['tests/faults/**/*.fault.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    pool: 'forks',
    fileParallelism: false,
    sequence: { sequencer: slowFirst('service', 'clock', 'orders', 'watchdog') },
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});

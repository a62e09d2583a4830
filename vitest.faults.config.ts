import { defineConfig } from 'vitest/config';
import { slowFirst } from './tests/support/slow-tests-first.ts';

// Tests kill and start processes by the dozen: one compilation of their packages is enough.
process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compiled';

/** Takes minutes: these tests kill, freeze and starve real processes, one file at a time. */
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

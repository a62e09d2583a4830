import { defineConfig } from 'vitest/config';

/** Minutes, not seconds: these kill, freeze and starve real processes, one file at a time. */
export default defineConfig({
  test: {
    include: ['tests/faults/**/*.fault.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});

import { defineConfig } from 'vitest/config';

/** Attacks on a process of the service, with the settings of production, one file at a time: what is measured is not shared. */
export default defineConfig({
  test: {
    include: ['tests/attacks/**/*.attack.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    pool: 'forks',
    fileParallelism: false,
    testTimeout: process.env['ATTACKS'] === 'full' ? 300_000 : 60_000,
    hookTimeout: 60_000,
  },
});

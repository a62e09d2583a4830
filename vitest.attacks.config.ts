import { defineConfig } from 'vitest/config';

/** Attacks on a process with production settings, one file at a time, because measurements must not share the machine. */
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

import { defineConfig } from 'vitest/config';

/** Tests that compute and touch no database: they run without waiting for one. */
const PURE = [
  'tests/*.test.ts',
  'tests/engine/**/*.test.ts',
  'tests/venues/**/*.test.ts',
  'tests/web/**/*.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['tests/**/*.test.ts'],
          exclude: PURE,
          globalSetup: 'tests/support/global-setup.ts',
        },
      },
    ],
  },
});

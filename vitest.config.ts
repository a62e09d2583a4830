import { defineConfig } from 'vitest/config';
import { TAGS } from './tests/support/tags.ts';

/** Pure tests without a database: they do not wait for one, and share imported modules. */
const PURE = [
  'tests/*.test.ts',
  'tests/client/**/*.test.ts',
  'tests/engine/**/*.test.ts',
  'tests/venues/**/*.test.ts',
  'tests/web/**/*.test.ts',
];

/** Holds each test to its processor time; `npm test` leaves out tests tagged as needing more. */
const setupFiles = 'tests/support/processor-budget.ts';

// Workers and the processes that tests start load the same packages: one compilation is enough.
process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compiled';

export default defineConfig({
  resolve: {
    alias: [{ find: /^fast-check$/, replacement: `${import.meta.dirname}/tests/support/fast-check.ts` }],
  },
  test: {
    pool: 'forks',
    // Imports are loaded once per worker: each test has its own database and service, and leaves no state behind.
    isolate: false,
    // More than the cores of the smallest machine, because some files mostly wait.
    maxWorkers: 3,
    // Only what hangs takes so long, even on two thirds of a core.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // On a busy machine polled conditions are met later than on a quiet one.
    expect: { poll: { timeout: 10_000 } },
    tags: TAGS,
    setupFiles,
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

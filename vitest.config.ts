import { defineConfig } from 'vitest/config';
import { TAGS } from './tests/support/tags.ts';

/** Tests that compute and touch no database: they run without waiting for one, and share what they import. */
const PURE = [
  'tests/*.test.ts',
  'tests/client/**/*.test.ts',
  'tests/engine/**/*.test.ts',
  'tests/venues/**/*.test.ts',
  'tests/web/**/*.test.ts',
];

/** Loops, kills and whole processes: what is left of one test must not meet the next, so each file has a process of its own. */
const APART = ['runner', 'server', 'connections', 'notifications'].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
);

const globalSetup = 'tests/support/global-setup.ts';

/** Holds each test to its processor time; `npm test` leaves out those that are tagged as needing more. */
const setupFiles = 'tests/support/processor-budget.ts';

// Each file of a process of its own loads the same packages: compiled once is enough.
process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compiled';

export default defineConfig({
  resolve: {
    alias: [{ find: /^fast-check$/, replacement: `${import.meta.dirname}/tests/support/fast-check.ts` }],
  },
  test: {
    pool: 'forks',
    // More than the cores of the smallest machine: some files wait for a while.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes in its time on a quiet machine, and later on a busy one.
    expect: { poll: { timeout: 10_000 } },
    tags: TAGS,
    setupFiles,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['tests/**/*.test.ts'],
          exclude: [...PURE, ...APART],
          // What a file imports is loaded once a worker: each has a database and a service of its own, and leaves no state behind.
          isolate: false,
          globalSetup,
        },
      },
      { extends: true, test: { name: 'apart', include: APART, globalSetup } },
    ],
  },
});

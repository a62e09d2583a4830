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

/** Loops, kills and whole processes: each file has its own process, so that leftovers of one test do not affect the next. */
const APART = ['runner', 'server', 'connections', 'notifications'].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
);

const globalSetup = 'tests/support/global-setup.ts';

/** Holds each test to its processor time; `npm test` leaves out tests tagged as needing more. */
const setupFiles = 'tests/support/processor-budget.ts';

// Files with their own process load the same packages: one compilation is enough.
process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compiled';

export default defineConfig({
  resolve: {
    alias: [{ find: /^fast-check$/, replacement: `${import.meta.dirname}/tests/support/fast-check.ts` }],
  },
  test: {
    pool: 'forks',
    // More than the cores of the smallest machine, because some files mostly wait.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a busy machine polled conditions are met later than on a quiet one.
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
          // Imports are loaded once per worker: each has its own database and service, and leaves no state behind.
          isolate: false,
          globalSetup,
        },
      },
      { extends: true, test: { name: 'apart', include: APART, globalSetup } },
    ],
  },
});

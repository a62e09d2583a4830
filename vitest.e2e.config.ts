import { defineConfig } from 'vitest/config';
import { slowFirst } from './tests/support/slow-tests-first.ts';

/** The console in a real browser, against a real process of the service. */
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.e2e.ts'],
    globalSetup: 'tests/e2e/support/global-setup.ts',
    pool: 'forks',
    // A worker keeps its browser: each test has a user and a context of its own.
    isolate: false,
    // More than the cores of the smallest machine, because many tests mostly wait for the service.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page on a loaded machine needs more than the default of one second.
    expect: { poll: { timeout: 15_000 } },
    sequence: {
      sequencer: slowFirst(
        'access',
        'journey',
        'pictures',
        'backtests',
        'facts',
        'autosave',
        'restart',
        'targets',
      ),
    },
  },
});

import { defineConfig } from 'vitest/config';

/** A cluster on loopback, from the files of `ops/`; takes about ten minutes. */
export default defineConfig({
  test: {
    include: ['tests/ha/**/*.ha.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 420_000,
  },
});

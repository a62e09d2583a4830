import { defineConfig } from 'vitest/config';

/** A cluster on loopback, by the files of `ops/`: some ten minutes. */
export default defineConfig({
  test: {
    include: ['tests/ha/**/*.ha.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 420_000,
  },
});

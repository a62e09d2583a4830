import { defineConfig } from 'vitest/config';

/** Two cells on loopback behind HAProxy, by the file of `ops/`, under traffic and kills. `CELL_MOVES` is the number of moves. */
export default defineConfig({
  test: {
    include: ['tests/cells/**/*.cells.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
});

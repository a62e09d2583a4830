import { defineConfig } from 'vitest/config';

/** Every alert by its cause, in a real Prometheus; takes about ten minutes. */
export default defineConfig({
  test: {
    include: ['tests/alerts/**/*.alerts.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

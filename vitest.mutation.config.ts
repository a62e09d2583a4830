import { defineConfig } from 'vitest/config';

/** The tests that mutants of the money core must not survive: none of them has a database. */
export default defineConfig({
  test: {
    pool: 'forks',
    include: ['tests/engine/{accounting,connections,instruments,ledger,orders,risk,simulation}/**/*.test.ts'],
  },
});

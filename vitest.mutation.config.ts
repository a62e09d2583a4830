import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Of the tests of trading at venues, those that ask none: they wait for nothing. */
const computes = (file: string): boolean => !/\basync\b/.test(readFileSync(file, 'utf8'));

/** The tests that mutants of the money core must not survive: none of them has a database. */
const ALL = [
  'tests/engine/{accounting,connections,instruments,ledger,orders,positions,reconciliation,risk,risk-rules,simulation,statistics}/**/*.test.ts',
  ...globSync('tests/venues/{binance,kalshi,polymarket}-*.test.ts').filter(computes),
];

/** Only those of some folders, `MUTATION_TESTS=risk,accounting`: a static mutant runs every test there is. */
const subjects = process.env['MUTATION_TESTS'];

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    include: subjects ? subjects.split(',').map((subject) => `tests/engine/${subject}/**/*.test.ts`) : ALL,
  },
});

import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Of the tests of trading at venues, those that ask none: they wait for nothing. */
const computes = (file: string): boolean => !/\basync\b/.test(readFileSync(file, 'utf8'));

const ofVenue = (venue: string): string[] => globSync(`tests/venues/${venue}-*.test.ts`).filter(computes);

/** The tests that mutants of the money core must not survive: none of them has a database. */
const ALL = [
  'tests/engine/{accounting,backtest,connections,instruments,ledger,orders,positions,reconciliation,risk,risk-rules,simulation,statistics}/**/*.test.ts',
  ...ofVenue('{binance,kalshi,polymarket}'),
];

/** Backtests over years of bars: with them each mutant that survives would take as long as a thousand that do not. */
const YEARS = ['bars', 'no-look-ahead', 'recorded-bars'].map(
  (name) => `tests/engine/backtest/${name}.test.ts`,
);

/** Only those of some folders or venues, `MUTATION_TESTS=risk,kalshi`: a static mutant runs every test there is. */
const subjects = process.env['MUTATION_TESTS'];

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    // What takes too long is told by Stryker, which knows how long it took before.
    testTimeout: 300_000,
    exclude: YEARS,
    include: subjects
      ? subjects
          .split(',')
          .flatMap((subject) => [`tests/engine/${subject}/**/*.test.ts`, ...ofVenue(subject)])
      : ALL,
  },
});

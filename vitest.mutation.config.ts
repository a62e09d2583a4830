import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { TAGS } from './tests/support/tags.ts';

/** Of the tests of trading at venues, those that ask none: they wait for nothing. */
const computes = (file: string): boolean => !/\basync\b/.test(readFileSync(file, 'utf8'));

const ofVenue = (venue: string): string[] => globSync(`tests/venues/${venue}-*.test.ts`).filter(computes);

/** The tests of the graph that say how a plan runs; formulas of indicators and random drawings at length say little more of it. */
const OF_A_RUN = globSync(
  'tests/engine/strategy/graph/{clocks,conditions,controls,exits,missed,notify,order,run,sources,states,stepper}.test.ts',
);

/** The tests that mutants of the money core must not survive: none of them has a database. */
const ALL = [
  'tests/engine/{books,ledger,risk,platform/instruments,research/{account,playback},trading/{connections,orders,positions,reconciliation},usecases/risk-rules}/**/*.test.ts',
  ...OF_A_RUN,
  ...ofVenue('{binance,kalshi,polymarket}'),
];

/** Backtests over years of bars: with them each mutant that survives would take as long as a thousand that do not. */
const YEARS = ['bars', 'no-look-ahead', 'recorded-bars'].map(
  (name) => `tests/engine/research/playback/${name}.test.ts`,
);

/** Only those of some folders or venues, `MUTATION_TESTS=risk,kalshi`: a static mutant runs every test there is. */
const subjects = process.env['MUTATION_TESTS'];

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    tags: TAGS,
    // What takes too long is told by Stryker, which knows how long it took before.
    testTimeout: 300_000,
    exclude: YEARS,
    include: subjects
      ? subjects
          .split(',')
          .flatMap((subject) =>
            subject === 'graph' ? OF_A_RUN : [`tests/engine/**/${subject}/**/*.test.ts`, ...ofVenue(subject)],
          )
      : ALL,
  },
});

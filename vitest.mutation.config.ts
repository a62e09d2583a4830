import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { TAGS } from './tests/support/tags.ts';

/** Whether a venue's trading tests are synchronous, so that they wait for nothing. */
const computes = (file: string): boolean => !/\basync\b/.test(readFileSync(file, 'utf8'));

const ofVenue = (venue: string): string[] => globSync(`tests/venues/${venue}-*.test.ts`).filter(computes);

/** The tests of how a plan runs; tests of indicator formulas and of long random graphs add little to it. */
const OF_A_RUN = globSync(
  'tests/engine/strategy/graph/{clocks,conditions,controls,exits,missed-candles,notify,order,run,sources,states,stepper}.test.ts',
);

/** The tests that mutants of the money core must not survive; none uses a database. */
const ALL = [
  'tests/engine/{books,ledger,risk,platform/instruments,research/{account,playback},trading/{connections,orders,positions,reconciliation},usecases/risk-rules}/**/*.test.ts',
  ...OF_A_RUN,
  ...ofVenue('{binance,kalshi,polymarket}'),
];

/** Backtests over years of bars: with them each surviving mutant would take as long as a thousand killed ones. */
const YEARS = ['bars', 'no-look-ahead', 'recorded-bars'].map(
  (name) => `tests/engine/research/playback/${name}.test.ts`,
);

/** Only the tests of some folders or venues, `MUTATION_TESTS=risk,kalshi`: a static mutant runs every test. */
const subjects = process.env['MUTATION_TESTS'];

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    tags: TAGS,
    // Stryker reports the timeouts, because it knows the earlier duration.
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

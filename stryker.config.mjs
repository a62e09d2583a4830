import { globSync, readFileSync } from 'node:fs';

/**
 * Whether a file of the money core only computes, and is mutated. A file with an `async` function, SQL or a kept connection waits
 * for a database or a venue. Tests with a real PostgreSQL, or with a venue that answers, cover it instead.
 */
const computes = (file) => !/\basync\b|\bkeepConnected\(|\.execute\(|\bsql`/.test(readFileSync(file, 'utf8'));

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: globSync('engine/platform/{order-states,valuation,clock/freshness,clock/utc-day}.ts')
    .concat(
      globSync(
        'engine/research/playback/{run-backtest,bars/bar-prices,bars/bar-path,bars/top-of-book,trader/event-queue,trader/simulated-graph-inputs,trader/simulated-markets,trader/simulated-liquidity,trader/order-event-scheduler}.ts',
      ),
    )
    .concat(globSync('engine/strategy/graph/run/*.ts'))
    .concat(globSync('venues/{binance,kalshi,polymarket}/trading/*.ts'))
    .concat(
      globSync(
        'engine/{books,ledger,risk,platform/instruments,trading/{connections,orders,positions,reconciliation},usecases/risk-rules}/**/*.ts',
      ),
    )
    .filter(computes)
    .sort(),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  ignorePatterns: [
    '/*',
    '!/engine',
    '!/db',
    '!/venues',
    '!/simulator',
    '!/tests',
    '/tests/e2e',
    '!/vitest.mutation.config.ts',
    '!/package.json',
  ],
  // The sandbox needs no tsconfig: rewriting one takes the compiler API, which TypeScript 7 does not have.
  tsconfigFile: 'none',
  concurrency: 2,
  timeoutMS: 20_000,
  // Whole backtests are among the tests, and a machine may have something else to do.
  dryRunTimeoutMinutes: 15,
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  thresholds: { high: 95, low: 90, break: 90 },
};

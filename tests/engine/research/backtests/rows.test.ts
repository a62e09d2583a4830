/** Where each row of the test plan for backtests and statistics is covered. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../../..');
const RUNS = 'tests/engine/research/playback';
const STATISTICS = 'tests/engine/books/statistics';

const KEPT: Readonly<Record<number, readonly string[]>> = {
  1: [`${STATISTICS}/reference.test.ts`, `${RUNS}/recorded-bars.test.ts`],
  2: [`${STATISTICS}/statistics.test.ts`],
  3: [`${STATISTICS}/peers.test.ts`],
  4: [`${STATISTICS}/statistics.test.ts`],
  5: [`${RUNS}/bars.test.ts`, 'tests/backtests/jobs.test.ts'],
  6: [`${RUNS}/bars.test.ts`],
  7: ['bench/backtest.ts'],
  8: [`${RUNS}/bars.test.ts`],
  9: ['tests/engine/strategy/graph/indicators.test.ts'],
  10: ['tests/engine/strategy/graph/stepper.test.ts', 'tests/faults/evaluations.fault.ts'],
  11: ['tests/orders/two-accounts.test.ts', 'tests/orders/two-paper-accounts.test.ts'],
  12: ['tests/runner/parity.test.ts', 'tests/faults/parity.fault.ts', `${RUNS}/between-candles.test.ts`],
  13: ['tests/runner/parity.test.ts', 'tests/faults/parity.fault.ts'],
  14: [`${RUNS}/no-look-ahead.test.ts`],
  15: [`${RUNS}/no-look-ahead.test.ts`],
  16: [`${RUNS}/no-look-ahead.test.ts`],
  17: [`${RUNS}/contracts.test.ts`],
  18: [`${RUNS}/contracts.test.ts`],
  19: [`${RUNS}/contracts.test.ts`, 'tests/backtests/substitute.test.ts'],
  20: [`${RUNS}/contracts.test.ts`],
  21: [`${RUNS}/no-look-ahead.test.ts`, 'tests/backtests/jobs.test.ts'],
  22: ['tests/backtests/jobs.test.ts'],
  23: [`${RUNS}/inside-bars.test.ts`],
  24: [`${RUNS}/inside-bars.test.ts`],
  25: [`${RUNS}/inside-bars.test.ts`, 'tests/faults/backtests.fault.ts'],
  26: [`${RUNS}/inside-bars.test.ts`, `${RUNS}/contracts.test.ts`],
  27: [`${RUNS}/inside-bars.test.ts`],
  28: [`${RUNS}/inside-bars.test.ts`],
  29: [`${RUNS}/contracts.test.ts`],
  30: ['tests/backtests/jobs.test.ts', 'tests/engine/research/backtests/worker-graph.test.ts'],
  31: ['tests/backtests/queue.test.ts'],
  32: ['tests/api/scopes.test.ts'],
  33: ['tests/backtests/jobs.test.ts', 'tests/faults/backtests.fault.ts'],
  34: ['tests/backtests/jobs.test.ts', 'tests/faults/backtests.fault.ts'],
  35: ['tests/backtests/jobs.test.ts', 'tests/backtests/queue.test.ts'],
  36: ['tests/backtests/jobs.test.ts', 'bench/backtest.ts'],
  37: ['bench/backtest-lag.ts'],
  38: ['tests/history/import.test.ts', 'tests/faults/history-import.fault.ts'],
  39: ['tests/history/import.test.ts', 'tests/history/store.test.ts', 'tests/backtests/jobs.test.ts'],
  40: ['tests/venues/past.test.ts'],
  41: ['tests/venues/past.test.ts'],
  42: ['tests/history/import-queue.test.ts', 'tests/venues/past.test.ts', `${RUNS}/contracts.test.ts`],
  43: ['tests/engine/research/search/sweep.test.ts', 'bench/backtest.ts'],
  44: ['tests/engine/research/search/outcome.test.ts'],
  45: ['tests/engine/research/search/sweep.test.ts', 'tests/engine/research/search/walk-forward.test.ts'],
  50: ['tests/orders/backtest-statistics.test.ts'],
  51: ['tests/engine/research/backtests/report.test.ts', 'tests/engine/research/backtests/csv.test.ts'],
  52: ['tests/e2e/backtests.e2e.ts'],
  53: ['tests/engine/research/backtests/compare.test.ts'],
  54: ['tests/README.md'],
};

const testedRows = [...Array.from({ length: 45 }, (_, row) => row + 1), 50, 51, 52, 53, 54];

test('every row is covered by a test, by its number', () => {
  expect(Object.keys(KEPT).map(Number)).toEqual(testedRows);
  const unnamed = Object.entries(KEPT).flatMap(([row, files]) =>
    files
      .filter(
        (file) =>
          !new RegExp(String.raw`\brows?\b[^\n]*\b${row}\b`, 'i').test(
            readFileSync(path.join(ROOT, file), 'utf8'),
          ),
      )
      .map((file) => `${row}: ${file}`),
  );
  expect(unnamed).toEqual([]);
});

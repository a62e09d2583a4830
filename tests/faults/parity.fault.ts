import { expect, test } from 'vitest';
import { printFigure } from '../support/fault-figures.ts';
import { paperAndBacktest, STEP_MS } from '../support/parity.ts';
import { twentyGraphs } from '../support/parity-graphs.ts';

/** Simulated hours, 24 for the full test; each takes half a minute to a minute. */
const HOURS = Number(process.env['FAULT_HOURS'] ?? 0.5);
const FROM_MS = Date.UTC(2026, 9, 5);

test(`rows 12 and 13: ${HOURS} hours of twenty blueprints on paper: backtests give the same fills, cash, orders and positions, and so does a replay of every tick`, async () => {
  const steps = Math.round((HOURS * 3_600_000) / STEP_MS);
  const { pairs, replayed } = await paperAndBacktest({
    fromMs: FROM_MS,
    steps,
    visuals: twentyGraphs(FROM_MS),
  });
  const fills = pairs.map(({ paper }) => paper.fills.length);
  printFigure(`orders and fills of each in ${HOURS} hours`, fillsOfEach(pairs));
  const others = pairs.flatMap(({ paper, backtest }, place) =>
    JSON.stringify(paper) === JSON.stringify(backtest) ? [] : [place + 1],
  );
  printFigure('drawings that did otherwise in a backtest', others.join(', ') || 'none');
  for (const { paper, backtest } of pairs) expect(backtest).toEqual(paper);
  expect(replayed).toEqual(fills.map(() => ({ kind: 'equal', steps, intents: expect.any(Number) })));
  // A graph that does not trade proves nothing.
  for (const count of fills) expect(count).toBeGreaterThanOrEqual(Math.floor(HOURS));
  expect(fills.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20 * HOURS);
}, 7_200_000);

const fillsOfEach = (pairs: Awaited<ReturnType<typeof paperAndBacktest>>['pairs']): string =>
  pairs.map(({ paper }, place) => `${place + 1}: ${paper.orders.length}, ${paper.fills.length}`).join('; ');

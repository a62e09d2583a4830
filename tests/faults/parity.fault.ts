import { expect, test } from 'vitest';
import { printFigure } from '../support/fault-figures.ts';
import { paperAndBacktest, STEP_MS } from '../support/parity.ts';
import { twentyDrawings } from '../support/parity-drawings.ts';

/** Simulated hours, 24 for the whole of it; each takes half a minute. */
const HOURS = Number(process.env['FAULT_HOURS'] ?? 0.5);
const FROM_MS = Date.UTC(2026, 9, 5);

test(`row 12: ${HOURS} hours of twenty blueprints on paper, and the same fills, cash and orders in backtests of them`, async () => {
  const steps = (HOURS * 3_600_000) / STEP_MS;
  const visuals = twentyDrawings(['KXELONMARS-99:yes', 'KXPRESPARTY-2028-R:yes']);
  const pairs = await paperAndBacktest({ fromMs: FROM_MS, steps, visuals });
  const fills = pairs.reduce((sum, { paper }) => sum + paper.fills.length, 0);
  printFigure(`fills in ${HOURS} hours`, fills);
  for (const { paper, backtest } of pairs) expect(backtest).toEqual(paper);
  expect(fills).toBeGreaterThan(20 * HOURS);
}, 3_600_000);

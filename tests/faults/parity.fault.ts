import { expect, test } from 'vitest';
import { printFigure } from '../support/fault-figures.ts';
import { paperAndBacktest, STEP_MS } from '../support/parity.ts';
import { twentyDrawings } from '../support/parity-drawings.ts';
import { replay } from '../support/tick-log.ts';

/** Simulated hours, 24 for the whole of it; each takes half a minute. */
const HOURS = Number(process.env['FAULT_HOURS'] ?? 0.5);
/** Of no more are the steps kept in memory and played again. */
const RECORDED_HOURS_MAX = 3;
const FROM_MS = Date.UTC(2026, 9, 5);

test(`rows 12 and 13: ${HOURS} hours of twenty blueprints on paper, and the same fills, cash and orders in backtests of them`, async () => {
  const steps = (HOURS * 3_600_000) / STEP_MS;
  const visuals = twentyDrawings(['KXELONMARS-99:yes', 'KXPRESPARTY-2028-R:yes']);
  const recordsTicks = HOURS <= RECORDED_HOURS_MAX;
  const { pairs, ticks, candlesOf } = await paperAndBacktest({
    fromMs: FROM_MS,
    steps,
    visuals,
    recordsTicks,
  });
  const fills = pairs.reduce((sum, { paper }) => sum + paper.fills.length, 0);
  printFigure(`fills in ${HOURS} hours`, fills);
  for (const { paper, backtest } of pairs) expect(backtest).toEqual(paper);
  for (const log of ticks) expect(replay(log, candlesOf)).toMatchObject({ kind: 'equal', steps });
  expect(fills).toBeGreaterThan(20 * HOURS);
}, 3_600_000);

import { expect, test } from 'vitest';
import { printFigure } from '../support/fault-figures.ts';
import { paperAndBacktest, STEP_MS } from '../support/parity.ts';
import { randomDrawings, typesMissingIn } from '../support/random-drawings.ts';

/** 60 drawings and 24 hours for the full test. */
const DRAWINGS = Number(process.env['PARITY_DRAWINGS'] ?? 12);
const HOURS = Number(process.env['PARITY_HOURS'] ?? 0.2);
const SEED = Number(process.env['PARITY_SEED'] ?? 33);

test('60 random drawings have every node type, and many have lists or modules', () => {
  const drawings = randomDrawings(60, SEED);
  expect(typesMissingIn(drawings)).toEqual([]);
  expect(drawings.filter((drawing) => 'modules' in Object(drawing)).length).toBeGreaterThan(5);
  expect(drawings.filter((drawing) => 'parameters' in Object(drawing)).length).toBeGreaterThan(5);
});

test(`${DRAWINGS} random drawings give the same orders, fills, positions and cash on paper for ${HOURS} hours, in a backtest and in a replay of every tick`, {
  tags: ['long'],
  timeout: 36_000_000,
}, async () => {
  const visuals = randomDrawings(DRAWINGS, SEED);
  const steps = Math.round((HOURS * 3_600_000) / STEP_MS);
  const { pairs, replayed } = await paperAndBacktest({ fromMs: Date.UTC(2026, 9, 5, 12), steps, visuals });
  const counts = pairs.map(({ paper }) => `${paper.orders.length}/${paper.fills.length}`);
  printFigure(`orders and fills of each in ${HOURS} hours`, counts.join(' '));
  const others = pairs.flatMap(({ paper, backtest }, index) =>
    JSON.stringify(paper) === JSON.stringify(backtest) ? [] : [index],
  );
  printFigure('drawings that did otherwise in a backtest', others.join(', ') || 'none');
  for (const { paper, backtest } of pairs) expect(backtest).toEqual(paper);
  expect(replayed.filter(({ kind }) => kind !== 'equal')).toEqual([]);
  expect(pairs.filter(({ paper }) => paper.fills.length > 0).length).toBeGreaterThan(DRAWINGS / 2);
});

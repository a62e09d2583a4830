import { expect, test } from 'vitest';
import { killBetweenLegs } from '../support/basket-kills.ts';
import { printFigure } from '../support/fault-figures.ts';

/** Kills at one of this number of points. */
const EVERY = Number(process.env['FAULT_EVERY'] ?? 1);

test('killed at every statement between the legs of a basket: it is completed or undone, nothing twice', async () => {
  const ends = await killBetweenLegs(EVERY);
  printFigure('kills between legs: points, complete, undone', Object.values(ends).join(', '));
  expect(ends.points).toBeGreaterThan(30);
  expect(ends.undone).toBeGreaterThan(0);
}, 1_800_000);

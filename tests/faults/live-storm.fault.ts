/**
 * Row 110, in full: many orders at all three venues through the runner, while requests, answers and streams fail in every way.
 * At the end the books equal the venues', no order exists twice and no fill is lost. The fate of every order
 * whose answer was lost is known in time.
 */
import { describe, expect, test } from 'vitest';
import { printStorm, type StormFigures, storm } from '../support/storm.ts';

/** Orders of one storm, over all venues; storms; and placements with a fault each. */
const ORDERS = Number(process.env['FAULT_STORM_ORDERS'] ?? 1_000);
const SEEDS = Number(process.env['FAULT_STORM_SEEDS'] ?? 10);
/** The seed of the first storm, so that one storm can be repeated alone. */
const FIRST_SEED = Number(process.env['FAULT_STORM_FIRST_SEED'] ?? 1);
const PLACEMENTS = Number(process.env['FAULT_PLACEMENTS'] ?? 10_000);
const FATE_WITHIN_SEC = 30;

const ordersEach = Math.ceil(ORDERS / 3);

function expectConsistent(seed: number, { differences, ...figures }: StormFigures): void {
  printStorm(seed, { differences, ...figures });
  expect(differences).toEqual([]);
  expect(figures.slowestSec).toBeLessThanOrEqual(FATE_WITHIN_SEC);
}

describe('row 110: each fault in one of twenty cases', () => {
  const seeds = Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at);
  test.each(seeds)(
    'seed %i',
    async (seed) => {
      expectConsistent(
        seed,
        await storm({ seed, orders: ordersEach, share: { placing: 0.05, else: 0.05 }, isPatient: true }),
      );
    },
    1_800_000,
  );
});

test('thousands of placements with a fault each: none exists twice, and the fate of each is known in time', async () => {
  let faulted = 0;
  for (let seed = 1_001; faulted < PLACEMENTS; seed += 1) {
    const figures = await storm({ seed, orders: ordersEach, share: { placing: 0.35, else: 0.05 } });
    faulted += figures.faulted;
    expectConsistent(seed, figures);
  }
}, 14_400_000);

import { afterEach, beforeEach, describe, test } from 'vitest';
import { raceDeployAndStop, raceStopAndTick } from '../runner/races.ts';
import { openRunnerWorld, type RunnerWorld } from '../runner/support.ts';

const RACES = Number(process.env['FAULT_RACES'] ?? 1_000);

let world: RunnerWorld;
beforeEach(async () => {
  world = await openRunnerWorld();
});
afterEach(() => world.close());

describe(`${RACES} races`, () => {
  test('of a stop with a tick: no order after the answer of the stop', async () => {
    await raceStopAndTick(world, RACES);
  });

  test('of deploys, stops and edits with a 20 ms period: only legal states', async () => {
    await raceDeployAndStop(world, RACES);
  });
});

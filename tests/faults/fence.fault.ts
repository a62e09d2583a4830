import { describe, test } from 'vitest';
import { raceDeployAndStop, raceStopAndTick } from '../runner/races.ts';
import { openRunnerWorld } from '../runner/support.ts';
import { openedForEachTest } from '../support/opened.ts';

const RACES = Number(process.env['FAULT_RACES'] ?? 1_000);

const world = openedForEachTest(openRunnerWorld);

describe(`${RACES} races`, () => {
  test('of a stop with a tick: no order after the answer of the stop', async () => {
    await raceStopAndTick(world, RACES);
  });

  test('of deploys, stops and edits with a 20 ms period: only legal states', async () => {
    await raceDeployAndStop(world, RACES);
  });
});

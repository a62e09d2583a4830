import { afterEach, beforeEach, describe, test } from 'vitest';
import { raceDeployAndStop, raceStopAndTick } from './races.ts';
import { openRunnerWorld, type RunnerWorld } from './support.ts';

let world: RunnerWorld;
beforeEach(async () => {
  world = await openRunnerWorld();
});
afterEach(() => world.close());

describe('after the answer of a stop', () => {
  test('no order of that deployment appears, however ticks race it', { timeout: 60_000 }, async () => {
    await raceStopAndTick(world, 100);
  });
});

describe('deploys, stops and edits that race ticks', () => {
  test('leave only legal states', { timeout: 60_000 }, async () => {
    await raceDeployAndStop(world, 50);
  });
});

import { afterEach, beforeEach, describe, test } from 'vitest';
import { raceDeployAndStop, raceStopAndTick } from './races.ts';
import { openRunnerWorld, type RunnerWorld } from './support.ts';

let world: RunnerWorld;
beforeEach(async () => {
  world = await openRunnerWorld();
});
afterEach(() => world.close());

describe('after the answer of a stop', () => {
  test('no order of that deployment appears, however ticks race it', { tags: ['long'] }, async () => {
    await raceStopAndTick(world, 100);
  });
});

describe('deploys, stops and edits that race ticks', () => {
  test('leave only legal states', { tags: ['long'] }, async () => {
    await raceDeployAndStop(world, 50);
  });
});

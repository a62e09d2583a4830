import { describe, test } from 'vitest';
import { openedForEachTest } from '../support/opened.ts';
import { raceDeployAndStop, raceStopAndTick } from './races.ts';
import { openRunnerWorld } from './support.ts';

const world = openedForEachTest(openRunnerWorld);

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

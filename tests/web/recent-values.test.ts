import { expect, test } from 'vitest';
import { numbersOf, type RecentValues, recentOf, withLatest } from '../../web/src/editor/recent-values.ts';
import type { NodeState } from '../../web/src/live/events.ts';

const state = (value: NodeState['value'], updatedAt: number): NodeState => ({
  status: 'ok',
  value,
  updatedAt,
  firedCount: 0,
});

const after = (states: readonly NodeState[]): RecentValues =>
  states.reduce<RecentValues>((recent, each) => withLatest(recent, { node: each }), new Map());

test('numbers are kept as they come, at most the last 40; the same report twice is one', () => {
  expect(recentOf(after([state(1, 10), state(1, 10), state(1, 20)]), 'node')).toEqual([
    { value: 1, at: 10 },
    { value: 1, at: 20 },
  ]);
  const many = numbersOf(recentOf(after(Array.from({ length: 100 }, (_, at) => state(at, at))), 'node'));
  expect([many.length, many[0], many.at(-1)]).toEqual([40, 60, 99]);
});

test('yes and no are kept when they change, with the time of the change; an unknown value adds none', () => {
  const trail = recentOf(
    after([state(false, 1), state(false, 2), state(true, 3), state(null, 4), state(true, 5)]),
    'node',
  );
  expect(trail).toEqual([
    { value: false, at: 1 },
    { value: true, at: 3 },
  ]);
  expect(numbersOf(trail)).toEqual([]);
});

test('a node without a state starts again, and one that was never seen has none', () => {
  const recent = withLatest(after([state(1, 1)]), {});
  expect(recentOf(recent, 'node')).toEqual([]);
  expect(recentOf(recent, 'other')).toEqual([]);
});

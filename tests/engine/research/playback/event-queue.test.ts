import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EVENT_KINDS,
  EventQueue,
  type ScheduledEvent,
} from '../../../../engine/research/playback/trader/event-queue.ts';

const takeAll = (queue: EventQueue, atMs: number): ScheduledEvent[] => {
  const taken: ScheduledEvent[] = [];
  for (let due = queue.take(atMs); due !== undefined; due = queue.take(atMs)) taken.push(due);
  return taken;
};

test('due entries come by instant, of one instant in the order of the kinds, of one kind in the order of insertion', () => {
  const due = fc.record({ atMs: fc.integer({ min: 0, max: 5 }), kind: fc.constantFrom(...EVENT_KINDS) });
  fc.assert(
    fc.property(fc.array(due), (dues) => {
      const queue = new EventQueue();
      const named = dues.map((each, place) => ({ ...each, id: String(place) }));
      for (const each of named) queue.add(each);
      const inOrder = named.toSorted(
        (a, b) => a.atMs - b.atMs || EVENT_KINDS.indexOf(a.kind) - EVENT_KINDS.indexOf(b.kind),
      );
      expect(takeAll(queue, 5)).toEqual(inOrder);
    }),
  );
});

test('at one instant orders arrive first, then come cancels, approvals, ends and proposals', () => {
  expect(EVENT_KINDS).toEqual(['arrive', 'cancel', 'approve', 'expire', 'propose']);
});

test('nothing is taken before its instant, and an empty queue has no next', () => {
  const queue = new EventQueue();
  expect(queue.nextMs).toBe(Number.POSITIVE_INFINITY);
  expect(queue.take(1e15)).toBeUndefined();
  const due: ScheduledEvent = { atMs: 7, kind: 'arrive', id: 'a' };
  queue.add(due);
  expect(queue.nextMs).toBe(7);
  expect(queue.take(6)).toBeUndefined();
  expect(queue.take(7)).toBe(due);
  expect(queue.take(7)).toBeUndefined();
  expect(queue.nextMs).toBe(Number.POSITIVE_INFINITY);
});

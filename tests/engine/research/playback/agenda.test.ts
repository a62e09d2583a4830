import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Agenda, DUE_KINDS, type Due } from '../../../../engine/research/playback/trader/agenda.ts';

const takeAll = (agenda: Agenda, atMs: number): Due[] => {
  const taken: Due[] = [];
  for (let due = agenda.take(atMs); due !== undefined; due = agenda.take(atMs)) taken.push(due);
  return taken;
};

test('due entries come by instant, of one instant in the order of the kinds, of one kind in the order of insertion', () => {
  const due = fc.record({ atMs: fc.integer({ min: 0, max: 5 }), kind: fc.constantFrom(...DUE_KINDS) });
  fc.assert(
    fc.property(fc.array(due), (dues) => {
      const agenda = new Agenda();
      const named = dues.map((each, place) => ({ ...each, id: String(place) }));
      for (const each of named) agenda.add(each);
      const inOrder = named.toSorted(
        (a, b) => a.atMs - b.atMs || DUE_KINDS.indexOf(a.kind) - DUE_KINDS.indexOf(b.kind),
      );
      expect(takeAll(agenda, 5)).toEqual(inOrder);
    }),
  );
});

test('at one instant orders arrive first, then come cancels, approvals, ends and proposals', () => {
  expect(DUE_KINDS).toEqual(['arrive', 'cancel', 'approve', 'expire', 'propose']);
});

test('nothing is taken before its instant, and an empty queue has no next', () => {
  const agenda = new Agenda();
  expect(agenda.nextMs).toBe(Number.POSITIVE_INFINITY);
  expect(agenda.take(1e15)).toBeUndefined();
  const due: Due = { atMs: 7, kind: 'arrive', id: 'a' };
  agenda.add(due);
  expect(agenda.nextMs).toBe(7);
  expect(agenda.take(6)).toBeUndefined();
  expect(agenda.take(7)).toBe(due);
  expect(agenda.take(7)).toBeUndefined();
  expect(agenda.nextMs).toBe(Number.POSITIVE_INFINITY);
});

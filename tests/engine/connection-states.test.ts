import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONNECTION_STATES } from '../../db/vocabulary.ts';
import {
  afterFinding,
  type Finding,
  isConnectionEdge,
  mayCancel,
  mayEnter,
  mayExit,
  type Standing,
} from '../../engine/connections/states.ts';

const state = fc.constantFrom(...CONNECTION_STATES);
const standing: fc.Arbitrary<Standing> = fc.record({ state, isHeldByPerson: fc.boolean() });
const words = { code: fc.constant('clock'), reason: fc.constant('The clock is off.') };
const finding: fc.Arbitrary<Finding> = fc.oneof(
  fc.record({ kind: fc.constant('sound' as const) }),
  fc.record({ kind: fc.constant('impaired' as const), ...words }),
  fc.record({ kind: fc.constant('broken' as const), ...words }),
  fc.record({ kind: fc.constant('expired' as const), reason: words.reason }),
  fc.record({ kind: fc.constant('unproven' as const), ...words }),
);

test('what the service finds out never leads out of a halt, nor out of what a person has stopped', () => {
  fc.assert(
    fc.property(standing, finding, (from, found) => {
      const to = afterFinding(from, found)?.to ?? from.state;
      if (from.state === 'halted' || from.isHeldByPerson)
        expect(mayEnter(to) && !mayEnter(from.state)).toBe(false);
      if (from.state === 'halted') expect(['halted', 'expired']).toContain(to);
    }),
  );
});

test('what a person lets only reduce is let reduce again once all is green, and never more', () => {
  const held = { state: 'unverified', isHeldByPerson: true } as const;
  expect(afterFinding(held, { kind: 'sound' })).toMatchObject({ to: 'reduce_only', code: 'by_person' });
  expect(afterFinding({ ...held, state: 'reduce_only' }, { kind: 'sound' })).toBeNull();
});

test('every step is an edge, and nothing leads out of revoked', () => {
  fc.assert(
    fc.property(standing, finding, (from, found) => {
      const change = afterFinding(from, found);
      if (change !== null) expect(isConnectionEdge(from.state, change.to)).toBe(true);
      if (from.state === 'revoked') expect(change).toBeNull();
    }),
  );
});

test('only what is green becomes ready', () => {
  fc.assert(
    fc.property(standing, finding, (from, found) => {
      if (afterFinding(from, found)?.to === 'ready') expect(found.kind).toBe('sound');
    }),
  );
});

test('who may enter may exit, and who may exit may cancel', () => {
  for (const each of CONNECTION_STATES) {
    if (mayEnter(each)) expect(mayExit(each)).toBe(true);
    if (mayExit(each)) expect(mayCancel(each)).toBe(true);
  }
});

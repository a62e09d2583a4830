import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONNECTION_STATES } from '../../../../db/vocabulary.ts';
import {
  afterFinding,
  type Finding,
  type HeldState,
  isConnectionEdge,
  mayCancel,
  mayEnter,
} from '../../../../engine/trading/connections/states.ts';

const state = fc.constantFrom(...CONNECTION_STATES);
const standing: fc.Arbitrary<HeldState> = fc.record({ state, isHeldByPerson: fc.boolean() });
const words = { code: fc.constant('clock'), reason: fc.constant('The clock is off.') };
const finding: fc.Arbitrary<Finding> = fc.oneof(
  fc.record({ kind: fc.constant('sound' as const) }),
  fc.record({ kind: fc.constant('impaired' as const), ...words }),
  fc.record({ kind: fc.constant('broken' as const), ...words }),
  fc.record({ kind: fc.constant('expired' as const), reason: words.reason }),
  fc.record({ kind: fc.constant('unproven' as const), ...words }),
);

test("a finding of the service never leads out of a halt, nor out of a person's stop", () => {
  fc.assert(
    fc.property(standing, finding, (from, found) => {
      const to = afterFinding(from, found)?.to ?? from.state;
      if (from.state === 'halted' || from.isHeldByPerson)
        expect(mayEnter(to) && !mayEnter(from.state)).toBe(false);
      if (from.state === 'halted') expect(['halted', 'expired']).toContain(to);
    }),
  );
});

test('a connection that a person set to reduce-only returns to reduce-only once all is green, and never beyond', () => {
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

test('only a sound connection becomes ready', () => {
  fc.assert(
    fc.property(standing, finding, (from, found) => {
      if (afterFinding(from, found)?.to === 'ready') expect(found.kind).toBe('sound');
    }),
  );
});

test('a connection that may enter may cancel', () => {
  for (const each of CONNECTION_STATES) if (mayEnter(each)) expect(mayCancel(each)).toBe(true);
});

const EVERYWHERE = ['unverified', 'ready', 'reduce_only', 'halted', 'expired', 'revoked'] as const;
const toFrom = (from: (typeof EVERYWHERE)[number]) => EVERYWHERE.filter((to) => isConnectionEdge(from, to));

test('a connection resumes its state, ends for good, and leaves a halt or an expiry only by a new check', () => {
  expect(Object.fromEntries(EVERYWHERE.map((from) => [from, toFrom(from)]))).toEqual({
    unverified: ['ready', 'reduce_only', 'halted', 'expired', 'revoked'],
    ready: ['unverified', 'reduce_only', 'halted', 'expired', 'revoked'],
    reduce_only: ['unverified', 'ready', 'halted', 'expired', 'revoked'],
    halted: ['unverified', 'expired', 'revoked'],
    expired: ['unverified', 'halted', 'revoked'],
    revoked: [],
  });
});

test('it enters while ready, and cancels until its end', () => {
  expect(EVERYWHERE.filter(mayEnter)).toEqual(['ready']);
  expect(EVERYWHERE.filter(mayCancel)).toEqual(['unverified', 'ready', 'reduce_only', 'halted']);
});

test('each finding leads to its state, from the allowed ones, with its own message', () => {
  const why = { code: 'clock', reason: 'The clock is off.' };
  const led = (found: Finding) =>
    EVERYWHERE.map((from) => afterFinding({ state: from, isHeldByPerson: false }, found));
  const ready = { to: 'ready', code: null, reason: null };
  expect(led({ kind: 'sound' })).toEqual([ready, null, ready, null, null, null]);
  const reduced = { to: 'reduce_only', ...why };
  expect(led({ kind: 'impaired', ...why })).toEqual([reduced, reduced, null, null, null, null]);
  expect(led({ kind: 'unproven', ...why })).toEqual([null, reduced, null, null, null, null]);
  const halted = { to: 'halted', ...why };
  expect(led({ kind: 'broken', ...why })).toEqual([halted, halted, halted, null, halted, null]);
  const expired = { to: 'expired', code: 'credentials_expired', reason: why.reason };
  expect(led({ kind: 'expired', reason: why.reason })).toEqual([
    expired,
    expired,
    expired,
    expired,
    null,
    null,
  ]);
});

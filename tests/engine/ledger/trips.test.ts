import { describe, expect, test } from 'vitest';
import { stopsAt, tripsAt } from '../../../engine/ledger/trips.ts';
import { LEDGER } from './ledger.ts';
import type { LedgerRows } from './ledger-pages.ts';

const AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';

type Entry = LedgerRows['trips'][number];
const entry = (at: string, before: object | null, after: object): Entry => {
  const [known] = LEDGER.ruleChanges;
  if (known === undefined) throw new Error('The recorded ledger has no change of a rule.');
  return { ...known, at, before: before as Entry['before'], after: after as Entry['after'] };
};
const trip = (at: string) => entry(at, null, { loss: '1', limit: '1' });
const change = (at: string, from: string, to: string) =>
  entry(at, { maxDailyLoss: from }, { maxDailyLoss: to });
const seen = (decidedAt: string, trips: Entry[], ruleChanges: Entry[] = []) =>
  tripsAt({ ...LEDGER, trips, ruleChanges }, new Date(decidedAt));

describe('since when a decision saw the account tripped', () => {
  test('not at all, without an entry before it', () => {
    expect(seen(LATER, [])).toEqual([null]);
    expect(seen(AT, [trip(LATER)], [change(LATER, '1', '2')])).toEqual([null]);
  });

  test('since the trip, until 00:00 UTC or until this rule is changed, and no other', () => {
    expect(seen(LATER, [trip(AT)])).toEqual([AT]);
    expect(seen('2026-11-21T00:00:00.000Z', [trip(AT)])).toEqual([null]);
    expect(seen(LATER, [trip(AT)], [change('2026-11-20T12:30:00.000Z', '1', '2')])).toEqual([null]);
    expect(seen(LATER, [trip(AT)], [change('2026-11-20T12:30:00.000Z', '1', '1')])).toEqual([AT]);
    expect(seen(LATER, [trip(AT)], [change('2026-11-20T11:30:00.000Z', '1', '2')])).toEqual([AT]);
  });

  test('within the millisecond of an entry, before and after are both possible', () => {
    expect(seen(AT, [trip(AT)])).toEqual([null, AT]);
    expect(seen(LATER, [trip(AT)], [change(AT, '1', '2')])).toEqual([AT, null]);
    expect(seen(LATER, [trip(AT)], [change(LATER, '1', '2')])).toEqual([AT, null]);
  });
});

describe('since when a decision saw the account stopped by its drawdown', () => {
  const stopped = (decidedAt: string, ruleChanges: Entry[] = []) =>
    stopsAt({ stops: [trip(AT)], ruleChanges }, new Date(decidedAt));
  const changed = (at: string, before: object | null, after: object) => entry(at, before, after);
  const NEXT_WEEK = '2026-11-27T12:00:00.000Z';

  test('since the stop, which no day ends', () => {
    expect(stopped(NEXT_WEEK)).toEqual([AT]);
    expect(stopped('2026-11-20T11:59:59.999Z')).toEqual([null]);
  });

  test('until this rule is changed, and no other', () => {
    expect(stopped(NEXT_WEEK, [changed(LATER, { maxDrawdown: '5' }, { maxDrawdown: '6' })])).toEqual([null]);
    expect(stopped(NEXT_WEEK, [changed(LATER, { maxDrawdown: '5' }, {})])).toEqual([null]);
    expect(stopped(NEXT_WEEK, [changed(LATER, null, { maxDrawdown: '5' })])).toEqual([null]);
    expect(stopped(NEXT_WEEK, [change(LATER, '1', '2')])).toEqual([AT]);
  });
});

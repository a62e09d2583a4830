import { describe, expect, test } from 'vitest';
import { ClockSetbacks } from '../../../engine/ledger/clock-setbacks.ts';
import {
  compareDailyLossTrip,
  drawdownTripTimesSeenAt,
  lossTripTimesSeenAt,
} from '../../../engine/ledger/orders/stop-trips-in-audit-trail.ts';
import type { AuditRow } from '../../../engine/ledger/rows.ts';
import { firstOf, LEDGER } from './ledger.ts';
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
  lossTripTimesSeenAt({ ...LEDGER, trips, ruleChanges }, new Date(decidedAt));

describe('the time since which a decision saw the account tripped', () => {
  test('is none without an entry before it', () => {
    expect(seen(LATER, [])).toEqual([null]);
    expect(seen(AT, [trip(LATER)], [change(LATER, '1', '2')])).toEqual([null]);
  });

  test('is the trip, until 00:00 UTC or until this rule is changed, and no other', () => {
    expect(seen(LATER, [trip(AT)])).toEqual([AT]);
    expect(seen('2026-11-21T00:00:00.000Z', [trip(AT)])).toEqual([null]);
    expect(seen(LATER, [trip(AT)], [change('2026-11-20T12:30:00.000Z', '1', '2')])).toEqual([null]);
    expect(seen(LATER, [trip(AT)], [change('2026-11-20T12:30:00.000Z', '1', '1')])).toEqual([AT]);
    expect(seen(LATER, [trip(AT)], [change('2026-11-20T11:30:00.000Z', '1', '2')])).toEqual([AT]);
  });

  test('within the millisecond of an entry may be before or after it', () => {
    expect(seen(AT, [trip(AT)])).toEqual([null, AT]);
    expect(seen(LATER, [trip(AT)], [change(AT, '1', '2')])).toEqual([AT, null]);
    expect(seen(LATER, [trip(AT)], [change(LATER, '1', '2')])).toEqual([AT, null]);
  });
});

describe('the time since which a decision saw the account stopped by its drawdown', () => {
  const stopped = (decidedAt: string, ruleChanges: Entry[] = []) =>
    drawdownTripTimesSeenAt({ stops: [trip(AT)], ruleChanges }, new Date(decidedAt));
  const changed = (at: string, before: object | null, after: object) => entry(at, before, after);
  const NEXT_WEEK = '2026-11-27T12:00:00.000Z';

  test('is the stop, which no day ends', () => {
    expect(stopped(NEXT_WEEK)).toEqual([AT]);
    expect(stopped('2026-11-20T11:59:59.999Z')).toEqual([null]);
  });

  test('lasts until this rule is changed, and no other', () => {
    expect(stopped(NEXT_WEEK, [changed(LATER, { maxDrawdown: '5' }, { maxDrawdown: '6' })])).toEqual([null]);
    expect(stopped(NEXT_WEEK, [changed(LATER, { maxDrawdown: '5' }, {})])).toEqual([null]);
    expect(stopped(NEXT_WEEK, [changed(LATER, null, { maxDrawdown: '5' })])).toEqual([null]);
    expect(stopped(NEXT_WEEK, [change(LATER, '1', '2')])).toEqual([AT]);
  });
});

describe('the latch of the daily loss', () => {
  const trip = (at: string): AuditRow => ({
    ...firstOf(LEDGER.ruleChanges),
    action: 'daily_loss.tripped',
    at,
  });
  const lift = (at: string): AuditRow => ({
    ...firstOf(LEDGER.ruleChanges),
    at,
    before: { maxDailyLoss: '1' },
    after: { maxDailyLoss: '2' },
  });
  const [FIRST, SECOND] = ['2026-11-20T12:00:00.000Z', '2026-11-22T12:00:00.000Z'];
  const found = (tripped_at: string | null, trips: AuditRow[], ruleChanges: AuditRow[], isKept = true) => {
    const timeOrder = new ClockSetbacks();
    if (!isKept) for (const at of [SECOND, FIRST]) timeOrder.note({ seq: '1', at, is_step: false });
    const fields: string[] = [];
    const tradingAccount = { ...LEDGER.tradingAccount, tripped_at };
    compareDailyLossTrip(
      { accountId: 'a', tradingAccount, trips, ruleChanges, timeOrder },
      (_s, _i, field) => void fields.push(field),
    );
    return fields;
  };

  test('is the last one of the trail, on whatever day', () => {
    expect(found(null, [], [])).toEqual([]);
    expect(found(FIRST, [trip(FIRST)], [])).toEqual([]);
    expect(found(SECOND, [trip(FIRST), trip(SECOND)], [])).toEqual([]);
    expect(found(null, [trip(FIRST)], [lift(SECOND)])).toEqual([]);
    expect(found(SECOND, [trip(SECOND)], [lift(FIRST)])).toEqual([]);
  });

  test('that was lifted, set or moved without an audit row is found', () => {
    expect(found(null, [trip(FIRST)], [])).toEqual(['trippedAt']);
    expect(found(FIRST, [], [])).toEqual(['trippedAt']);
    expect(found(FIRST, [trip(FIRST)], [lift(SECOND)])).toEqual(['trippedAt']);
    expect(found(FIRST, [trip(FIRST), trip(SECOND)], [])).toEqual(['trippedAt']);
  });

  test('may be any that the trail states if the clock went back', () => {
    expect(found(FIRST, [trip(FIRST), trip(SECOND)], [], false)).toEqual([]);
    expect(found('2026-11-21T00:00:00.000Z', [trip(FIRST)], [], false)).toEqual(['trippedAt']);
  });
});

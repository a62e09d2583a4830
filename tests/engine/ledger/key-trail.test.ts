import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditRow, KeyRow } from '../../../engine/ledger/rows.ts';
import { KeyTrail } from '../../../engine/ledger/trails/key-trail.ts';
import { firstOf, LEDGER } from './ledger.ts';

const day = (count: number) => new Date(Date.UTC(2026, 11, 1 + count)).toISOString();
const audit = (verb: string, id: string, before: object | null, after: object | null): AuditRow =>
  ({ ...firstOf(LEDGER.ruleChanges), action: `api_key.${verb}`, subject_id: id, before, after }) as AuditRow;

const LIVE_KEY = { scopes: ['trade:live'], expiresAt: day(20), mode: 'live', envelope: { maxOrder: '10' } };
const row = (id: string, terms: Partial<KeyRow> = {}): KeyRow => ({
  id,
  scopes: ['trade:live'],
  envelope: { maxOrder: '10' },
  expires_at: day(20),
  revoked_at: null,
  client_id: null,
  ...terms,
});

/** Creates a key, and rotates the last one as often as requested, each ending after a number of days. */
function rotate(ends: readonly number[]): { rows: KeyRow[]; audits: AuditRow[] } {
  const rows = [row('k-0')];
  const audits = [audit('created', 'k-0', null, LIVE_KEY)];
  for (const [index, end] of ends.entries()) {
    rows[index] = row(`k-${index}`, { expires_at: day(end) });
    rows.push(row(`k-${index + 1}`));
    const after = { replacedBy: `k-${index + 1}`, expiresAt: day(end) };
    audits.push(audit('rotated', `k-${index}`, { expiresAt: day(20) }, after));
  }
  return { rows, audits };
}

const differences = (
  rows: readonly KeyRow[],
  audits: readonly AuditRow[],
  mode: 'paper' | 'live' = 'live',
) => {
  const trail = new KeyTrail();
  for (const each of audits) trail.take(each);
  const found: string[] = [];
  trail.compare(rows, mode, (_subject, id, field) => void found.push(`${id} ${field}`));
  return found;
};

describe('a key', () => {
  test('has the rights of its creation, through every rotation and in any order of the trail', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 6 }),
        fc.boolean(),
        (ends, isReversed) => {
          const { rows, audits } = rotate(ends);
          expect(differences(rows, isReversed ? audits.toReversed() : audits)).toEqual([]);
        },
      ),
    );
  });

  test.each<[string, Partial<KeyRow>, string[]]>([
    ['wider scopes', { scopes: ['trade:live', 'approve:live'] }, ['k-1 scopes']],
    ['other spending limits', { envelope: { maxOrder: '11' } }, ['k-1 envelope']],
    ['no spending limits', { envelope: null }, ['k-1 envelope']],
    ['a later end', { expires_at: day(21) }, ['k-1 expiresAt']],
    ['no end', { expires_at: null }, ['k-1 expiresAt']],
    ['an earlier end', { expires_at: day(1) }, []],
    ['an end by a person', { revoked_at: day(1) }, []],
  ])('with %s differs from the trail', (_what, altered, found) => {
    const { rows, audits } = rotate([3]);
    expect(differences([firstOf(rows), row('k-1', altered)], audits)).toEqual(found);
  });

  test('that was replaced or revoked stays so', () => {
    const { rows, audits } = rotate([3]);
    expect(differences([row('k-0'), row('k-1')], audits)).toEqual(['k-0 expiresAt']);
    expect(differences(rows, [...audits, audit('revoked', 'k-1', null, { revokedAt: day(1) })])).toEqual([
      'k-1 revokedAt',
    ]);
  });

  test('without a creator, of another mode or missing is found', () => {
    const { audits } = rotate([]);
    expect(differences([row('other')], [])).toEqual(['other row']);
    expect(differences([row('k-0')], audits, 'paper')).toEqual(['k-0 mode']);
    expect(differences([], audits)).toEqual(['k-0 row']);
    expect(differences([], audits, 'paper')).toEqual([]);
  });

  test('has the grant of its own client alone', () => {
    const audits = [
      audit('created', 'k-0', null, { ...LIVE_KEY, client: { id: 'c-0', name: 'C' } }),
      audit('created', 'k-1', null, LIVE_KEY),
    ];
    const granted = (first: string | null, second: string | null) =>
      differences([row('k-0', { client_id: first }), row('k-1', { client_id: second })], audits);
    expect(granted('c-0', null)).toEqual([]);
    expect(granted('c-1', null)).toEqual(['k-0 client']);
    expect(granted(null, 'c-0')).toEqual(['k-1 client']);
  });

  test('of an erased account is revoked', () => {
    const erased = [audit('created', 'k-0', null, null)];
    expect(differences([row('k-0')], erased)).toEqual(['k-0 revokedAt']);
    expect(differences([row('k-0', { revoked_at: day(1) })], erased)).toEqual([]);
  });
});

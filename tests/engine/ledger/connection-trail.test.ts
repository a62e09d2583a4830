import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONNECTION_STATES } from '../../../db/vocabulary.ts';
import type { AuditRow, ConnectionRow } from '../../../engine/ledger/rows.ts';
import { ConnectionTrail } from '../../../engine/ledger/trails/connection-trail.ts';
import { ExplainedDifferences } from '../../../engine/ledger/trails/explained-differences.ts';
import { firstOf, LEDGER } from './ledger.ts';

const CREATED: ConnectionRow = {
  id: 'c-1',
  venue: 'venue-a',
  environment: 'live',
  state: 'unverified',
  is_held_by_person: false,
  max_order: '10.000000000000',
  max_day: null,
  max_open_notional: null,
};
const audit = (verb: string, after: object | null): AuditRow => ({
  ...firstOf(LEDGER.ruleChanges),
  action: `venue_connection.${verb}`,
  subject_id: 'c-1',
  before: null,
  after: after as AuditRow['after'],
});
const creation = audit('created', {
  venue: 'venue-a',
  environment: 'live',
  maxOrder: '10',
  maxDay: null,
  maxOpenNotional: null,
});

type Move = {
  readonly state: ConnectionRow['state'];
  readonly isHeld: boolean;
  readonly limit: number | null;
};

/** Plays changes of state and limits, as the service writes them. */
function play(moves: readonly Move[], isVersioned: boolean): { row: ConnectionRow; audits: AuditRow[] } {
  let row = CREATED;
  const audits = [creation];
  for (const [index, { state, isHeld, limit }] of moves.entries()) {
    const version = isVersioned ? { version: index + 2 } : {};
    if (limit === null) {
      row = { ...row, state, is_held_by_person: isHeld };
      audits.push(audit(state, { state, isHeldByPerson: isHeld, ...version }));
    } else {
      row = { ...row, max_order: `${limit}.50`, max_day: null };
      audits.push(
        audit('changed', { maxOrder: `${limit}.5`, maxDay: null, maxOpenNotional: null, ...version }),
      );
    }
  }
  return { row, audits };
}

const differences = (rows: readonly ConnectionRow[], audits: readonly AuditRow[]): string[] => {
  const trail = new ConnectionTrail();
  for (const each of audits) trail.take(each);
  const found: string[] = [];
  trail.compare(rows, (_subject, _id, field) => void found.push(field));
  return found;
};

const moves = fc.array(
  fc.record({
    state: fc.constantFrom(...CONNECTION_STATES),
    isHeld: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 9 })),
  }),
  { maxLength: 8 },
);

describe('a connection', () => {
  test('has the state and limits of the last audit row', () => {
    fc.assert(
      fc.property(moves, fc.boolean(), (played, isVersioned) => {
        const { row, audits } = play(played, isVersioned);
        expect(differences([row], audits)).toEqual([]);
      }),
    );
  });

  test('has the state of its highest version, in whatever order of time the rows are', () => {
    fc.assert(
      fc.property(moves, (played) => {
        const { row, audits } = play(played, true);
        expect(differences([row], audits.toReversed())).toEqual([]);
      }),
    );
  });

  test.each<[string, Partial<ConnectionRow>, string[]]>([
    ['another state', { state: 'ready' }, ['state']],
    ['no hold', { is_held_by_person: false }, ['isHeldByPerson']],
    ['a wider order', { max_order: '11' }, ['maxOrder']],
    ['no limit', { max_order: null }, ['maxOrder']],
    ['another day', { max_day: '5' }, ['maxDay']],
    ['another open notional', { max_open_notional: '5' }, ['maxOpenNotional']],
    ['another venue', { venue: 'crypto' }, ['venue']],
    ['another environment', { environment: 'demo' }, ['environment']],
  ])('with %s than the trail states is found', (_what, altered, fields) => {
    const { row, audits } = play([{ state: 'halted', isHeld: true, limit: null }], true);
    expect(differences([{ ...row, ...altered }], audits)).toEqual(fields);
  });

  test('that the trail does not know, or that is missing, is found', () => {
    expect(differences([CREATED], [])).toEqual(['row']);
    expect(differences([], [creation])).toEqual(['row']);
  });

  test('whose trail is of an older version is compared with the facts it states', () => {
    const halted = audit('halted', { state: 'halted', code: 'by_person', reason: 'Halted by a person.' });
    const row = { ...CREATED, state: 'halted' as const, is_held_by_person: true };
    expect(differences([row], [creation, halted])).toEqual([]);
    expect(differences([{ ...row, state: 'ready' }], [creation, halted])).toEqual(['state']);
  });

  test('of an erased account is revoked', () => {
    expect(differences([CREATED], [audit('created', null)])).toEqual(['state']);
    expect(differences([{ ...CREATED, state: 'revoked' }], [audit('created', null)])).toEqual([]);
  });
});

describe('a difference that stays after an explanation', () => {
  const found = (
    resolved_by: string | null,
    audits: readonly AuditRow[],
    { gap = '-50', theirs = '200.00' }: { gap?: string; theirs?: string } = {},
  ): string[] => {
    const explanations = new ExplainedDifferences();
    for (const each of audits) explanations.take(each);
    const words: string[] = [];
    explanations.compare(
      [{ id: 'd-1', resolved_by, about: { gap }, theirs }],
      (...difference) => void words.push(difference.join(' ')),
    );
    return words;
  };
  const explained = { ...creation, subject_id: 'd-1', actor: 'session:tester' };

  test('was explained by the person of the trail', () => {
    expect(found('session:tester', [explained])).toEqual([]);
    expect(found('session:other', [explained])).toEqual([
      'venue_difference d-1 resolvedBy session:tester session:other',
    ]);
    expect(found(null, [])).toEqual(['venue_difference d-1 resolvedBy an audit row none']);
  });

  test('is explained as far as that person saw it, not further', () => {
    const seen = { ...explained, after: { state: 'explained', about: { gap: '-50' }, theirs: '200' } };
    expect(found('session:tester', [seen])).toEqual([]);
    expect(found('session:tester', [seen], { gap: '-5000' })).toEqual([
      'venue_difference d-1 about {"gap":"-50"} {"gap":"-5000"}',
    ]);
    expect(found('session:tester', [seen], { theirs: '20' })).toEqual(['venue_difference d-1 theirs 200 20']);
  });
});

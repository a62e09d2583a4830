import { describe, expect, test } from 'vitest';
import type { AuditRow } from '../../../engine/ledger/rows.ts';
import { SignalTrail } from '../../../engine/ledger/trails/signal-trail.ts';
import { firstOf, LEDGER } from './ledger.ts';

const created = (name: string, mode: string): AuditRow =>
  ({ ...firstOf(LEDGER.ruleChanges), action: 'signal.created', after: { name, mode } }) as AuditRow;

const removed = (name: string): AuditRow =>
  ({ ...firstOf(LEDGER.ruleChanges), action: 'signal.removed', after: { name } }) as AuditRow;

function differences(names: readonly string[], mode: 'paper' | 'live', audits: readonly AuditRow[]) {
  const trail = new SignalTrail();
  for (const each of audits) trail.take(each);
  const found: string[] = [];
  trail.compare(
    names.map((name) => ({ name })),
    mode,
    (_subject, id, field, expected) => void found.push(`${id} ${field} ${expected}`),
  );
  return found;
}

describe('a signal', () => {
  test('keeps the mode in which it was added: one of paper moves no real money', () => {
    expect(differences(['tv'], 'paper', [created('tv', 'paper')])).toEqual([]);
    expect(differences(['tv'], 'live', [created('tv', 'paper')])).toEqual(['tv mode paper']);
    expect(differences(['tv'], 'live', [])).toEqual(['tv mode a creation in the audit trail']);
  });

  test('that was removed and added again has the mode of the last time', () => {
    const audits = [created('tv', 'live'), removed('tv'), created('tv', 'paper')];
    expect(differences(['tv'], 'live', audits)).toEqual(['tv mode paper']);
    expect(differences(['tv'], 'paper', audits)).toEqual([]);
  });

  test('that was removed is of no mode until it is added again', () => {
    const audits = [created('tv', 'live'), removed('tv')];
    expect(differences([], 'live', audits)).toEqual([]);
    expect(differences(['tv'], 'live', audits)).toEqual(['tv mode a creation in the audit trail']);
  });
});

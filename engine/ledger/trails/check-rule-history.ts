import { isDeepStrictEqual } from 'node:util';
import { rulesOf } from '../../risk/rule-limits.ts';
import type { RiskRules } from '../../risk/rules/catalogue.ts';
import type { Report, StoredBooks } from '../rows.ts';

type VersionedRules = RiskRules & { version: number };

/** Checks that the rules in force are those of the last change in the audit trail. The trail must lack no change. */
export function checkRulesAgainstAudit(
  { accountId, rules, ruleChanges }: Pick<StoredBooks, 'accountId' | 'rules' | 'ruleChanges'>,
  report: Report,
): void {
  if (rules === undefined) {
    report('risk_rules', accountId, 'row', 'the rules of the account', 'gone');
    return;
  }
  const changes = ruleChanges
    .map(({ before, after }) => ({ before: before as VersionedRules, after: after as VersionedRules }))
    .sort((a, b) => a.after.version - b.after.version);
  for (const [index, { before, after }] of changes.entries()) {
    const expected = changes[index - 1]?.after ?? { ...before, version: 1 };
    if (!isDeepStrictEqual(before, expected) || after.version !== before.version + 1)
      report(
        'audit_event',
        accountId,
        `rules of version ${after.version}`,
        inWords(expected),
        inWords(before),
      );
  }
  const current: VersionedRules = { ...rulesOf(rules), version: rules.version };
  const last = changes.at(-1)?.after ?? { ...current, version: 1 };
  if (!isDeepStrictEqual(last, current))
    report('risk_rules', accountId, 'rules', inWords(last), inWords(current));
}

const inWords = (rules: VersionedRules): string => JSON.stringify(rules);

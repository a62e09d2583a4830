import { isDeepStrictEqual } from 'node:util';
import type { Receipt } from '../../risk/receipt.ts';
import { rulesOf } from '../../risk/rule-limits.ts';
import type { RiskRules } from '../../risk/rules/catalogue.ts';
import type { BookedOrder } from '../rebuilt-books.ts';
import type { Report, StepRow, StoredBooks } from '../rows.ts';

type RuleVersion = { rules: RiskRules; since: Date | null };

/** Every version of the rules, from the audit trail. */
export function ruleVersions({
  rules,
  ruleChanges,
}: Pick<StoredBooks, 'rules' | 'ruleChanges'>): Map<number, RuleVersion> {
  const versions = new Map<number, RuleVersion>();
  if (rules !== undefined) versions.set(rules.version, { rules: rulesOf(rules), since: null });
  for (const { before, after, at } of ruleChanges) {
    const [old, fresh] = [before, after] as (RiskRules & { version: number })[];
    if (old !== undefined && !versions.has(old.version))
      versions.set(old.version, { rules: withoutVersion(old), since: null });
    if (fresh !== undefined)
      versions.set(fresh.version, { rules: withoutVersion(fresh), since: new Date(at) });
  }
  return versions;
}

const withoutVersion = ({ version: _, ...rules }: RiskRules & { version: number }): RiskRules => rules;

type InForce = {
  versions: ReadonlyMap<number, RuleVersion>;
  /** The version of the decision before. */
  lastVersion: number;
  /** Whether times prove the order. */
  isTimed: boolean;
};

/** Checks the rules on a receipt: they existed, were in force when it was written, and are not older than the last ones. */
export function checkReceiptRules(
  { row }: BookedOrder,
  receipt: Receipt,
  step: StepRow,
  { versions, lastVersion, isTimed }: InForce,
  report: Report,
): void {
  const decidedAt = new Date(receipt.decidedAt);
  if (decidedAt.getTime() !== Date.parse(step.at)) {
    report('trade_order', row.id, 'time of the receipt', step.at, receipt.decidedAt);
  }
  const known = versions.get(receipt.rulesVersion);
  if (known === undefined || !isDeepStrictEqual(known.rules, { ...receipt.rules })) {
    report(
      'trade_order',
      row.id,
      `rules of version ${receipt.rulesVersion}`,
      JSON.stringify(known?.rules ?? null),
      JSON.stringify(receipt.rules),
    );
  }
  const next = versions.get(receipt.rulesVersion + 1)?.since;
  const inForce =
    receipt.rulesVersion >= lastVersion &&
    (!isTimed || known?.since == null || known.since <= decidedAt) &&
    (!isTimed || next == null || next >= decidedAt);
  if (!inForce) {
    report('trade_order', row.id, 'rulesVersion', 'the version in force', String(receipt.rulesVersion));
  }
}

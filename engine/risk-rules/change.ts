import type { Selectable } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database } from '../../db/tables.ts';
import type { AuditEntry } from '../audit.ts';
import { exact } from '../decimal.ts';
import type { AccountEvent } from '../events.ts';
import type { BuysToCancel } from '../orders/lifecycle/taking-back.ts';
import { changedRules, columnsOf, type RiskRulesPatch, refuseImpossible, rulesOf } from '../risk/limits.ts';
import type { RiskRules } from '../risk/rules/catalogue.ts';
import { maxDailyLoss } from '../risk/rules/max-daily-loss.ts';
import { toIso } from '../time.ts';
import { refuseOtherVersion } from '../version.ts';

export type RulesRow = Selectable<Database['risk_rules']>;

/** The rules in force, with the version every receipt names. */
export type RiskRulesView = RiskRules & { version: number; updatedAt: string };

/** What a change of rules does. */
export type RulesChange = {
  readonly row: RulesRow;
  /** Another limit of the day's loss is another question: the day is not tripped by it yet. */
  readonly liftsLatch: boolean;
  /** A smaller order size takes back what rests and is larger. */
  readonly takesBack: BuysToCancel | null;
  readonly audit: AuditEntry;
  readonly event: AccountEvent;
};

/**
 * Changes the rules named in `patch` and no others; null where that changes nothing. Pure.
 *
 * @throws DomainError `validation_failed` for a value no rule can have, `precondition_failed` if the rules are not
 *   at `ifVersion` any more.
 */
export function changeRules(
  before: RulesRow,
  patch: RiskRulesPatch,
  now: Date,
  ifVersion?: number,
): RulesChange | null {
  refuseImpossible(patch);
  refuseOtherVersion(before.version, ifVersion);
  const changed = changedRules(rulesOf(before), patch);
  if (changed.length === 0) return null;
  const row: RulesRow = {
    ...before,
    ...columnsOf(changed, patch),
    version: before.version + 1,
    updated_at: now.toISOString(),
  };
  const size = rulesOf(row).maxOrderSize;
  return {
    row,
    liftsLatch: changed.includes(maxDailyLoss),
    takesBack: exact(size).lt(rulesOf(before).maxOrderSize)
      ? {
          reasonCode: 'rule_changed',
          reason: `maxOrderSize was lowered to ${size} USD.`,
          largerThan: size,
        }
      : null,
    audit: {
      action: 'risk_rules.changed',
      subjectId: null,
      before: asJson(before),
      after: asJson(row),
      at: now,
    },
    event: { type: 'risk_rules.changed', payload: { version: row.version } },
  };
}

export const viewOf = (row: RulesRow): RiskRulesView => ({
  ...rulesOf(row),
  version: row.version,
  updatedAt: toIso(row.updated_at),
});

/** The rules and their version alone: what an audit row compares. */
const asJson = (row: RulesRow): Json => ({ ...rulesOf(row), version: row.version });

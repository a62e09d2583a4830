import type { Selectable } from 'kysely';
import type { Json } from '../../../db/json.ts';
import type { Database } from '../../../db/tables.ts';
import type { AuditEntry } from '../../platform/audit/audit.ts';
import { toIso } from '../../platform/clock/timestamp-text.ts';
import { exact } from '../../platform/decimal.ts';
import type { AccountEvent } from '../../platform/events/events.ts';
import { requireReviewedVersion } from '../../platform/reviewed-version.ts';
import { type DrawdownState, resetDrawdownState, startDrawdownState } from '../../risk/drawdown-state.ts';
import { profitOf, type RiskSnapshot } from '../../risk/risk-snapshot.ts';
import {
  changedRules,
  columnsOf,
  type RiskRulesPatch,
  refuseInvalidLimits,
  rulesOf,
} from '../../risk/rule-limits.ts';
import type { RiskRules } from '../../risk/rules/catalogue.ts';
import { maxDailyLoss } from '../../risk/rules/max-daily-loss.ts';
import type { BuysToCancel } from '../../trading/orders/lifecycle/plan-cancel.ts';

export type RulesRow = Selectable<Database['risk_rules']>;

/** The rules in force, with the version every receipt names. */
export type RiskRulesView = RiskRules & { version: number; updatedAt: string };

/** How a change affects the watch of the drawdown stop: it is turned on, turned off, or gets another limit. */
export type DrawdownWatchChange = 'begins' | 'ends' | 'restarts';

/** The effects of a change of rules. */
export type RulesChange = {
  readonly row: RulesRow;
  /** Another limit of the daily loss is a new rule: the day has not tripped it yet. */
  readonly liftsLatch: boolean;
  readonly watch: DrawdownWatchChange | null;
  /** A smaller order size cancels resting orders that are larger. */
  readonly buysToCancel: BuysToCancel | null;
  readonly audit: AuditEntry;
  readonly event: AccountEvent;
};

/**
 * Changes the rules named in `patch` and no others; null if that changes nothing. Pure.
 *
 * @throws DomainError `validation_failed` for a value no rule can have, `precondition_failed` if the rules are no longer
 *   at `ifVersion`.
 */
export function planRulesChange(
  before: RulesRow,
  patch: RiskRulesPatch,
  now: Date,
  ifVersion?: number,
): RulesChange | null {
  refuseInvalidLimits(patch);
  requireReviewedVersion(before.version, ifVersion);
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
    watch: watchAfter(rulesOf(before).maxDrawdown, rulesOf(row).maxDrawdown),
    buysToCancel: exact(size).lt(rulesOf(before).maxOrderSize)
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

function watchAfter(before: string | undefined, after: string | undefined): DrawdownWatchChange | null {
  if (before === after) return null;
  if (after === undefined) return 'ends';
  return before === undefined ? 'begins' : 'restarts';
}

/**
 * The watch of the drawdown stop after a change of its rule. When it is turned on, it counts from the current profit; another
 * limit keeps the high-water mark. Null while it is off.
 */
export function planDrawdownWatch(
  change: DrawdownWatchChange,
  snapshot: RiskSnapshot,
  now: Date,
): { readonly watch: DrawdownState | null; readonly audits: readonly AuditEntry[] } {
  if (change === 'ends') return { watch: null, audits: [] };
  if (change === 'restarts')
    return { watch: snapshot.watch && resetDrawdownState(snapshot.watch), audits: [] };
  const watch = startDrawdownState(profitOf(snapshot), now);
  const after = { highWaterMark: watch.highWaterMark.toFixed(), rulesVersion: snapshot.rulesVersion };
  return {
    watch,
    audits: [{ action: 'drawdown.watched', subjectId: null, before: null, after, at: now }],
  };
}

export const riskRulesViewOf = (row: RulesRow): RiskRulesView => ({
  ...rulesOf(row),
  version: row.version,
  updatedAt: toIso(row.updated_at),
});

/** The rules and their version alone, for the comparison in an audit row. */
const asJson = (row: RulesRow): Json => ({ ...rulesOf(row), version: row.version });

import type { Json } from '../../db/json.ts';
import { underAccountLock } from '../account-lock.ts';
import { audit } from '../audit.ts';
import { dbOf, type Work } from '../context.ts';
import { exact } from '../decimal.ts';
import { recordEvents } from '../events.ts';
import { cancelBuys } from '../orders/lifecycle/cancel-buys.ts';
import type { RiskRules } from '../risk/decide.ts';
import {
  COLUMNS,
  changedRules,
  type RiskRulesPatch,
  type RulesRow,
  refuseImpossible,
  rulesOf,
} from '../risk/rule-values.ts';
import { toIso } from '../time.ts';
import { refuseOtherVersion } from '../version.ts';

export type { RiskRulesPatch } from '../risk/rule-values.ts';

/** The rules in force, with the version every receipt names. */
export type RiskRulesView = RiskRules & { version: number; updatedAt: string };

/** The account's rules. */
export async function readRules(work: Work): Promise<RiskRulesView> {
  const row = await dbOf(work)
    .selectFrom('risk_rules')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .executeTakeFirstOrThrow();
  return viewOf(row);
}

/**
 * Changes the rules named in `patch` and no others, from the next decision on. Buys that rest and are larger than a
 * lowered `maxOrderSize` are canceled; a changed `maxDailyLoss` lifts the latch of the day. Takes the account's lock, so no
 * decision sees half of a change. A patch that changes nothing leaves version and audit trail as they are.
 *
 * @throws DomainError `validation_failed` for a value no rule can have, `precondition_failed` if the rules are not
 *   at `ifVersion` any more.
 */
export async function updateRules(
  work: Work,
  patch: RiskRulesPatch,
  ifVersion?: number,
): Promise<RiskRulesView> {
  refuseImpossible(patch);
  return underAccountLock(work, async (tx, now) => {
    const before = await readRules(tx);
    refuseOtherVersion(before.version, ifVersion);
    const changed = changedRules(before, patch);
    if (changed.length === 0) return before;

    const row = await dbOf(tx)
      .updateTable('risk_rules')
      .set({
        ...Object.fromEntries(
          changed.map((rule) => [COLUMNS[rule], exact(patch[rule] ?? before[rule]).toFixed()]),
        ),
        version: before.version + 1,
        updated_at: now,
      })
      .where('account_id', '=', tx.accountId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = viewOf(row);
    await audit(tx, {
      action: 'risk_rules.changed',
      subjectId: null,
      before: asJson(before),
      after: asJson(after),
      at: now,
    });
    await follow(tx, now, changed, before, after);
    await recordEvents(tx, now, [{ type: 'risk_rules.changed', payload: { version: after.version } }]);
    return after;
  });
}

/** What a change does at once: another daily loss lifts the latch, a smaller order size takes back what is larger. */
async function follow(
  tx: Work,
  now: Date,
  changed: readonly (keyof RiskRules)[],
  before: RiskRules,
  after: RiskRules,
): Promise<void> {
  if (changed.includes('maxDailyLoss')) {
    await dbOf(tx)
      .updateTable('trading_account')
      .set({ tripped_at: null, trip_reason: null })
      .where('account_id', '=', tx.accountId)
      .execute();
  }
  if (exact(after.maxOrderSize).lt(before.maxOrderSize)) {
    const reason = `maxOrderSize was lowered to ${after.maxOrderSize} USD.`;
    await cancelBuys(tx, now, { reasonCode: 'rule_changed', reason, largerThan: after.maxOrderSize });
  }
}

const viewOf = (row: RulesRow): RiskRulesView => ({
  ...rulesOf(row),
  version: row.version,
  updatedAt: toIso(row.updated_at),
});

/** The rules and their version alone: what an audit row compares. */
const asJson = ({ updatedAt: _, ...rules }: RiskRulesView): Json => rules;

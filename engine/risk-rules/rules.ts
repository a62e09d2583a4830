import type { Json } from '../../db/json.ts';
import { underAccountLock } from '../account-lock.ts';
import { audit } from '../audit.ts';
import type { Work } from '../context.ts';
import { exact } from '../decimal.ts';
import { recordEvents } from '../events.ts';
import { cancelBuys } from '../orders/lifecycle/cancel-buys.ts';
import { changedRules, columnsOf, type RiskRulesPatch, refuseImpossible, rulesOf } from '../risk/limits.ts';
import type { RiskRules, RuleColumns } from '../risk/rules/catalogue.ts';
import { maxDailyLoss } from '../risk/rules/max-daily-loss.ts';
import { toIso } from '../time.ts';
import { refuseOtherVersion } from '../version.ts';

export type { RiskRulesPatch } from '../risk/limits.ts';

/** The rules in force, with the version every receipt names. */
export type RiskRulesView = RiskRules & { version: number; updatedAt: string };

/** The account's rules in the mode of the work. */
export async function readRules(work: Work): Promise<RiskRulesView> {
  const row = await work.db
    .selectFrom('risk_rules')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('mode', '=', work.mode)
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

    const row = await tx.db
      .updateTable('risk_rules')
      .set({
        ...columnsOf(changed, patch),
        version: before.version + 1,
        updated_at: now,
      })
      .where('account_id', '=', tx.accountId)
      .where('mode', '=', tx.mode)
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
    if (changed.includes(maxDailyLoss)) await liftLatch(tx);
    if (exact(after.maxOrderSize).lt(before.maxOrderSize)) await cancelLarger(tx, now, after.maxOrderSize);
    await recordEvents(tx, now, [{ type: 'risk_rules.changed', payload: { version: after.version } }]);
    return after;
  });
}

/** Another limit of the day's loss is another question: the day is not tripped by it yet. */
async function liftLatch(tx: Work): Promise<void> {
  await tx.db
    .updateTable('trading_account')
    .set({ tripped_at: null, trip_reason: null })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .execute();
}

/** A smaller order size takes back what rests and is larger. */
async function cancelLarger(tx: Work, now: Date, size: string): Promise<void> {
  const reason = `maxOrderSize was lowered to ${size} USD.`;
  await cancelBuys(tx, now, { reasonCode: 'rule_changed', reason, largerThan: size });
}

const viewOf = (row: RuleColumns & { version: number; updated_at: string }): RiskRulesView => ({
  ...rulesOf(row),
  version: row.version,
  updatedAt: toIso(row.updated_at),
});

/** The rules and their version alone: what an audit row compares. */
const asJson = ({ updatedAt: _, ...rules }: RiskRulesView): Json => rules;

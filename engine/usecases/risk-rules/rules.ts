import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { recordEvents } from '../../platform/events/events.ts';
import { rowOfDrawdownState } from '../../risk/drawdown-state.ts';
import { readRiskSnapshot } from '../../risk/read-risk-snapshot.ts';
import type { RiskRulesPatch } from '../../risk/rule-limits.ts';
import { cancelBuys } from '../../trading/orders/lifecycle/cancel-orders.ts';
import {
  type DrawdownWatchChange,
  planDrawdownWatch,
  planRulesChange,
  type RiskRulesView,
  type RulesRow,
  riskRulesViewOf,
} from './change.ts';

export type { RiskRulesPatch } from '../../risk/rule-limits.ts';
export type { RiskRulesView } from './change.ts';

/** The account's rules in the mode of the work. */
export const readRules = async (work: Work): Promise<RiskRulesView> =>
  riskRulesViewOf(await readRulesRow(work));

export const readRulesRow = ({ db, accountId, mode }: Work): Promise<RulesRow> =>
  db
    .selectFrom('risk_rules')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .executeTakeFirstOrThrow();

/**
 * Changes the rules named in `patch` and no others, from the next decision on. Resting buys larger than a lowered
 * `maxOrderSize` are canceled. A changed `maxDailyLoss` lifts the latch of the day, a changed `maxDrawdown` that of the
 * drawdown. Takes the account's lock, so that no decision sees half of a change. A patch that changes nothing leaves
 * version and audit trail unchanged.
 *
 * @throws DomainError `validation_failed` for a value no rule can have, `precondition_failed` if the rules are no longer
 *   at `ifVersion`.
 */
export async function updateRules(
  work: Work,
  patch: RiskRulesPatch,
  ifVersion?: number,
): Promise<RiskRulesView> {
  return underAccountLock(work, async (tx, now) => {
    const before = await readRulesRow(tx);
    const change = planRulesChange(before, patch, now, ifVersion);
    if (change === null) return riskRulesViewOf(before);
    const { account_id, mode, ...columns } = change.row;
    await tx.db
      .updateTable('risk_rules')
      .set(columns)
      .where('account_id', '=', account_id)
      .where('mode', '=', mode)
      .execute();
    await audit(tx, change.audit);
    if (change.liftsLatch) await liftLatch(tx);
    if (change.watch !== null) await storeWatch(tx, change.watch, now);
    if (change.buysToCancel !== null) await cancelBuys(tx, now, change.buysToCancel);
    await recordEvents(tx, now, [change.event]);
    return riskRulesViewOf(change.row);
  });
}

async function liftLatch(tx: Work): Promise<void> {
  await tx.db
    .updateTable('trading_account')
    .set({ tripped_at: null, trip_reason: null })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .execute();
}

async function storeWatch(tx: Work, change: DrawdownWatchChange, now: Date): Promise<void> {
  const { accountId: account_id, mode, db } = tx;
  const { watch, audits } = planDrawdownWatch(change, await readRiskSnapshot(tx, { now }), now);
  if (watch === null) {
    await db
      .deleteFrom('drawdown_watch')
      .where('account_id', '=', account_id)
      .where('mode', '=', mode)
      .execute();
  } else {
    const row = rowOfDrawdownState(watch);
    await db
      .insertInto('drawdown_watch')
      .values({ account_id, mode, ...row })
      .onConflict((conflict) => conflict.columns(['account_id', 'mode']).doUpdateSet(row))
      .execute();
  }
  await audit(tx, ...audits);
}

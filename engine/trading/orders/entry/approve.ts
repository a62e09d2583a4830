import type { Work } from '../../../platform/context.ts';
import { loadOrder } from '../load.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import { recheckScopeOf } from './account/load-decision-data.ts';
import { withAccount } from './account/with-account.ts';
import { ruleViolatedError } from './refusals.ts';

/**
 * Approves in one transaction under the account's lock.
 *
 * @throws DomainError as `Account.approve`, and `risk_rule_violated` after the trip of the account is committed.
 */
export async function approveOrder(
  work: Work,
  id: string,
  ifVersion?: number,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<{ ok: true; id: string }> {
  const refusal = await withAccount(
    work,
    async (tx) => recheckScopeOf(await loadOrder(tx, id)),
    settings,
    (account, doing) => account.approve(id, doing, ifVersion),
  );
  if (refusal !== null) throw ruleViolatedError(refusal, id);
  return { ok: true, id };
}

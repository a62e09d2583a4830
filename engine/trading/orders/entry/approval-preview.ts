import type { Work } from '../../../platform/context.ts';
import type { Receipt } from '../../../risk/receipt.ts';
import { loadOrder } from '../load.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import { recheckScopeOf } from './account/load-decision-data.ts';
import { loadAccountUnlocked } from './account/with-account.ts';

/** Previews the approval of a pending order, without a lock. @throws DomainError as `Account.previewApproval`. */
export async function approvalPreview(
  work: Work,
  id: string,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<Receipt> {
  const now = await work.clock(work.db);
  const scope = recheckScopeOf(await loadOrder(work, id));
  const { account } = await loadAccountUnlocked(work, now, scope, settings);
  return account.previewApproval(id, now);
}

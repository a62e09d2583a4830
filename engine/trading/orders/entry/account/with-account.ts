import { underAccountLock } from '../../../../platform/account-lock.ts';
import type { Work } from '../../../../platform/context.ts';
import { refuseEndedKey } from '../../../keys/read-spending-limits.ts';
import type { ActionContext } from '../../lifecycle/plan-cancel.ts';
import type { TradingSettings } from '../../settings.ts';
import { Account } from './account.ts';
import { type DecisionScope, type LoadedDecisionData, loadDecisionData } from './load-decision-data.ts';
import { saveBooks } from './save-books.ts';

/**
 * Runs a decision about an account under its lock: loads its books within `scope`, decides, and saves the changes. An error
 * changes nothing.
 *
 * @throws DomainError `credentials_invalid` for a key that has ended while its request waited.
 */
export async function withAccount<Result>(
  work: Work,
  scope: DecisionScope | ((tx: Work) => Promise<DecisionScope>),
  settings: TradingSettings,
  decide: (account: Account, doing: ActionContext) => Result,
): Promise<Result> {
  return underAccountLock(work, async (tx, now) => {
    await refuseEndedKey(tx, now);
    const needed = typeof scope === 'function' ? await scope(tx) : scope;
    const { account, opened } = await loadAccountUnlocked(tx, now, needed, settings);
    const result = decide(account, { actor: tx.actor, now });
    await saveBooks(tx.db, now, [opened]);
    return result;
  });
}

/** Opens an account in its current state, without a lock. Only {@link withAccount} saves decisions. */
export async function loadAccountUnlocked(
  work: Work,
  now: Date,
  scope: DecisionScope,
  settings: TradingSettings,
): Promise<{ account: Account; opened: LoadedDecisionData }> {
  const [opened] = await loadDecisionData({ db: work.db, now, settings }, [{ work, scope }]);
  if (opened === undefined) throw new Error('One was requested.');
  return { account: new Account(opened.books, { newId: work.newId, settings }), opened };
}

import type { Work } from '../../../platform/context.ts';
import type { OrderRow } from '../row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import type { DecisionScope } from './account/load-decision-data.ts';
import { withAccount } from './account/with-account.ts';
import type { ProposedIntent } from './proposed-intent.ts';

export type { ProposedIntent } from './proposed-intent.ts';

/** Creates the order of an intent, in one transaction under the account's lock. @throws DomainError as `Account.propose`. */
export const proposeIntent = (
  work: Work,
  intent: ProposedIntent,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<OrderRow> =>
  withAccount(work, scopeOf(intent), settings, (account, doing) => account.propose(intent, doing));

/** Names what the decision of one intent needs. */
const scopeOf = (intent: ProposedIntent): DecisionScope => {
  const { tokenId, side, allocate, blueprintId, deploymentId, nodeId, stepAt } = intent;
  const isOfStep = deploymentId !== undefined && nodeId !== undefined && stepAt !== undefined;
  return {
    tokenIds: [tokenId],
    toSell: side === 'sell' ? [tokenId] : [],
    steps: isOfStep ? [{ deploymentId, nodeId, stepAt }] : [],
    // A sell that may draw on all of the account's positions belongs to no blueprint.
    bound: { ...intent, blueprintId: allocate === 'account' ? null : blueprintId },
  };
};

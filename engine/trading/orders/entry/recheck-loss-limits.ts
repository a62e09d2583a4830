import type { Work } from '../../../platform/context.ts';
import { DEFAULT_TRADING_SETTINGS } from '../settings.ts';
import { withAccount } from './account/with-account.ts';

/** Rechecks an account under its lock. @see Account.tripIfReached */
export const recheckLossLimits = (work: Work): Promise<void> =>
  withAccount(work, {}, DEFAULT_TRADING_SETTINGS, (account, { now }) => account.tripIfReached(now));

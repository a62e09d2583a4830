/**
 * Spending limits of one key. A limit that is not set is absent. They apply to orders that the key requests, and to orders
 * of the strategies that it deployed.
 */
export type SpendingLimits = {
  /** USD. The largest buy. */
  maxOrder?: string;
  /** USD. All buys since 00:00 UTC. */
  maxDay?: string;
  /** The blueprints it may trade for. */
  blueprintIds?: string[];
  /** Every order it requests waits for approval, of any size. */
  alwaysApprove?: true;
  /** May deploy live without the 24-hour paper run. */
  allowsUntried?: true;
};

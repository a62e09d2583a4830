/**
 * What the orders of one key may come to, whoever holds it. Each bound is absent where there is none. It holds for what
 * the key asks for itself, and for what the strategies raise that it deployed.
 */
export type Envelope = {
  /** USD. The largest buy. */
  maxOrder?: string;
  /** USD. All buys since 00:00 UTC. */
  maxDay?: string;
  /** The blueprints it may trade for. */
  blueprintIds?: string[];
  /** Everything it asks for waits for a person, however small. */
  alwaysApprove?: true;
  /** What it deploys with real money need not have run on paper for a day. */
  allowsUntried?: true;
};

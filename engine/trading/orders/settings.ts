import type { InstrumentKind } from '../../../db/vocabulary.ts';
import type { LiveOrderInputs } from '../../risk/risk-inputs.ts';

/** Settings of pricing and waiting times. Set once by the process, the same for every account. */
export type TradingSettings = {
  /** Maximum slippage of a market order: USD per contract for an outcome, a fraction of the price for a coin. */
  slippage: Readonly<Record<InstrumentKind, string>>;
  /** Time that an intent waits for approval. */
  approvalMs: number;
  /** Whether live trading is on: buys with real money are allowed. */
  isLiveOn: boolean;
  /** The operator's limits for real money, which no account rule can loosen. */
  liveCaps: LiveOrderInputs['service'];
};

export const DEFAULT_TRADING_SETTINGS: TradingSettings = {
  slippage: { outcome: '0.02', spot: '0.005' },
  approvalMs: 15 * 60_000,
  isLiveOn: false,
  liveCaps: {},
};

/** A queued order that is not sent within this time is never sent, also after an outage. */
export const SEND_WITHIN_MS = 30_000;

/** A venue that receives an order later than this after it was marked as sent must refuse it. */
export const ARRIVE_WITHIN_MS = 10_000;

/** Maximum age of the quote that a price band is computed from. */
export const PRICING_QUOTE_MAX_AGE_MS = 10_000;

/** Maximum age of the quote that an approval or the size of a sell is checked against. */
export const QUOTE_MAX_AGE_MS = 30_000;

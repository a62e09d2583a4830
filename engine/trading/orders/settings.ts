import type { InstrumentKind } from '../../../db/vocabulary.ts';
import type { LiveFacts } from '../../risk/facts.ts';

/** How orders are priced and how long they wait. Set once by the process, the same for every account. */
export type TradingSettings = {
  /** How far beyond the quote a market order may go: USD per contract of an outcome, a fraction of the price of a coin. */
  slippage: Readonly<Record<InstrumentKind, string>>;
  /** How long an intent waits for approval. */
  approvalMs: number;
  /** Whether anything may be bought with real money. */
  isLiveOn: boolean;
  /** What the operator lets an account do with real money, whatever its rules say. */
  liveCaps: LiveFacts['service'];
};

export const DEFAULT_TRADING_SETTINGS: TradingSettings = {
  slippage: { outcome: '0.02', spot: '0.005' },
  approvalMs: 15 * 60_000,
  isLiveOn: false,
  liveCaps: {},
};

/** A cleared order that is not sent within this time is never sent, also after an outage. */
export const SEND_WITHIN_MS = 30_000;

/** A venue that receives an order later than this after it was marked as sent must refuse it. */
export const ARRIVE_WITHIN_MS = 10_000;

/** The oldest quote a price band is taken from. */
export const PRICING_QUOTE_MAX_AGE_MS = 10_000;

/** The oldest quote an approval or the size of a sell is judged by. */
export const QUOTE_MAX_AGE_MS = 30_000;

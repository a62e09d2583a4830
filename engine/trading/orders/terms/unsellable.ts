import { type Exact, exact } from '../../../platform/decimal.ts';
import { lotOf } from '../../../platform/instruments/lot.ts';
import type { InstrumentRow, Market } from '../row.ts';
import { whyTooSmall } from './pricing.ts';

/** Remedy for an unsellable position. */
export const WRITE_OFF_HINT = 'The holding can be written off in a web session.';

/** Remedy for a blueprint's holding that is too small to sell alone. */
export const TOGETHER_HINT =
  'A close without `blueprintId` sells it together with the holdings of other blueprints.';

/** Returns why an instrument can never be traded or paid out again, or null. */
export function marketEndReason({
  token_id,
  delisted_at,
  status,
  settlement_value,
}: InstrumentRow): string | null {
  if (settlement_value !== null) return null;
  if (delisted_at !== null) return `Its venue does not know ${token_id} any more.`;
  if (status === 'settled')
    return `The market of ${token_id} is settled, and its venue has not said what it pays.`;
  return null;
}

/** Returns why an amount is below the venue's minimum, at the best bid, or null. Pure. */
export function dustReason({ instrument, quote }: Market, amount: Exact): string | null {
  return whyTooSmall(amount, quote?.bid == null ? null : exact(quote.bid), lotOf(instrument));
}

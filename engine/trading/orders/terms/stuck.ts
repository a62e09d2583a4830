import { type Exact, exact } from '../../../platform/decimal.ts';
import { lotOf } from '../../../platform/instruments/lot.ts';
import type { InstrumentRow, Market } from '../row.ts';
import { tooSmall } from './pricing.ts';

/** What a person may do with a position that nothing and nobody can sell. */
export const WRITE_OFF_HINT = 'What is held can be written off in a web session.';

/** How what one blueprint holds is sold, where that is too little by itself. */
export const TOGETHER_HINT = 'A close without `blueprintId` sells it with what other blueprints hold of it.';

/** Why nothing more can ever be traded in an instrument or paid for it, or null. */
export function endOf({ token_id, delisted_at, status, settlement_value }: InstrumentRow): string | null {
  if (settlement_value !== null) return null;
  if (delisted_at !== null) return `Its venue does not know ${token_id} any more.`;
  if (status === 'settled')
    return `The market of ${token_id} is settled, and its venue has not said what it pays.`;
  return null;
}

/** Why an amount is too little for its venue to take, at the best bid, or null. Pure. */
export function dustIn({ instrument, quote }: Market, amount: Exact): string | null {
  return tooSmall(amount, quote?.bid == null ? null : exact(quote.bid), lotOf(instrument));
}

import { isMoney } from '../../venues/trading.ts';
import { exact } from '../platform/decimal.ts';

/** A balance at a venue, by currency and part of the exchange, with the quote currency of the order's instrument. */
type Balance = { readonly currency: string; readonly available: string; readonly quote_currency: string };

/**
 * Returns the largest balance that can fund the order: in the quote currency, otherwise in dollars; null if there is none. The
 * venue funds an order from one balance, so the largest one is its limit. Pure.
 */
export function largestFundingBalance<P extends Balance>(balances: readonly P[]): P | null {
  const own = balances.filter(({ currency, quote_currency }) => currency === quote_currency);
  const usable = own.length > 0 ? own : balances.filter(({ currency }) => isMoney(currency));
  return usable.reduce<P | null>(
    (most, each) => (most === null || exact(each.available).gt(most.available) ? each : most),
    null,
  );
}

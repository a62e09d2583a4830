import { isMoney } from '../../venues/trading.ts';
import { exact } from '../platform/decimal.ts';

/** Money at a venue by currency and part of the exchange, beside the currency an instrument is quoted in. */
type Purse = { readonly currency: string; readonly available: string; readonly quote_currency: string };

/**
 * The purse with most in it of those an order could be paid from: of the currency it is quoted in, else of dollars; null where
 * there is none. An order is paid from one purse: where a venue keeps money apart, the fullest is the most it can have. Pure.
 */
export function fullestOf<P extends Purse>(purses: readonly P[]): P | null {
  const own = purses.filter(({ currency, quote_currency }) => currency === quote_currency);
  const usable = own.length > 0 ? own : purses.filter(({ currency }) => isMoney(currency));
  return usable.reduce<P | null>(
    (most, each) => (most === null || exact(each.available).gt(most.available) ? each : most),
    null,
  );
}

/** Venue B's fee for a trade. The venue's records do not state it: it follows from the schedule of the market. Pure. */
import { Decimal } from 'decimal.js';
import type { FeeSchedule } from '../../reads.ts';
import type { Liquidity } from '../../vocabulary.ts';

const FEE_DIGITS = 5;

/**
 * USD, by the schedule at the time of the match: rate × shares × (price × (1 − price))^exponent, rounded up to the fifth
 * decimal. Source: `platformFeeAmount` of github.com/Polymarket/ts-sdk (`packages/client/src/actions/orders/fees.ts`).
 */
export function tradeFee(
  { takerRate, makerRate, exponent }: FeeSchedule,
  { amount, price, liquidity }: { amount: string; price: string; liquidity: Liquidity },
): string {
  const rate = liquidity === 'taker' ? takerRate : makerRate;
  const variance = new Decimal(price).times(new Decimal(1).minus(price));
  return new Decimal(amount)
    .times(rate)
    .times(variance.pow(exponent))
    .toDecimalPlaces(FEE_DIGITS, Decimal.ROUND_UP)
    .toFixed();
}

/** Turning doubles into an order the venue takes: amount down to the step, price to the tick, never worse than asked. */

import { venueOf } from '../../../../venues/port.ts';
import { type Decimal, exact, floorTo } from '../../../decimal.ts';
import { onLadder } from '../../../price-ladder.ts';
import type { InstrumentFacts, Reason } from '../../types.ts';
import { reason } from '../../values.ts';
import { shortName } from '../sources.ts';

/** Doubles carry noise from the 16th digit on; it must not cost a whole step. */
const SIGNIFICANT_DIGITS = 12;

export type Side = 'buy' | 'sell';
export type Draft = { readonly text: string } | { readonly refused: Reason };

/** The decimal a double stands for, freed of floating-point noise. */
export function fromDouble(value: number): Decimal {
  return exact(value).toSignificantDigits(SIGNIFICANT_DIGITS);
}

/** A price no worse than asked: a buy's rounds down to a price of the market, a sell's up. */
export function draftPrice(asked: number, side: Side, facts: InstrumentFacts): Draft {
  const price = onLadder(side, fromDouble(asked), facts);
  const tooHigh = venueOf(facts.tokenId) !== 'crypto' && price.gte(1);
  if (price.gt(0) && !tooHigh) return { text: price.toFixed() };
  const name = shortName(facts.tokenId);
  return {
    refused: reason('price_out_of_range', `A price of ${price.toFixed()} cannot be ordered for ${name}.`),
  };
}

/** Units to buy: rounded down to the step, and refused below the venue's minimum. */
export function draftAmount(asked: number, price: number | null, facts: InstrumentFacts): Draft {
  const amount = floorTo(fromDouble(Math.max(0, asked)), exact(facts.stepSize));
  return refuseSmall(amount, price, facts) ?? { text: amount.toFixed() };
}

/** Units to sell: what is asked, never above what is free. All that is free may lie off the step. */
export function draftSale(
  asked: Decimal,
  free: Decimal,
  price: number | null,
  facts: InstrumentFacts,
): Draft {
  if (!free.gt(0)) {
    const name = shortName(facts.tokenId);
    return { refused: reason('nothing_to_sell', `This blueprint holds no ${name} that is free to sell.`) };
  }
  const amount = asked.gte(free) ? free : floorTo(asked, exact(facts.stepSize));
  return refuseSmall(amount, price, facts) ?? { text: amount.toFixed() };
}

function refuseSmall(
  amount: Decimal,
  price: number | null,
  facts: InstrumentFacts,
): { refused: Reason } | null {
  if (!amount.gt(0) || amount.lt(facts.minSize))
    return tooSmall(amount, `the minimum is ${exact(facts.minSize).toFixed()}`);
  if (price === null || facts.minNotional === null) return null;
  const notional = amount.times(fromDouble(price));
  if (!notional.lt(facts.minNotional)) return null;
  return tooSmall(
    amount,
    `worth ${notional.toFixed(2)} USD; the venue takes ${exact(facts.minNotional).toFixed()} USD or more`,
  );
}

function tooSmall(amount: Decimal, why: string): { refused: Reason } {
  return {
    refused: reason(
      'below_minimum',
      `The amount, rounded to the venue’s step, is ${amount.toFixed()}: ${why}.`,
    ),
  };
}

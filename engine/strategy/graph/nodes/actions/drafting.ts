/**
 * Converts doubles to an order that the venue accepts: amount down to the step, price to the tick, never worse than requested.
 */

import type { Side } from '../../../../../db/vocabulary.ts';
import { type Exact, exact } from '../../../../platform/decimal.ts';
import { KIND_RULES } from '../../../../platform/instruments/kinds.ts';
import { shortfallOf, toStep } from '../../../../platform/instruments/lot.ts';
import { roundToLadder } from '../../../../platform/instruments/price-ladder.ts';
import type { InstrumentFacts, Reason } from '../../types.ts';
import { reason } from '../../values.ts';
import { shortName } from '../quote-readers.ts';

/** Doubles carry noise from the 16th digit on, which must not cost a whole step. */
const SIGNIFICANT_DIGITS = 12;

/** A price or an amount in the form of the venue, a decimal string, or the reason for its refusal. */
export type VenueNumber = { readonly text: string } | { readonly refused: Reason };

/** Returns the decimal of a double, without floating-point noise. */
export function fromDouble(value: number): Exact {
  return exact(value).toSignificantDigits(SIGNIFICANT_DIGITS);
}

/** Rounds a price to the ladder, never to a worse one: a buy's down, a sell's up. */
export function draftPrice(requested: number, side: Side, facts: InstrumentFacts): VenueNumber {
  const price = roundToLadder(side, fromDouble(requested), facts);
  if (KIND_RULES[facts.kind].isPrice(price)) return { text: price.toFixed() };
  const name = shortName(facts.tokenId);
  return {
    refused: reason('price_out_of_range', `A price of ${price.toFixed()} cannot be ordered for ${name}.`),
  };
}

/** Units to buy: rounded down to the step, and refused below the venue's minimum. */
export function draftAmount(requested: number, price: number | null, facts: InstrumentFacts): VenueNumber {
  const amount = toStep(fromDouble(Math.max(0, requested)), facts);
  return refuseSmall(amount, price, facts) ?? { text: amount.toFixed() };
}

/** Units to sell: as requested, but at most the free ones. All free units may be off the step. */
export function draftSale(
  requested: Exact,
  free: Exact,
  price: number | null,
  facts: InstrumentFacts,
): VenueNumber {
  if (!free.gt(0)) {
    const name = shortName(facts.tokenId);
    return { refused: reason('nothing_to_sell', `This blueprint holds no ${name} that is free to sell.`) };
  }
  const amount = requested.gte(free) ? free : toStep(requested, facts);
  return refuseSmall(amount, price, facts) ?? { text: amount.toFixed() };
}

function refuseSmall(
  amount: Exact,
  price: number | null,
  facts: InstrumentFacts,
): { refused: Reason } | null {
  const shortfall = shortfallOf(amount, price === null ? null : fromDouble(price), facts);
  if (shortfall === null) return null;
  if (shortfall.of !== 'notional')
    return tooSmall(amount, `the minimum is ${exact(facts.minSize).toFixed()}`);
  const { notional, minNotional } = shortfall;
  return tooSmall(
    amount,
    `worth ${notional.toFixed(2)} USD; the venue takes ${minNotional.toFixed()} USD or more`,
  );
}

function tooSmall(amount: Exact, why: string): { refused: Reason } {
  return {
    refused: reason(
      'below_minimum',
      `The amount, rounded to the venue’s step, is ${amount.toFixed()}: ${why}.`,
    ),
  };
}

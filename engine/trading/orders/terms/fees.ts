import type { Liquidity } from '../../../../db/vocabulary.ts';
import type { FeeSchedule } from '../../../../venues/port.ts';
import { ceilTo, Exact, exact, MONEY_PLACES } from '../../../platform/decimal.ts';

const HALF = exact('0.5');

/**
 * Returns the fee of one execution before rounding, USD.
 * `probability`: rate × contracts × (price × (1 − price))^exponent. `notional`: rate × price × quantity.
 */
export function rawFee(schedule: FeeSchedule, liquidity: Liquidity, price: Exact, amount: Exact): Exact {
  const rate = exact(liquidity === 'taker' ? schedule.takerRate : schedule.makerRate);
  if (schedule.formula === 'notional') return rate.times(price).times(amount);
  const spread = price.times(exact(1).minus(price));
  return rate.times(amount).times(spread.pow(schedule.exponent));
}

/** Rounds up as the venue does, otherwise up to the 12 decimals of the ledger. */
export function roundFee(schedule: FeeSchedule, fee: Exact): Exact {
  return schedule.roundUpTo === null
    ? fee.toDecimalPlacesUp(MONEY_PLACES)
    : ceilTo(fee, exact(schedule.roundUpTo));
}

/**
 * Returns the fee of the next execution of an order. The order's total is rounded, so that a hundred executions cost as much as
 * one. The total never exceeds {@link maxFee}.
 */
export function nextFee(schedule: FeeSchedule, rawBefore: Exact, raw: Exact): Exact {
  return roundFee(schedule, rawBefore.plus(raw)).minus(roundFee(schedule, rawBefore));
}

/** Returns the fees of consecutive executions of an order; `rawBefore` is the unrounded fee of its earlier ones. */
export function feesOf(
  schedule: FeeSchedule,
  liquidity: Liquidity,
  rawBefore: Exact,
  executions: readonly { price: Exact; amount: Exact }[],
): Exact[] {
  let before = rawBefore;
  return executions.map(({ price, amount }) => {
    const raw = rawFee(schedule, liquidity, price, amount);
    const fee = nextFee(schedule, before, raw);
    before = before.plus(raw);
    return fee;
  });
}

/**
 * Returns the maximum fee of an order: the higher rate, at the most expensive price it may trade at. For a sell with a notional
 * fee no such price exists: the higher of its limit and the current best bid is used. A better price adds far more to the
 * proceeds than to the fee.
 */
export function maxFee(
  schedule: FeeSchedule,
  order: { side: 'buy' | 'sell'; limitPrice: Exact; amount: Exact; bid?: Exact | null },
): Exact {
  const liquidity = exact(schedule.takerRate).gte(exact(schedule.makerRate)) ? 'taker' : 'maker';
  const price =
    schedule.formula === 'notional'
      ? maxNotionalPrice(order)
      : maxProbabilityPrice(order.side, order.limitPrice);
  return roundFee(schedule, rawFee(schedule, liquidity, price, order.amount));
}

const maxNotionalPrice = ({
  side,
  limitPrice,
  bid,
}: {
  side: 'buy' | 'sell';
  limitPrice: Exact;
  bid?: Exact | null;
}): Exact => (side === 'sell' && bid ? Exact.max(limitPrice, bid) : limitPrice);

/** price × (1 − price) is largest at a half: the price nearest to it that the limit allows. */
function maxProbabilityPrice(side: 'buy' | 'sell', limitPrice: Exact): Exact {
  return side === 'buy' ? Exact.min(limitPrice, HALF) : Exact.max(limitPrice, HALF);
}

import type { Liquidity } from '../../../../db/vocabulary.ts';
import type { FeeSchedule } from '../../../../venues/port.ts';
import { ceilTo, Decimal, type Exact, exact, MONEY_PLACES } from '../../../platform/decimal.ts';

const HALF = exact('0.5');

/**
 * The fee of one execution before rounding, USD.
 * `probability`: rate × contracts × (price × (1 − price))^exponent. `notional`: rate × price × quantity.
 */
export function rawFee(schedule: FeeSchedule, liquidity: Liquidity, price: Exact, amount: Exact): Exact {
  const rate = exact(liquidity === 'taker' ? schedule.takerRate : schedule.makerRate);
  if (schedule.formula === 'notional') return rate.times(price).times(amount);
  const spread = price.times(exact(1).minus(price));
  return rate.times(amount).times(spread.pow(schedule.exponent));
}

/** Rounded up as the venue rounds, else up to the 12 places the ledger keeps. */
export function roundFee(schedule: FeeSchedule, fee: Exact): Exact {
  return schedule.roundUpTo === null
    ? fee.toDecimalPlaces(MONEY_PLACES, Decimal.ROUND_UP)
    : ceilTo(fee, exact(schedule.roundUpTo));
}

/**
 * The fee of the next execution of an order. Rounding is of the order's total, so that an order in a hundred
 * pieces pays what it would pay in one, and never more than {@link worstFee}.
 */
export function nextFee(schedule: FeeSchedule, rawBefore: Exact, raw: Exact): Exact {
  return roundFee(schedule, rawBefore.plus(raw)).minus(roundFee(schedule, rawBefore));
}

/** The fees of executions that follow each other, of an order whose earlier ones came to `rawBefore`. */
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
 * The most an order can be charged: the dearer rate, at the dearest price it may trade at. For a sell of something
 * charged by notional there is no such price: it is the higher of its limit and the best bid now, and what a still
 * better price adds to the fee it adds to the proceeds many times over.
 */
export function worstFee(
  schedule: FeeSchedule,
  order: { side: 'buy' | 'sell'; limitPrice: Exact; amount: Exact; bid?: Exact | null },
): Exact {
  const liquidity = exact(schedule.takerRate).gte(exact(schedule.makerRate)) ? 'taker' : 'maker';
  const price =
    schedule.formula === 'notional'
      ? dearestNotional(order)
      : dearestProbability(order.side, order.limitPrice);
  return roundFee(schedule, rawFee(schedule, liquidity, price, order.amount));
}

const dearestNotional = ({
  side,
  limitPrice,
  bid,
}: {
  side: 'buy' | 'sell';
  limitPrice: Exact;
  bid?: Exact | null;
}): Exact => (side === 'sell' && bid ? Decimal.max(limitPrice, bid) : limitPrice);

/** price × (1 − price) is largest at a half: the price nearest to it that the limit allows. */
function dearestProbability(side: 'buy' | 'sell', limitPrice: Exact): Exact {
  return side === 'buy' ? Decimal.min(limitPrice, HALF) : Decimal.max(limitPrice, HALF);
}

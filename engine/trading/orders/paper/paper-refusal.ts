import type { BrokerOrder } from '../../../../venues/broker.ts';
import { exact } from '../../../platform/decimal.ts';
import { lotOf, shortfallOf } from '../../../platform/instruments/lot.ts';
import { isOnLadder, ladderOf, tickOf } from '../../../platform/instruments/price-ladder.ts';
import type { InstrumentRow } from '../row.ts';
import { isWithinLimit } from './match-rules.ts';
import type { Offers } from './opposite-side.ts';

/** Reason why a venue would refuse an order. */
export type PaperRefusal = { reasonCode: string; reason: string };

/**
 * Returns why a venue would refuse the order, or null. Without market data only a `gtc` order is accepted: whether a `gtx` one would
 * take an offer is unknown.
 */
export function paperRefusalOf(
  order: BrokerOrder,
  instrument: InstrumentRow,
  offers: Offers | null,
  now: Date,
): PaperRefusal | null {
  if (now > order.validUntil) {
    return { reasonCode: 'arrived_late', reason: `It arrived after ${order.validUntil.toISOString()}.` };
  }
  if (instrument.status !== 'open') {
    return { reasonCode: 'market_not_open', reason: `The market is ${instrument.status}.` };
  }
  const [price, ladder] = [exact(order.limitPrice), ladderOf(instrument)];
  if (!isOnLadder(price, ladder)) {
    return {
      reasonCode: 'off_tick',
      reason: `The price is not a multiple of the tick size of ${tickOf(ladder, price)}.`,
    };
  }
  if (shortfallOf(exact(order.amount), null, lotOf(instrument)) !== null) {
    return {
      reasonCode: 'too_small',
      reason: `The amount is below the minimum of ${exact(instrument.min_size).toFixed()}.`,
    };
  }
  if (offers === null && order.timeInForce !== 'gtc') {
    return { reasonCode: 'venue_unavailable', reason: 'There is no market data.' };
  }
  const best = offers?.levels[0];
  if (order.timeInForce === 'gtx' && best !== undefined && isWithinLimit(order.side, price, best.price)) {
    return { reasonCode: 'post_only_cross', reason: `It would fill at once, at ${best.price.toFixed()}.` };
  }
  return null;
}

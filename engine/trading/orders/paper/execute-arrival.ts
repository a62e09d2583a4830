import type { BrokerOrder, PrepareResult } from '../../../../venues/broker.ts';
import { exact } from '../../../platform/decimal.ts';
import { knownSchedule } from '../../../platform/instruments/fee-schedule.ts';
import { arrivesByOurClock } from '../execution/send-deadlines.ts';
import type { InstrumentRow } from '../row.ts';
import { type Arrival, matchArrival, type PaperOrderRow } from './match-orders.ts';
import type { Offers } from './opposite-side.ts';
import { type PaperRefusal, paperRefusalOf } from './paper-refusal.ts';
import type { TakenLevels } from './taken-levels.ts';

/** Builds the request of an order: the paper venue uses our order id. Pure. */
export const preparePaperRequest = ({ id }: Pick<BrokerOrder, 'id'>, now: Date): PrepareResult => ({
  kind: 'prepared',
  prepared: {
    clientOrderId: id,
    venueOrderId: id,
    request: {},
    signedFor: now,
    arrivesBy: arrivesByOurClock(now),
  },
});

/** Market state that an arriving order meets. */
export type ArrivalMarket = {
  readonly instrument: InstrumentRow;
  /** Null while there is no market data. */
  readonly offers: Offers | null;
  /** The account's stored levels of that side of the market. */
  readonly levels: TakenLevels;
  /** Current time of the feed. */
  readonly feedNowMs: number;
};

/** Handles an arriving order: refuses it, or executes it against the offers; the rest stays open or ends. Pure. */
export function executeArrival(
  order: BrokerOrder,
  { instrument, offers, levels, feedNowMs }: ArrivalMarket,
  { now, newId }: { now: Date; newId: () => string },
): Arrival {
  const refusal = paperRefusalOf(order, instrument, offers, now);
  const row = newOrder(order, refusal, now, feedNowMs);
  if (refusal !== null || offers === null) return { order: row, fills: [], levels };
  const schedule = knownSchedule(instrument);
  const stepSize = exact(instrument.step_size);
  return matchArrival(row, levels, offers, feedNowMs, { now, newId, schedule, stepSize });
}

const newOrder = (
  order: BrokerOrder,
  refusal: PaperRefusal | null,
  now: Date,
  feedNowMs: number,
): PaperOrderRow => ({
  account_id: order.accountId,
  id: order.id,
  token_id: order.tokenId,
  venue: order.venue,
  side: order.side,
  time_in_force: order.timeInForce,
  amount: order.amount,
  limit_price: order.limitPrice,
  filled_amount: '0',
  status: refusal === null ? 'open' : 'rejected',
  reason_code: refusal?.reasonCode ?? null,
  reason: refusal?.reason ?? null,
  placed_at: now.toISOString(),
  updated_at: now.toISOString(),
  candle_at: new Date(feedNowMs).toISOString(),
  good_till: order.goodTill?.toISOString() ?? null,
});

import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  executeArrival,
  preparePaperRequest,
} from '../../../../engine/trading/orders/paper/execute-arrival.ts';
import type { Offers } from '../../../../engine/trading/orders/paper/opposite-side.ts';
import {
  pruneLevels,
  type TakenLevel,
  type TakenLevels,
} from '../../../../engine/trading/orders/paper/taken-levels.ts';
import { fillOf, venueOrderOf } from '../../../../engine/trading/orders/paper/venue-order.ts';
import type { BrokerOrder } from '../../../../venues/broker.ts';
import { INSTRUMENT, NOW } from './market.ts';

const ORDER: BrokerOrder = {
  accountId: 'a',
  mode: 'paper',
  id: 'o',
  tokenId: INSTRUMENT.token_id,
  venue: 'venue-a',
  side: 'buy',
  timeInForce: 'gtc',
  amount: '10',
  limitPrice: '0.5',
  validUntil: new Date(NOW.getTime() + 1_000),
  goodTill: new Date(NOW.getTime() + 60_000),
};
const OFFERS: Offers = { levels: [{ price: exact('0.5'), size: exact(4) }], isWhole: true, asOf: NOW };
const FEED_NOW_MS = NOW.getTime() + 5;

const arriving = (changes: Partial<BrokerOrder> = {}, offers: Offers | null = OFFERS) => {
  let ids = 0;
  const met = { instrument: INSTRUMENT, offers, levels: new Map(), feedNowMs: FEED_NOW_MS };
  return executeArrival({ ...ORDER, ...changes }, met, { now: NOW, newId: () => `id-${++ids}` });
};

/** The order on arrival, before it met any offer. */
const ARRIVED = {
  account_id: 'a',
  id: 'o',
  token_id: INSTRUMENT.token_id,
  venue: 'venue-a',
  side: 'buy',
  time_in_force: 'gtc',
  amount: '10',
  limit_price: '0.5',
  filled_amount: '0',
  status: 'open',
  reason_code: null,
  reason: null,
  placed_at: NOW.toISOString(),
  updated_at: NOW.toISOString(),
  candle_at: new Date(FEED_NOW_MS).toISOString(),
  good_till: new Date(NOW.getTime() + 60_000).toISOString(),
};

test('a request to the paper venue is known by the id of its order, and arrives in time or never', () => {
  const preparation = preparePaperRequest({ id: 'o' }, NOW);
  expect(preparation).toMatchObject({
    kind: 'prepared',
    prepared: { clientOrderId: 'o', venueOrderId: 'o', request: {}, signedFor: NOW },
  });
  if (preparation.kind === 'prepared') expect(preparation.prepared.arrivesBy > NOW).toBe(true);
});

describe('an order that arrives at the paper venue', () => {
  test('takes offers, pays for them and rests with the remainder', () => {
    const { order, fills, levels } = arriving();
    expect(order).toEqual({ ...ARRIVED, filled_amount: '4' });
    expect(fills).toMatchObject([
      { id: 'id-1', order_id: 'o', amount: '4', price: '0.5', fee: '0.07', liquidity: 'taker' },
    ]);
    expect([...levels.values()].map(({ left }) => left.toFixed())).toEqual(['0']);
  });

  test('rests while the market is unknown, without limit if it has no end of its own', () => {
    expect(arriving({}, null)).toEqual({ order: ARRIVED, fills: [], levels: new Map() });
    expect(arriving({ goodTill: null }, null).order.good_till).toBeNull();
  });

  test('never takes an offer with `gtx`: it is refused where one is at its limit, and rests below', () => {
    expect(arriving({ timeInForce: 'gtx' })).toEqual({
      order: {
        ...ARRIVED,
        time_in_force: 'gtx',
        status: 'rejected',
        reason_code: 'post_only_cross',
        reason: 'It would fill at once, at 0.5.',
      },
      fills: [],
      levels: new Map(),
    });
    const none: Offers = { ...OFFERS, levels: [] };
    for (const rests of [
      arriving({ timeInForce: 'gtx', limitPrice: '0.49' }),
      arriving({ timeInForce: 'gtx' }, none),
      arriving({ timeInForce: 'gtx', side: 'sell', limitPrice: '0.51' }),
    ])
      expect(rests).toMatchObject({ order: { status: 'open', filled_amount: '0' }, fills: [] });
    expect(arriving({ timeInForce: 'gtx', side: 'sell', limitPrice: '0.5' }).order.status).toBe('rejected');
    // Resting, it would take the first offer that is seen.
    expect(arriving({ timeInForce: 'gtx' }, null).order).toMatchObject({
      status: 'rejected',
      reason_code: 'venue_unavailable',
    });
  });

  test('is refused for good, with the reason, and takes nothing', () => {
    const late = arriving({ validUntil: new Date(NOW.getTime() - 1) });
    const reason = `It arrived after ${new Date(NOW.getTime() - 1).toISOString()}.`;
    expect(late).toEqual({
      order: { ...ARRIVED, status: 'rejected', reason_code: 'arrived_late', reason },
      fills: [],
      levels: new Map(),
    });
    expect(arriving({ timeInForce: 'ioc' }, null).order).toMatchObject({
      status: 'rejected',
      reason_code: 'venue_unavailable',
    });
  });

  test('is reported in the words of a broker', () => {
    const { order, fills } = arriving({ timeInForce: 'ioc' });
    expect(venueOrderOf(order, fills)).toEqual({
      venueOrderId: 'o',
      status: 'canceled',
      filledAmount: '4',
      fills: fills.map(fillOf),
      reasonCode: 'no_more_offers',
      reason: 'No further offers within its limit.',
    });
    expect(fills.map(fillOf)).toEqual([
      {
        tradeId: 'id-1',
        amount: '4',
        price: '0.5',
        fee: '0.07',
        feeAsset: 'USD',
        feeAmount: '0.07',
        liquidity: 'taker',
        state: 'final',
        at: NOW,
      },
    ]);
  });
});

describe('the stored offers', () => {
  const level = (left: number, seenMs: number): TakenLevel => ({
    price: exact('0.5'),
    visible: exact(10),
    left: exact(left),
    seenAt: new Date(seenMs),
  });
  const [whole, taken, edge] = [level(10, 0), level(4, 0), level(10, 1_000)];
  const before: TakenLevels = new Map([
    ['whole', whole],
    ['taken', taken],
    ['edge', edge],
  ]);

  test('stay as they are until something new is seen', () => {
    expect(pruneLevels(before, before)).toBe(before);
  });

  test('are those of the newest of several views', () => {
    const looks: TakenLevels = new Map([...before, ['old', level(3, 10_000)], ['new', level(3, 10_001)]]);
    expect([...pruneLevels(before, looks).keys()]).toEqual(['taken', 'edge', 'old', 'new']);
  });

  test('are forgotten once whole and no older view can come', () => {
    const seenAt = (seenMs: number): TakenLevels => new Map([...before, ['new', level(3, seenMs)]]);
    expect([...pruneLevels(before, seenAt(10_000)).keys()]).toEqual(['whole', 'taken', 'edge', 'new']);
    expect([...pruneLevels(before, seenAt(10_001)).keys()]).toEqual(['taken', 'edge', 'new']);
    expect([...pruneLevels(before, seenAt(11_000)).keys()]).toEqual(['taken', 'edge', 'new']);
    expect([...pruneLevels(before, seenAt(11_001)).keys()]).toEqual(['taken', 'new']);
  });
});

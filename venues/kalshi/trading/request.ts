/** Requests to Kalshi's trading routes, before they are signed. Pure. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { BrokerOrder, OrderRef, PrepareResult, TradedInstrument } from '../../broker.ts';
import { complement } from '../../parse/decimal.ts';
import { tickAt } from '../../reads.ts';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import { mayRest } from '../../vocabulary.ts';
import type { Side } from '../normalize.ts';

/** A request to send: a path below the base path, with its query, and the bytes of the body. */
export type Outgoing = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
};

/**
 * No request arrives later than this after the moment of its signature: 60 s were observed, never documented, and clocks
 * differ.
 */
export const ARRIVAL_MAX_MS = 75 * SECOND_MS;
/** A resting order that opens a position ends after this time at the latest, even if this service is down. */
const REST_MAX_MS = 10 * MINUTE_MS;
const CLIENT_ID_LENGTH_MAX = 64;
const COUNT_DECIMALS = 2;
const PRICE_DECIMALS = 4;
const CREATE_PATH = '/portfolio/events/orders';

const TIMES_IN_FORCE = {
  gtc: 'good_till_canceled',
  gtx: 'good_till_canceled',
  ioc: 'immediate_or_cancel',
  fok: 'fill_or_kill',
} as const;

/** A create as it is stored and sent. Numbers are strings; a JSON number would be refused. */
export const CreateRequest = z.strictObject({
  ticker: z.string().min(1),
  client_order_id: z.string().min(1).max(CLIENT_ID_LENGTH_MAX),
  side: z.enum(['bid', 'ask']),
  count: z.string(),
  price: z.string(),
  time_in_force: z.enum(TIMES_IN_FORCE),
  self_trade_prevention_type: z.literal('taker_at_cross'),
  cancel_order_on_pause: z.literal(true),
  reduce_only: z.boolean(),
  post_only: z.literal(true).exactOptional(),
  expiration_time: z.int().exactOptional(),
  order_group_id: z.string().exactOptional(),
});
export type CreateRequest = z.infer<typeof CreateRequest>;

/** The ticker of a `tokenId`, and its side of the market. */
export function parseTokenId(tokenId: string): { ticker: string; outcome: Side } {
  const [ticker = '', side] = tokenId.split(':');
  return { ticker, outcome: side === 'no' ? 'no' : 'yes' };
}

/** Side in the yes book: a buyer of no at q asks for yes at 1 − q. */
export const bookSideOf = (outcome: Side, side: BrokerOrder['side']): 'bid' | 'ask' =>
  (outcome === 'yes') === (side === 'buy') ? 'bid' : 'ask';

/** Converts a price of a side to a price of yes, or the reverse. */
export const mirroredPrice = (outcome: Side, price: string): string =>
  outcome === 'yes' ? price : complement(price);

const refused = (code: string, reason: string): PrepareResult => ({ kind: 'refused', code, reason });

/** A multiple of a step, counted from 0. */
const isMultiple = (value: string, step: string): boolean => new Decimal(value).modulo(step).isZero();

/**
 * Builds the request for an order. Sells are reduce-only; resting orders that open positions end within ten minutes. All orders
 * end when the venue pauses. `groupId`: the order group of the market's shard, if there is one.
 */
export function prepare(
  order: BrokerOrder,
  instrument: TradedInstrument,
  now: Date,
  groupId: string | null,
): PrepareResult {
  const objection = objectionTo(order, instrument);
  if (objection !== null) return objection;
  const request = createRequest(order, now, groupId);
  return {
    kind: 'prepared',
    prepared: {
      clientOrderId: order.id,
      venueOrderId: null,
      request,
      signedFor: now,
      arrivesBy: new Date(now.getTime() + ARRIVAL_MAX_MS),
    },
  };
}

function objectionTo(order: BrokerOrder, instrument: TradedInstrument): PrepareResult | null {
  const { amount, limitPrice } = order;
  if (instrument.tokenId !== order.tokenId || instrument.venue !== 'venue-a')
    return refused('instrument_mismatch', `the order is for ${order.tokenId}, not for ${instrument.tokenId}`);
  if (order.id.length > CLIENT_ID_LENGTH_MAX)
    return refused('id_too_long', `a client order id has at most ${CLIENT_ID_LENGTH_MAX} characters`);
  if (instrument.status !== 'open')
    return refused('market_not_open', `the market is ${instrument.status}, not open`);
  if (!isMultiple(amount, instrument.stepSize) || new Decimal(amount).lessThan(instrument.minSize))
    return refused(
      'amount_off_step',
      `${amount} is no multiple of ${instrument.stepSize} from ${instrument.minSize} on`,
    );
  const price = new Decimal(limitPrice);
  const tick = tickAt(instrument, limitPrice);
  if (price.lessThanOrEqualTo(0) || price.greaterThanOrEqualTo(1) || !isMultiple(limitPrice, tick))
    return refused('price_off_grid', `${limitPrice} is no price between 0 and 1 in steps of ${tick}`);
  return null;
}

function createRequest(order: BrokerOrder, now: Date, groupId: string | null): CreateRequest {
  const { ticker, outcome } = parseTokenId(order.tokenId);
  const until = mayRest(order.timeInForce) ? restsUntil(order, now) : null;
  return {
    ticker,
    client_order_id: order.id,
    side: bookSideOf(outcome, order.side),
    count: new Decimal(order.amount).toFixed(COUNT_DECIMALS),
    price: new Decimal(mirroredPrice(outcome, order.limitPrice)).toFixed(PRICE_DECIMALS),
    time_in_force: TIMES_IN_FORCE[order.timeInForce],
    self_trade_prevention_type: 'taker_at_cross',
    cancel_order_on_pause: true,
    reduce_only: order.side === 'sell',
    ...(order.timeInForce === 'gtx' && { post_only: true }),
    ...(until !== null && { expiration_time: Math.floor(until / SECOND_MS) }),
    ...(groupId !== null && { order_group_id: groupId }),
  };
}

/** Epoch ms at which the venue ends the order; null: never, for an exit without its own end. */
function restsUntil({ side, goodTill }: BrokerOrder, now: Date): number | null {
  const ownMs = goodTill?.getTime() ?? Number.POSITIVE_INFINITY;
  const dueMs = side === 'buy' ? Math.min(ownMs, now.getTime() + REST_MAX_MS) : ownMs;
  return Number.isFinite(dueMs) ? dueMs : null;
}

export const createOf = (request: CreateRequest): Outgoing => ({
  method: 'POST',
  path: CREATE_PATH,
  body: JSON.stringify(request),
});

const queryOf = (values: Readonly<Record<string, string | number | null>>): string => {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

/** The ticker is required: without it the venue searches shard 0 only, and answers "not found" for any other order. */
export const cancelOf = (venueOrderId: string, ticker: string): Outgoing => ({
  method: 'DELETE',
  path: `${CREATE_PATH}/${encodeURIComponent(venueOrderId)}${queryOf({ market_ticker: ticker })}`,
});

/** Cancels on every shard. */
export const cancelAllOf = (): Outgoing => ({ method: 'DELETE', path: CREATE_PATH });

const get = (path: string): Outgoing => ({ method: 'GET', path });

export const orderOf = (venueOrderId: string): Outgoing =>
  get(`/portfolio/orders/${encodeURIComponent(venueOrderId)}`);

const PAGE_MAX = 1_000;

export type OrderFilter = {
  readonly ticker?: string;
  readonly status?: 'resting';
  /** Created since. */
  readonly since?: Date;
};

/** Orders of every status, unless one is named. */
export const ordersOf = ({ ticker, status, since }: OrderFilter, cursor: string | null): Outgoing =>
  get(
    `/portfolio/orders${queryOf({
      ticker: ticker ?? null,
      status: status ?? null,
      min_ts: since === undefined ? null : secondsOf(since),
      limit: PAGE_MAX,
      cursor,
    })}`,
  );

export type FillFilter = { readonly venueOrderId?: string; readonly since?: Date };

export const fillsOf = ({ venueOrderId, since }: FillFilter, cursor: string | null): Outgoing =>
  get(
    `/portfolio/fills${queryOf({
      order_id: venueOrderId ?? null,
      min_ts: since === undefined ? null : secondsOf(since),
      limit: PAGE_MAX,
      cursor,
    })}`,
  );

/** The largest page of the lists of deposits and withdrawals. */
const TRANSFERS_PAGE = 500;

export const positionsOf = (cursor: string | null): Outgoing =>
  get(`/portfolio/positions${queryOf({ limit: PAGE_MAX, cursor })}`);

export const balanceOf = (): Outgoing => get('/portfolio/balance');
export const depositsOf = (cursor: string | null): Outgoing =>
  get(`/portfolio/deposits${queryOf({ limit: TRANSFERS_PAGE, cursor })}`);
export const withdrawalsOf = (cursor: string | null): Outgoing =>
  get(`/portfolio/withdrawals${queryOf({ limit: TRANSFERS_PAGE, cursor })}`);
export const asOfTimeOf = (): Outgoing => get('/exchange/user_data_timestamp');
export const exchangeStatusOf = (): Outgoing => get('/exchange/status');
export const apiKeysOf = (): Outgoing => get('/api_keys');
export const nettingOf = (): Outgoing => get('/portfolio/subaccounts/netting');
export const communicationsIdOf = (): Outgoing => get('/communications/id');

/** How long before its signed moment an order may have been created, by the venue's clock. */
const LOOK_BACK_MS = 120 * SECOND_MS;

/** The filter of lists that can contain an order of that preparation. */
export const searchOf = ({ tokenId, prepared }: OrderRef): OrderFilter => ({
  ticker: parseTokenId(tokenId).ticker,
  ...(prepared !== null && { since: new Date(prepared.signedFor.getTime() - LOOK_BACK_MS) }),
});

const secondsOf = (time: Date): number => Math.floor(time.getTime() / SECOND_MS);

/** A kill switch of the venue: once this number of contracts is filled within 15 s, all orders of the group end. */
export const createGroupOf = (shard: number, contractsMax: string): Outgoing => ({
  method: 'POST',
  path: '/portfolio/order_groups/create',
  body: JSON.stringify({
    contracts_limit_fp: new Decimal(contractsMax).toFixed(COUNT_DECIMALS),
    exchange_index: shard,
  }),
});

export const groupActionOf = (groupId: string, action: 'trigger' | 'reset', shard: number): Outgoing => ({
  method: 'PUT',
  path: `/portfolio/order_groups/${encodeURIComponent(groupId)}/${action}${queryOf({ exchange_index: shard })}`,
  body: '{}',
});

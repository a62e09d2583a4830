/** `POST /portfolio/events/orders`: Kalshi's checks of a new order, and its answer. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { SECOND_MS } from '../../../venues/time.ts';
import { shardOf } from '../../kalshi-records.ts';
import type { Reply } from '../../reply.ts';
import { phaseOf, type SimMarket } from '../../world/event.ts';
import type { Catalogue } from '../../world/event-series.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { isOpen, type Order, type OrderDraft, remainingOf, stateOf } from '../orders.ts';
import type { TradingRequest } from '../venue.ts';
import { type Caller, forbidden, mayDo } from './auth.ts';
import { type Clearing, partsOf } from './clearing.ts';
import { isOnGrid } from './market.ts';
import type { OrderGroups } from './order-groups.ts';
import { count, dollars, refused, unreadable } from './replies.ts';

const Count = z.string().regex(/^\d{1,9}(\.\d{1,2})?$/);
const Price = z.string().regex(/^\d(\.\d{1,6})?$/);

const CreateBody = z.object({
  ticker: z.string().min(1),
  client_order_id: z.string().max(64).default(''),
  side: z.enum(['bid', 'ask']),
  count: Count,
  price: Price,
  time_in_force: z.enum(['good_till_canceled', 'immediate_or_cancel', 'fill_or_kill']),
  self_trade_prevention_type: z.enum(['taker_at_cross', 'maker']),
  expiration_time: z.int().optional(),
  post_only: z.boolean().default(false),
  reduce_only: z.boolean().default(false),
  cancel_order_on_pause: z.boolean().default(false),
  order_group_id: z.string().optional(),
  subaccount: z.int().optional(),
  exchange_index: z.int().optional(),
});
type CreateBody = z.infer<typeof CreateBody>;

const FORCES = { good_till_canceled: 'GTC', immediate_or_cancel: 'IOC', fill_or_kill: 'FOK' } as const;

/** Series of these categories are closed to keys whose attestation of the owner's region has ended. */
const ATTESTED = new Set(['Sports', 'Elections', 'Politics', 'Entertainment']);

export type KalshiState = {
  readonly exchange: Exchange;
  readonly catalogue: Catalogue;
  readonly clearing: Clearing;
  readonly groups: OrderGroups;
  /** Client order ids ever accepted or killed, by account: none is accepted again. */
  readonly used: Map<Account, Set<string>>;
};

export function create(state: KalshiState, caller: Caller, { body }: TradingRequest): Reply {
  if (!mayDo(caller, 'write::trade')) return forbidden();
  const mistyped = mistypedField(body);
  if (mistyped !== null) return unreadable(mistyped);
  const parsed = CreateBody.safeParse(body);
  if (!parsed.success) return refused(400, 'invalid_order', parsed.error.issues[0]?.path.join('.') ?? '');
  const market = state.catalogue.market(parsed.data.ticker);
  if (market === null) return refused(404, 'market_not_found');
  const draft = draftOf(state, caller.account, parsed.data);
  return objectionTo(state, caller, parsed.data, market, draft) ?? taken(state, parsed.data, draft);
}

/** The gateway is typed: it cannot parse a number where a string belongs. */
function mistypedField(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return 'invalid character looking for beginning of value';
  for (const name of ['count', 'price', 'ticker', 'client_order_id', 'side']) {
    const value: unknown = Reflect.get(body, name);
    if (value === undefined || typeof value === 'string') continue;
    return `json: cannot unmarshal ${typeof value} into Go struct field CreateOrderV2Request.${name} of type string`;
  }
  return null;
}

function draftOf({ clearing }: KalshiState, account: Account, body: CreateBody): OrderDraft {
  const side = body.side === 'bid' ? 'buy' : 'sell';
  const wanted = { side, price: new Decimal(body.price), amount: new Decimal(body.count) } as const;
  const held = account.holds(body.ticker);
  const amount = body.reduce_only ? partsOf(wanted, held).closing : wanted.amount;
  const tags = {
    cancelOnPause: String(body.cancel_order_on_pause),
    group: body.order_group_id ?? '',
    shard: String(clearing.shardOf(body.ticker)),
    selfTrade: body.self_trade_prevention_type,
  };
  return {
    account,
    clientOrderId: body.client_order_id,
    instrument: body.ticker,
    ...wanted,
    amount,
    timeInForce: FORCES[body.time_in_force],
    expiresMs: body.expiration_time === undefined ? null : body.expiration_time * SECOND_MS,
    selfTrade: body.self_trade_prevention_type === 'maker' ? 'maker' : 'taker',
    tags,
  };
}

function objectionTo(
  state: KalshiState,
  caller: Caller,
  body: CreateBody,
  market: SimMarket,
  draft: OrderDraft,
): Reply | null {
  const { exchange, clearing } = state;
  const { account } = caller;
  if (usedClientOrderIds(state, account).has(body.client_order_id))
    return refused(409, 'order_already_exists');
  if (exchange.pause !== null)
    return refused(400, `${exchange.pause === 'all' ? 'exchange' : 'trading'}_is_paused`);
  if (phaseOf(market.event, exchange.now()) !== 'open') return refused(400, 'market_closed');
  if (isLapsed(caller, market, exchange)) return refused(403, 'region_attestation_expired');
  const shape = objectionToShape(state, body, market, account);
  if (shape !== null) return shape;
  if (body.post_only && !exchange.fillable(draft).isZero())
    return refused(400, 'invalid_order', 'post only cross');
  const free = clearing.free(account, shardOf(market.event));
  if (clearing.needs(draft, account).greaterThan(free)) return refused(400, 'insufficient_balance');
  if (draft.timeInForce === 'FOK' && !exchange.fillable(draft).equals(draft.amount)) {
    usedClientOrderIds(state, account).add(body.client_order_id);
    return refused(409, 'fill_or_kill_insufficient_resting_volume');
  }
  return null;
}

function objectionToShape(
  { exchange, groups }: KalshiState,
  body: CreateBody,
  market: SimMarket,
  account: Account,
): Reply | null {
  const shard = shardOf(market.event);
  if (![undefined, -1, shard].includes(body.exchange_index)) return refused(404, 'market_not_found');
  if (Number(body.count) <= 0) return refused(400, 'invalid_order_size');
  if (!isOnGrid(market, new Decimal(body.price))) return refused(400, 'invalid_price');
  if (body.expiration_time !== undefined) {
    if (body.time_in_force !== 'good_till_canceled') return refused(400, 'invalid_order', 'expiration time');
    if (body.expiration_time * SECOND_MS <= exchange.venueNow())
      return refused(400, 'invalid_order', 'expiration time in the past');
  }
  if (body.order_group_id === undefined) return null;
  const group = groups.of(account, body.order_group_id);
  if (group === null || group.shard !== shard) return refused(404, 'order_group_not_found');
  return group.isTriggered ? refused(400, 'order_group_triggered') : null;
}

function isLapsed({ key }: Caller, market: SimMarket, exchange: Exchange): boolean {
  const until = key.tags['regionExpiresSec'];
  if (until === undefined || !ATTESTED.has(market.event.category)) return false;
  return Number(until) * SECOND_MS <= exchange.venueNow();
}

function taken(state: KalshiState, body: CreateBody, draft: OrderDraft): Reply {
  const { exchange } = state;
  if (draft.account !== null && body.client_order_id !== '')
    usedClientOrderIds(state, draft.account).add(body.client_order_id);
  const order = exchange.place(draft);
  // Nothing to reduce: the order exists and has ended.
  if (draft.amount.isZero()) exchange.cancel(order, 'reduce_only');
  return { status: 201, body: createAnswer(order, exchange.venueNow()) };
}

export function usedClientOrderIds({ used }: Pick<KalshiState, 'used'>, account: Account): Set<string> {
  const ids = used.get(account) ?? new Set<string>();
  used.set(account, ids);
  return ids;
}

/** No status and no trades: only the filled and the remaining amount. Averages only if something is filled. */
function createAnswer(order: Order, nowMs: number) {
  const { filled } = stateOf(order);
  const remaining = isOpen(order) ? remainingOf(order) : new Decimal(0);
  const averageOf = (value: (fill: Order['fills'][number]) => Decimal) =>
    dollars(order.fills.reduce((sum, fill) => sum.plus(value(fill)), new Decimal(0)).dividedBy(filled));
  return {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    fill_count: count(filled),
    remaining_count: count(remaining),
    ...(!filled.isZero() && {
      average_fill_price: averageOf(({ price, amount }) => price.times(amount)),
      average_fee_paid: averageOf(({ fee }) => fee),
    }),
    ts_ms: nowMs,
  };
}

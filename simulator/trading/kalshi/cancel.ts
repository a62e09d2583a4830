/** Cancels and order groups. Canceled, executed and unknown orders and those on another shard all get the same 404. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { ok, type Reply } from '../../reply.ts';
import { phaseOf } from '../../world/event.ts';
import { isOpen, remainingOf } from '../orders.ts';
import type { TradingRequest } from '../venue.ts';
import { type Caller, forbidden, mayDo } from './auth.ts';
import type { KalshiState } from './create.ts';
import type { OrderGroup } from './order-groups.ts';
import { count, notFound, refused } from './replies.ts';

/** Searches the shard that is named or that holds the ticker; without either, shard 0 only. */
export function cancel(state: KalshiState, caller: Caller, id: string, { query }: TradingRequest): Reply {
  if (!mayDo(caller, 'write::trade')) return forbidden();
  const { exchange, clearing, catalogue } = state;
  if (exchange.pause === 'all') return refused(400, 'exchange_is_paused');
  const named = Number(query.get('exchange_index') ?? -1);
  const ticker = query.get('market_ticker');
  const shard = named >= 0 ? named : ticker === null ? 0 : clearing.shardOf(ticker);
  exchange.advance();
  const order = exchange.orders.get(id);
  if (order?.account !== caller.account || !isOpen(order) || clearing.shardOf(order.instrument) !== shard)
    return notFound();
  const market = catalogue.market(order.instrument);
  if (market !== null && phaseOf(market.event, exchange.now()) !== 'open')
    return refused(400, 'market_inactive');
  const reducedBy = remainingOf(order);
  exchange.cancel(order);
  return ok({
    order_id: id,
    client_order_id: order.clientOrderId,
    reduced_by: count(reducedBy),
    ts_ms: exchange.venueNow(),
  });
}

export function cancelAll({ exchange }: KalshiState, caller: Caller): Reply {
  if (!mayDo(caller, 'write::trade')) return forbidden();
  if (exchange.pause === 'all') return refused(400, 'exchange_is_paused');
  for (const order of exchange.openOrders(caller.account)) exchange.cancel(order);
  return { status: 204, body: {} };
}

const GroupBody = z.object({
  contracts_limit: z.int().min(1).max(1_000_000).optional(),
  contracts_limit_fp: z
    .string()
    .regex(/^\d{1,7}(\.\d{1,2})?$/)
    .optional(),
  exchange_index: z.int().min(0).default(0),
});

/** `/portfolio/order_groups`, `/create`, `/{id}`, `/{id}/trigger`, `/{id}/reset`. */
export function orderGroups(
  state: KalshiState,
  caller: Caller,
  ask: TradingRequest,
  [id = '', action = '']: string[],
): Reply {
  const { groups } = state;
  if (ask.method === 'GET' && id === '')
    return ok({ order_groups: groups.all(caller.account).map(groupRecord) });
  if (ask.method !== 'GET' && !mayDo(caller, 'write::trade')) return forbidden();
  if (ask.method === 'POST' && id === 'create') return createGroup(state, caller, ask);
  const group = groups.of(caller.account, id);
  if (group === null) return notFound();
  if (ask.method === 'GET' && action === '')
    return ok({ ...groupRecord(group), orders: groups.ordersOf(group).map((order) => order.id) });
  if (ask.method === 'PUT' && action === 'trigger') groups.trigger(group);
  else if (ask.method === 'PUT' && action === 'reset') groups.reset(group);
  else if (ask.method === 'DELETE' && action === '') groups.remove(group);
  else return notFound();
  return ok({});
}

function createGroup({ groups }: KalshiState, { account }: Caller, { body }: TradingRequest): Reply {
  const parsed = GroupBody.safeParse(body);
  const limit = parsed.data?.contracts_limit_fp ?? parsed.data?.contracts_limit;
  if (!parsed.success || limit === undefined) return refused(400, 'invalid_parameters', 'contracts_limit');
  const group = groups.create(account, parsed.data.exchange_index, new Decimal(limit));
  return { status: 201, body: { order_group_id: group.id, subaccount: 0, exchange_index: group.shard } };
}

const groupRecord = ({ id, limit, shard }: OrderGroup) => ({
  id,
  contracts_limit_fp: count(limit),
  is_auto_cancel_enabled: true,
  exchange_index: shard,
});

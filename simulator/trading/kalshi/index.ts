/** Kalshi's trading routes over the simulated world. */
import type { Reply } from '../../reply.ts';
import type { Catalogue } from '../../world/event-series.ts';
import type { WorldClock } from '../../world/world-clock.ts';
import { Exchange } from '../exchange.ts';
import type { TradingRequest, TradingVenue } from '../venue.ts';
import { authenticate, type Caller, forbidden, mayDo } from './auth.ts';
import { cancel, cancelAll, orderGroups } from './cancel.ts';
import { Clearing } from './clearing.ts';
import { create, type KalshiState } from './create.ts';
import { OrderGroups } from './order-groups.ts';
import * as reads from './reads.ts';
import { notFound, refused, tooMany } from './replies.ts';
import { streamRules } from './stream.ts';

/** Lag of the venue's reads of orders and fills; the observed lag was slightly shorter. */
const READ_LAG_MS = 400;

const BASE = 'trade-api/v2/';

export function kalshiTrading(catalogue: Catalogue, clock: WorldClock): TradingVenue {
  // The clearing posts to the exchange that calls it.
  const clearing: Clearing = new Clearing(catalogue, () => exchange);
  const exchange: Exchange = new Exchange('kalshi', clearing, clock);
  exchange.readLagMs = READ_LAG_MS;
  const state: KalshiState = {
    exchange,
    catalogue,
    clearing,
    groups: new OrderGroups(exchange),
    used: new Map(),
  };
  return {
    name: 'kalshi',
    exchange,
    answer: (ask) => answer(state, ask),
    clientOrderIdOf: (ask) => clientOrderIdOf(state, ask),
    tooMany,
    stream: streamRules(exchange),
  };
}

/** The id in the body of a create; for a request about one order, that order's id. */
function clientOrderIdOf({ exchange }: KalshiState, { body, path }: TradingRequest): string | null {
  const named: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'client_order_id') : null;
  if (typeof named === 'string') return named;
  return exchange.orders.get(path.split('/').at(-1) ?? '')?.clientOrderId ?? null;
}

/** Routes that concern no account. */
function publicAnswer(state: KalshiState, resource: string): Reply | null {
  if (resource === 'exchange/status') return reads.exchangeStatus(state);
  return resource === 'exchange/user_data_timestamp' ? reads.userDataTimestamp(state) : null;
}

const PRIVATE = ['portfolio', 'api_keys', 'account', 'communications'];

function answer(state: KalshiState, ask: TradingRequest): Reply | null {
  if (!ask.path.startsWith(BASE)) return null;
  const resource = ask.path.slice(BASE.length);
  const segments = resource.split('/').map(decodeURIComponent);
  state.exchange.advance();
  const open = publicAnswer(state, resource);
  if (open !== null || !PRIVATE.includes(segments[0] ?? '')) return open;
  const caller = authenticate(state.exchange, ask);
  if ('status' in caller) return caller;
  const isLegacy = segments[1] === 'orders' && ask.method !== 'GET';
  if (isLegacy) return refused(410, 'deprecated_v1_order_endpoint');
  if (ask.method === 'GET')
    return mayDo(caller, 'read') ? readAnswer(state, caller, ask, segments) : forbidden();
  return writeAnswer(state, caller, ask, segments);
}

function writeAnswer(state: KalshiState, caller: Caller, ask: TradingRequest, segments: string[]): Reply {
  const [, second, third, id] = segments;
  if (second === 'order_groups') return orderGroups(state, caller, ask, segments.slice(2));
  if (second !== 'events' || third !== 'orders') return notFound();
  if (ask.method === 'POST' && id === undefined) return create(state, caller, ask);
  if (ask.method !== 'DELETE') return notFound();
  return id === undefined ? cancelAll(state, caller) : cancel(state, caller, id, ask);
}

function readAnswer(state: KalshiState, caller: Caller, ask: TradingRequest, segments: string[]): Reply {
  const [first, second, third] = segments;
  if (first === 'api_keys') return reads.apiKeys(caller);
  if (first === 'communications')
    return second === 'id' ? reads.communicationsId(caller.account) : notFound();
  if (first === 'account') return second === 'limits' ? reads.limits() : notFound();
  if (second === 'orders') {
    return third === undefined ? reads.orders(state, caller, ask) : reads.order(state, caller, third);
  }
  if (second === 'fills') return reads.fills(state, caller, ask);
  if (second === 'positions') return reads.positions(state, caller, ask);
  if (second === 'deposits') return reads.transfers(state, caller, ask, 'deposit');
  if (second === 'withdrawals') return reads.transfers(state, caller, ask, 'withdrawal');
  if (second === 'balance') return reads.balance(state, caller);
  if (second === 'settlements') return reads.settlements(state, caller, ask);
  if (second === 'subaccounts') return third === 'netting' ? reads.netting() : notFound();
  return second === 'order_groups' ? orderGroups(state, caller, ask, segments.slice(2)) : notFound();
}

/** Kalshi's trading routes over the simulated world. */
import type { Reply } from '../../reply.ts';
import type { Catalogue } from '../../world/series.ts';
import type { WorldClock } from '../../world/world-clock.ts';
import { Exchange } from '../exchange.ts';
import type { TradingAsk, TradingVenue } from '../venue.ts';
import { authenticate, type Caller, forbidden, mayDo } from './auth.ts';
import { cancel, cancelAll, orderGroups } from './cancel.ts';
import { Clearing } from './clearing.ts';
import { create, type Floor } from './create.ts';
import { Groups } from './groups.ts';
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
  const floor: Floor = { exchange, catalogue, clearing, groups: new Groups(exchange), used: new Map() };
  return {
    name: 'kalshi',
    exchange,
    answer: (ask) => answer(floor, ask),
    clientOrderIdOf: (ask) => clientOrderIdOf(floor, ask),
    tooMany,
    stream: streamRules(exchange),
  };
}

/** The id in the body of a create; for a request about one order, that order's id. */
function clientOrderIdOf({ exchange }: Floor, { body, path }: TradingAsk): string | null {
  const named: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'client_order_id') : null;
  if (typeof named === 'string') return named;
  return exchange.orders.get(path.split('/').at(-1) ?? '')?.clientOrderId ?? null;
}

/** Routes that concern no account. */
function publicAnswer(floor: Floor, resource: string): Reply | null {
  if (resource === 'exchange/status') return reads.exchangeStatus(floor);
  return resource === 'exchange/user_data_timestamp' ? reads.userDataTimestamp(floor) : null;
}

const PRIVATE = ['portfolio', 'api_keys', 'account', 'communications'];

function answer(floor: Floor, ask: TradingAsk): Reply | null {
  if (!ask.path.startsWith(BASE)) return null;
  const resource = ask.path.slice(BASE.length);
  const segments = resource.split('/').map(decodeURIComponent);
  floor.exchange.advance();
  const open = publicAnswer(floor, resource);
  if (open !== null || !PRIVATE.includes(segments[0] ?? '')) return open;
  const caller = authenticate(floor.exchange, ask);
  if ('status' in caller) return caller;
  const isLegacy = segments[1] === 'orders' && ask.method !== 'GET';
  if (isLegacy) return refused(410, 'deprecated_v1_order_endpoint');
  if (ask.method === 'GET')
    return mayDo(caller, 'read') ? readAnswer(floor, caller, ask, segments) : forbidden();
  return writeAnswer(floor, caller, ask, segments);
}

function writeAnswer(floor: Floor, caller: Caller, ask: TradingAsk, segments: string[]): Reply {
  const [, second, third, id] = segments;
  if (second === 'order_groups') return orderGroups(floor, caller, ask, segments.slice(2));
  if (second !== 'events' || third !== 'orders') return notFound();
  if (ask.method === 'POST' && id === undefined) return create(floor, caller, ask);
  if (ask.method !== 'DELETE') return notFound();
  return id === undefined ? cancelAll(floor, caller) : cancel(floor, caller, id, ask);
}

function readAnswer(floor: Floor, caller: Caller, ask: TradingAsk, segments: string[]): Reply {
  const [first, second, third] = segments;
  if (first === 'api_keys') return reads.apiKeys(caller);
  if (first === 'communications')
    return second === 'id' ? reads.communicationsId(caller.account) : notFound();
  if (first === 'account') return second === 'limits' ? reads.limits() : notFound();
  if (second === 'orders') {
    return third === undefined ? reads.orders(floor, caller, ask) : reads.order(floor, caller, third);
  }
  if (second === 'fills') return reads.fills(floor, caller, ask);
  if (second === 'positions') return reads.positions(floor, caller, ask);
  if (second === 'deposits') return reads.transfers(floor, caller, ask, 'deposit');
  if (second === 'withdrawals') return reads.transfers(floor, caller, ask, 'withdrawal');
  if (second === 'balance') return reads.balance(floor, caller);
  if (second === 'settlements') return reads.settlements(floor, caller, ask);
  if (second === 'subaccounts') return third === 'netting' ? reads.netting() : notFound();
  return second === 'order_groups' ? orderGroups(floor, caller, ask, segments.slice(2)) : notFound();
}

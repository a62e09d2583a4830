/** Orders as Binance takes, tests and cancels them. */
import { Decimal } from 'decimal.js';
import { filtersOf } from '../../binance.ts';
import { ok, type Reply } from '../../reply.ts';
import type { SymbolSpec } from '../../world/crypto-path.ts';
import { uuidOf } from '../exchange.ts';
import { isOpen, type Order, type OrderDraft } from '../orders.ts';
import type { Caller } from './auth.ts';
import { specOf } from './clearing.ts';
import { canceledRecord, placedRecord } from './records.ts';
import { missing, refused } from './replies.ts';
import { type BinanceState, replyCodeOf } from './state.ts';

const NEEDED = ['symbol', 'side', 'type', 'quantity', 'price'] as const;
const KNOWN: ReadonlySet<string> = new Set([
  ...NEEDED,
  'timeInForce',
  'newClientOrderId',
  'newOrderRespType',
  'selfTradePreventionMode',
  'recvWindow',
  'timestamp',
  'signature',
]);
const CLIENT_ID = /^[a-zA-Z0-9-_]{1,36}$/;
const FORCES = ['GTC', 'IOC', 'FOK'] as const;

const rejected = (msg: string): Reply => refused(-2010, msg);
const filtered = (filter: string): Reply => refused(-1013, `Filter failure: ${filter}`);
const isReply = (value: OrderDraft | Reply): value is Reply => 'body' in value;

/** `POST order`. The id of an order that has ended can be used again. */
export function create(state: BinanceState, caller: Caller): Reply {
  const draft = acceptable(state, caller);
  if (isReply(draft)) return draft;
  const { exchange, limits } = state;
  const tooMany = limits.tooManyOrders(caller.account);
  if (tooMany !== null) return tooMany;
  const isTaken = exchange
    .openOrders(caller.account)
    .some(({ clientOrderId }) => clientOrderId === draft.clientOrderId);
  if (isTaken) return rejected('Duplicate order sent.');
  if (exchange.pause !== null) return rejected('Market is closed.');
  if (!isPaidFor(state, caller, draft))
    return rejected('Account has insufficient balance for requested action.');
  if (caller.params.get('type') === 'LIMIT_MAKER' && !exchange.fillable(draft).isZero())
    return rejected('Order would immediately match and take.');
  return ok(placedRecord(exchange.place(draft), exchange.offsetMs), limits.headers(caller.account));
}

/** `POST order/test`: everything but the matching engine. */
export function test(state: BinanceState, caller: Caller): Reply {
  const draft = acceptable(state, caller);
  return isReply(draft) ? draft : ok({});
}

/** Checks of the gateway, before the matching engine. */
function acceptable(state: BinanceState, { account, params }: Caller): OrderDraft | Reply {
  const lacking = NEEDED.find((name) => (params.get(name) ?? '') === '');
  if (lacking !== undefined) return missing(lacking);
  const names = [...params.keys()];
  const read = names.filter((name) => KNOWN.has(name)).length;
  if (read < names.length) {
    return refused(
      -1104,
      `Not all sent parameters were read; read '${read}' parameter(s) but was sent '${names.length}'.`,
    );
  }
  const spec = specOf(params.get('symbol') ?? '');
  if (spec === null) return refused(-1121, 'Invalid symbol.');
  const side = params.get('side');
  if (side !== 'BUY' && side !== 'SELL') return refused(-1117, 'Invalid side.');
  const isMaker = params.get('type') === 'LIMIT_MAKER';
  if (!isMaker && params.get('type') !== 'LIMIT') return refused(-1116, 'Invalid orderType.');
  const force = params.get('timeInForce');
  if (isMaker && force !== null) return refused(-1106, "Parameter 'timeInForce' sent when not required.");
  if (!isMaker && (force ?? '') === '') return missing('timeInForce');
  const timeInForce = isMaker ? 'GTC' : FORCES.find((known) => known === force);
  if (timeInForce === undefined) return refused(-1115, 'Invalid timeInForce.');
  const clientOrderId = params.get('newClientOrderId') ?? uuidOf(`binance/${state.exchange.orders.size}`);
  if (!CLIENT_ID.test(clientOrderId)) {
    return refused(
      -1100,
      "Illegal characters found in parameter 'newClientOrderId'; legal range is '^[a-zA-Z0-9-_]{1,36}$'.",
    );
  }
  const [price, amount] = [decimalOf(params, 'price'), decimalOf(params, 'quantity')];
  if (price === null) return missing('price');
  if (amount === null) return missing('quantity');
  return (
    failureOf(spec, price, amount) ?? {
      account,
      clientOrderId,
      instrument: spec.symbol,
      side: side === 'BUY' ? 'buy' : 'sell',
      price,
      amount,
      timeInForce,
      selfTrade: params.get('selfTradePreventionMode') === 'EXPIRE_MAKER' ? 'maker' : 'taker',
    }
  );
}

function failureOf(spec: SymbolSpec, price: Decimal, amount: Decimal): Reply | null {
  const { tick, step, minNotional } = filtersOf(spec);
  if (price.lte(0) || !price.mod(tick).isZero()) return filtered('PRICE_FILTER');
  if (amount.lt(step) || !amount.mod(step).isZero()) return filtered('LOT_SIZE');
  return price.times(amount).lt(minNotional) ? filtered('NOTIONAL') : null;
}

function decimalOf(params: URLSearchParams, name: string): Decimal | null {
  const text = params.get(name) ?? '';
  return /^\d{1,20}(\.\d{1,20})?$/.test(text) ? new Decimal(text) : null;
}

function isPaidFor(
  { clearing }: BinanceState,
  { account }: Caller,
  { instrument, side, price, amount }: OrderDraft,
): boolean {
  const spec = specOf(instrument);
  if (spec === null) return false;
  return side === 'buy'
    ? clearing.free(account, spec.quote).gte(price.times(amount))
    : clearing.free(account, spec.base).gte(amount);
}

/** The order that a request names: looked up by the venue's id first, and then its client id must match. */
export function findNamedOrder(state: BinanceState, { account, params }: Caller): Order | Reply {
  const symbol = params.get('symbol');
  const id = params.get('orderId');
  const clientOrderId = params.get('origClientOrderId');
  if (symbol === null) return missing('symbol');
  if (id === null && clientOrderId === null) {
    return refused(-1102, "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!");
  }
  const own = [...state.exchange.orders.values()].filter(
    (order) => order.account === account && order.instrument === symbol,
  );
  const found =
    id === null
      ? own.findLast((order) => order.clientOrderId === clientOrderId)
      : own.find(
          (order) => order.id === id && (clientOrderId === null || order.clientOrderId === clientOrderId),
        );
  return found ?? refused(-2013, 'Order does not exist.');
}

export const isOrder = (value: Order | Reply): value is Order => 'states' in value;

const UNKNOWN = refused(-2011, 'Unknown order sent.');

/** `DELETE order`: unknown and finished orders get the same answer. */
export function cancel(state: BinanceState, caller: Caller): Reply {
  const { exchange } = state;
  const order = findNamedOrder(state, caller);
  if (!isOrder(order)) return order.status === 400 && replyCodeOf(order) === -2013 ? UNKNOWN : order;
  if (exchange.pause === 'all') return refused(-2011, 'Market is closed.');
  const cancelId = caller.params.get('newClientOrderId') ?? cancelIdOf(order);
  state.cancelIds.set(order.id, cancelId);
  if (!exchange.cancel(order)) return UNKNOWN;
  return ok(canceledRecord(order, cancelId, exchange.venueNow()));
}

/** `DELETE openOrders` of one symbol. */
export function cancelAll(state: BinanceState, { account, params }: Caller): Reply {
  const { exchange } = state;
  const symbol = params.get('symbol');
  if (symbol === null) return missing('symbol');
  if (exchange.pause === 'all') return refused(-2011, 'Market is closed.');
  exchange.advance();
  const open = exchange.openOrders(account).filter((order) => order.instrument === symbol && isOpen(order));
  if (open.length === 0) return UNKNOWN;
  const records = open.map((order) => {
    const cancelId = cancelIdOf(order);
    state.cancelIds.set(order.id, cancelId);
    exchange.cancel(order);
    return canceledRecord(order, cancelId, exchange.venueNow());
  });
  return ok(records);
}

const cancelIdOf = ({ id }: Order): string => uuidOf(`binance/cancel/${id}`).replaceAll('-', '').slice(0, 22);

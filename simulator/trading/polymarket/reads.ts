/** Venue B's answers about orders, trades and accounts. */
import { Decimal } from 'decimal.js';
import { ok, type Reply } from '../../reply.ts';
import { type Account, recordedTransfersOf } from '../account.ts';
import { isOpen, type Order, stateAt } from '../orders.ts';
import type { TradingRequest } from '../venue.ts';
import { type Caller, isKeyExpired } from './auth.ts';
import type { Clearing } from './clearing.ts';
import { COLLATERAL } from './market.ts';
import { failure, secondsOf, unitsOf } from './replies.ts';
import { ownerOf, sideOf } from './trades.ts';

const PAGE = 100;
const LAST = 'LTE=';

/** The instant up to which the venue's reads are current. */
const readsAsOf = ({ exchange }: Clearing): number => exchange.now() - exchange.readLagMs;

export function orderRecord(clearing: Clearing, order: Order, status = 'LIVE') {
  const state = stateAt(order, readsAsOf(clearing)) ?? order.states[0];
  return {
    id: order.id,
    status: order.tags['status'] ?? status,
    market: clearing.markets.conditionOf(order.instrument),
    asset_id: order.instrument,
    side: sideOf(order),
    original_size: order.tags['original'] ?? order.amount.toFixed(),
    size_matched: (state?.filled ?? new Decimal(0)).toFixed(),
    price: order.price.toFixed(),
    outcome: clearing.markets.outcomeOf(order.instrument),
    order_type: order.tags['type'] ?? 'GTC',
    maker_address: order.account?.id ?? '',
    owner: order.account === null ? '' : ownerOf(order.account),
    associate_trades: clearing.trades.idsOf(order),
    created_at: secondsOf(order.placedMs),
    expiration: order.tags['expiration'] ?? '0',
  };
}

/** Resting orders, as the venue's reads show them. */
function visibleOrders(clearing: Clearing, account: Account): Order[] {
  const atMs = readsAsOf(clearing);
  const isVisible = (order: Order) =>
    clearing.exchange.readLagMs === 0 ? isOpen(order) : stateAt(order, atMs)?.status === 'open';
  return [...clearing.exchange.orders.values()].filter(
    (order) => order.account === account && isVisible(order),
  );
}

function delayedRecords(clearing: Clearing, account: Account) {
  return [...clearing.delayed.values()]
    .filter(({ draft }) => draft.account === account)
    .map(({ id, draft }) => ({
      id,
      status: 'DELAYED',
      market: clearing.markets.conditionOf(draft.instrument),
      asset_id: draft.instrument,
      side: sideOf(draft),
      original_size: draft.tags?.['original'] ?? '',
      size_matched: '0',
      price: draft.price.toFixed(),
      outcome: clearing.markets.outcomeOf(draft.instrument),
      order_type: draft.tags?.['type'] ?? '',
      maker_address: account.id,
      owner: ownerOf(account),
      associate_trades: [],
      created_at: secondsOf(clearing.exchange.now()),
      expiration: '0',
    }));
}

/** Only resting orders: others appear not to exist. */
export function oneOrder(clearing: Clearing, { account }: Caller, id: string): Reply {
  const order = visibleOrders(clearing, account).find((visible) => visible.id === id);
  return order === undefined ? failure(404, 'order not found') : ok(orderRecord(clearing, order));
}

export function orders(clearing: Clearing, { account }: Caller, { query }: TradingRequest): Reply {
  const records = [
    ...visibleOrders(clearing, account).map((order) => orderRecord(clearing, order)),
    ...delayedRecords(clearing, account),
  ];
  return page(records, query);
}

export function trades(clearing: Clearing, { account }: Caller, { query }: TradingRequest): Reply {
  const nowMs = clearing.exchange.now();
  const after = Number(query.get('after') ?? 0);
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const records = clearing.trades
    .of(account, readsAsOf(clearing))
    .filter(({ atMs }) => secondsOf(atMs) > after && secondsOf(atMs) < before)
    .map((trade) => clearing.trades.record(trade, account, nowMs));
  return page(records, query);
}

type Named = Readonly<Record<'id' | 'market' | 'asset_id', string>>;
const SELECTORS = ['id', 'market', 'asset_id'] as const;

function page(all: readonly Named[], query: URLSearchParams): Reply {
  const records = all.filter((record) =>
    SELECTORS.every((name) => [null, record[name]].includes(query.get(name))),
  );
  const from = Number(Buffer.from(query.get('next_cursor') ?? 'MA==', 'base64').toString());
  const data = records.slice(from, from + PAGE);
  const next = from + PAGE < records.length ? Buffer.from(String(from + PAGE)).toString('base64') : LAST;
  return ok({ data, next_cursor: next, limit: PAGE, count: data.length });
}

export function balance(clearing: Clearing, { account }: Caller, { query }: TradingRequest): Reply {
  const token = query.get('token_id') ?? '';
  const asset = query.get('asset_type') === 'CONDITIONAL' ? token : COLLATERAL;
  return ok({ balance: unitsOf(account.holds(asset)), allowances: clearing.allowancesOf(account) });
}

/** The index of positions: public, by address. */
export function positions(clearing: Clearing, { environment, query }: TradingRequest): Reply {
  const account = clearing.exchange.accounts.get((query.get('user') ?? '').toLowerCase());
  if (account === undefined || account.environment !== environment) return ok([]);
  const held = [...account.holdings(readsAsOf(clearing))]
    .filter(([asset, amount]) => asset !== COLLATERAL && !amount.isZero())
    .map(([asset, amount]) => ({
      proxyWallet: account.id,
      asset,
      conditionId: clearing.markets.conditionOf(asset),
      size: amount.toNumber(),
      outcome: clearing.markets.outcomeOf(asset),
      redeemable: clearing.markets.payoutOf(asset, clearing.exchange.now()) !== null,
    }));
  const from = Number(query.get('offset') ?? 0);
  return ok(held.slice(from, from + Number(query.get('limit') ?? PAGE)));
}

export function sessionSigners(clearing: Clearing, { account }: Caller): Reply {
  const nowMs = clearing.exchange.venueNow();
  const signers = [...account.keys.values()]
    .filter((key) => key.tags['role'] === 'session' && !isKeyExpired(key, nowMs))
    .map((key) => ({
      address: key.tags['signer'],
      scopes: key.scopes,
      valid_until: key.expiresMs === null ? secondsOf(nowMs) + 180 * 86_400 : secondsOf(key.expiresMs),
    }));
  return ok({ signers, wallet: account.id });
}

/** The index of movements of the collateral other than trades: public, by address, in whole seconds. */
export function activity(clearing: Clearing, { environment, query }: TradingRequest): Reply {
  const account = clearing.exchange.accounts.get((query.get('user') ?? '').toLowerCase());
  const startSec = Number(query.get('start') ?? 0);
  const isVisible = query.get('exclude_deposits_withdrawals') === 'false';
  const data =
    account === undefined || account.environment !== environment || !isVisible
      ? []
      : recordedTransfersOf(account, readsAsOf(clearing))
          .filter(({ asset, atMs }) => asset === COLLATERAL && secondsOf(atMs) >= startSec)
          .map(({ id, amount, atMs, kind }) => ({
            type: kind.toUpperCase(),
            timestamp: secondsOf(atMs),
            transaction_hash: id,
            usdc_size: amount.abs().toNumber(),
            side: '',
          }));
  return ok({ data, pagination: { limit: data.length, offset: 0, has_more: false, next_cursor: null } });
}

/** Binance's answers about an account. Reads come from memory or a database, which lag behind the matching engine. */
import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { ok, type Reply } from '../../reply.ts';
import { recordedTransfersOf } from '../account.ts';
import { stateAt } from '../orders.ts';
import type { Caller } from './auth.ts';
import { specOf } from './clearing.ts';
import { findNamedOrder, isOrder } from './orders.ts';
import { orderRecord, tradeRecord } from './records.ts';
import { amount, missing, refused } from './replies.ts';
import type { BinanceState } from './state.ts';

const ZERO = new Decimal(0);
const LIMIT = 500;
const LIMIT_MAX = 1_000;

/** The instant up to which reads are current. */
const knownMs = ({ exchange }: BinanceState): number => exchange.now() - exchange.readLagMs;

export function order(state: BinanceState, caller: Caller): Reply {
  const found = findNamedOrder(state, caller);
  if (!isOrder(found)) return found;
  const asOfMs = knownMs(state);
  if (stateAt(found, asOfMs) === null) return refused(-2013, 'Order does not exist.');
  return ok(orderRecord(found, state.exchange.offsetMs, asOfMs));
}

export function openOrders(state: BinanceState, { account, params }: Caller): Reply {
  const symbol = params.get('symbol');
  const asOfMs = knownMs(state);
  const open = [...state.exchange.orders.values()].filter(
    (candidate) =>
      candidate.account === account &&
      (symbol === null || candidate.instrument === symbol) &&
      stateAt(candidate, asOfMs)?.status === 'open',
  );
  return ok(open.map((candidate) => orderRecord(candidate, state.exchange.offsetMs, asOfMs)));
}

export function myTrades(state: BinanceState, { account, params }: Caller): Reply {
  const symbol = params.get('symbol');
  if (symbol === null) return missing('symbol');
  if (specOf(symbol) === null) return refused(-1121, 'Invalid symbol.');
  const [orderId, fromId] = [params.get('orderId'), params.get('fromId')];
  const limit = Math.min(LIMIT_MAX, Number(params.get('limit') ?? LIMIT));
  const asOfMs = knownMs(state);
  const trades = state.exchange.fills
    .filter(
      (fill) =>
        fill.order.account === account &&
        fill.order.instrument === symbol &&
        fill.atMs <= asOfMs &&
        (orderId === null || fill.order.id === orderId) &&
        (fromId === null || Number(fill.id) >= Number(fromId)),
    )
    .sort((a, b) => Number(a.id) - Number(b.id));
  const page = fromId === null ? trades.slice(-limit) : trades.slice(0, limit);
  return ok(page.map((fill) => tradeRecord(fill, state.exchange.offsetMs)));
}

export function account(state: BinanceState, { account: own, params }: Caller): Reply {
  const omitsZero = params.get('omitZeroBalances') === 'true';
  const balances = [...own.holdings(knownMs(state))]
    .filter(([, held]) => !omitsZero || !held.isZero())
    .map(([asset, held]) => {
      const locked = state.clearing.locked(own, asset);
      return { asset, free: amount(held.minus(locked)), locked: amount(locked) };
    });
  return ok({
    makerCommission: 10,
    takerCommission: 10,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: { maker: '0.00100000', taker: '0.00100000', buyer: '0.00000000', seller: '0.00000000' },
    canTrade: true,
    canWithdraw: true,
    canDeposit: true,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: state.exchange.venueNow(),
    accountType: 'SPOT',
    balances,
    permissions: ['SPOT'],
    uid: Number.parseInt(createHash('sha256').update(own.id).digest('hex').slice(0, 8), 16),
  });
}

/** Rights beyond reading and trading are the key's other scopes: `withdraw`, `transfer`. */
export function restrictions({ key }: Caller): Reply {
  const may = (scope: string) => key.scopes.includes(scope);
  return ok({
    ipRestrict: true,
    createTime: 1_698_645_219_000,
    enableReading: may('read'),
    enableSpotAndMarginTrading: may('write'),
    enableWithdrawals: may('withdraw'),
    enableInternalTransfer: may('transfer'),
    permitsUniversalTransfer: may('transfer'),
    enableVanillaOptions: false,
    enableFutures: false,
    enableMargin: false,
    enableFixApiTrade: false,
    enableFixReadOnly: false,
    enablePortfolioMarginTrading: false,
    ...(key.expiresMs !== null && { tradingAuthorityExpirationTime: key.expiresMs }),
  });
}

const recordedSince = (
  state: BinanceState,
  { account: own, params }: Caller,
  kind: 'deposit' | 'withdrawal',
) =>
  recordedTransfersOf(own, knownMs(state)).filter(
    (entry) => entry.kind === kind && entry.atMs >= Number(params.get('startTime') ?? 0),
  );

export const deposits = (state: BinanceState, caller: Caller): Reply =>
  ok(
    recordedSince(state, caller, 'deposit').map(({ id, asset, amount: moved, atMs }) => ({
      id,
      amount: amount(moved),
      coin: asset,
      network: 'ETH',
      status: 1,
      insertTime: atMs + state.exchange.offsetMs,
      transferType: 0,
    })),
  );

export const withdrawals = (state: BinanceState, caller: Caller): Reply =>
  ok(
    recordedSince(state, caller, 'withdrawal').map(({ id, asset, amount: moved, atMs }) => ({
      id,
      amount: amount(moved.abs()),
      transactionFee: amount(ZERO),
      coin: asset,
      status: 6,
      applyTime: new Date(atMs + state.exchange.offsetMs).toISOString().slice(0, 19).replace('T', ' '),
      transferType: 0,
    })),
  );

/** Kalshi's answers about an account. Orders, fills, positions and balances lag as far as the venue's reads do. */
import { Decimal } from 'decimal.js';
import { SECOND_MS } from '../../../venues/time.ts';
import { ok, type Reply } from '../../reply.ts';
import { type Account, recordedTransfersOf } from '../account.ts';
import type { Order } from '../orders.ts';
import type { TradingRequest } from '../venue.ts';
import type { Caller } from './auth.ts';
import type { KalshiState } from './create.ts';
import { fillRecord, orderRecord } from './records.ts';
import { count, dollars, notFound, paged, refused, time } from './replies.ts';

const SHARDS = [0, 1, 2, 3] as const;
const SHARD_NAMES = ['default', 'combos', 'crypto', 'sports'] as const;
const ONE = new Decimal(1);

const asOfMs = ({ exchange }: KalshiState): number => exchange.now() - exchange.readLagMs;
const invalid = (details: string): Reply => refused(400, 'invalid_parameters', details);

export function orders(state: KalshiState, { account }: Caller, { query }: TradingRequest): Reply {
  const { exchange } = state;
  const matching = [...exchange.orders.values()]
    .filter((order) => order.account === account)
    .flatMap((order) => orderRecord(order, asOfMs(state), exchange.offsetMs) ?? [])
    .filter(
      (record) =>
        isAmong(query, 'ticker', record.ticker) &&
        isAmong(query, 'status', record.status) &&
        isAmong(query, 'exchange_index', String(record.exchange_index)) &&
        isWithin(query, Date.parse(record.created_time)),
    )
    .reverse();
  const page = paged(matching, query);
  return page === null ? invalid('limit or cursor') : ok({ orders: page.page, cursor: page.cursor });
}

export function order(state: KalshiState, { account }: Caller, id: string): Reply {
  const found: Order | undefined = state.exchange.orders.get(id);
  const record =
    found?.account === account ? orderRecord(found, asOfMs(state), state.exchange.offsetMs) : null;
  return record === null ? notFound() : ok({ order: record });
}

export function fills(state: KalshiState, { account }: Caller, { query }: TradingRequest): Reply {
  const { exchange } = state;
  const matching = exchange.fills
    .filter((fill) => fill.order.account === account && fill.atMs <= asOfMs(state))
    .map((fill) => fillRecord(fill, exchange.offsetMs))
    .filter(
      (record) =>
        isAmong(query, 'ticker', record.ticker) &&
        isAmong(query, 'order_id', record.order_id) &&
        isWithin(query, Date.parse(record.created_time)),
    )
    .reverse();
  const page = paged(matching, query);
  return page === null ? invalid('limit or cursor') : ok({ fills: page.page, cursor: page.cursor });
}

/** Positions of markets that are not settled; no contracts are negative. */
export function positions(state: KalshiState, { account }: Caller, { query }: TradingRequest): Reply {
  const held = [...account.holdings(asOfMs(state))].filter(
    ([asset, amount]) => !asset.startsWith('USD/') && !amount.isZero() && isAmong(query, 'ticker', asset),
  );
  const page = paged(held, query);
  if (page === null) return invalid('limit or cursor');
  const records = page.page.map(([ticker, amount]) => ({
    ticker,
    exchange_index: state.clearing.shardOf(ticker),
    position_fp: count(amount),
    market_exposure_dollars: dollars(amount.abs(), 6),
    realized_pnl_dollars: '0.000000',
    fees_paid_dollars: '0.000000',
    total_traded_dollars: '0.000000',
    last_updated_ts: time(asOfMs(state) + state.exchange.offsetMs),
  }));
  return ok({ market_positions: records, event_positions: [], cursor: page.cursor });
}

/** Cents are truncated, not rounded. */
export function balance(state: KalshiState, { account }: Caller): Reply {
  const cashOf = (shard: number) => account.holds(`USD/${shard}`, asOfMs(state));
  const total = SHARDS.reduce((sum, shard) => sum.plus(cashOf(shard)), new Decimal(0));
  return ok({
    balance: total.times(100).floor().toNumber(),
    balance_dollars: dollars(total),
    balance_breakdown: SHARDS.map((shard) => ({ exchange_index: shard, balance: dollars(cashOf(shard)) })),
    portfolio_value: 0,
    updated_ts: Math.floor((asOfMs(state) + state.exchange.offsetMs) / SECOND_MS),
  });
}

export function settlements(state: KalshiState, { account }: Caller, { query }: TradingRequest): Reply {
  const { offsetMs } = state.exchange;
  const own = state.clearing.settlements.filter((settled) => settled.account === account);
  const page = paged(own, query);
  if (page === null) return invalid('limit or cursor');
  const records = page.page.map(({ market, position, payout, revenue, atMs }) => ({
    ticker: market.id,
    event_ticker: market.event.id,
    market_result: payout.equals(ONE) ? 'yes' : payout.isZero() ? 'no' : 'scalar',
    yes_count_fp: count(Decimal.max(0, position)),
    no_count_fp: count(Decimal.max(0, position.negated())),
    revenue: revenue.times(100).floor().toNumber(),
    value: payout.times(100).floor().toNumber(),
    fee_cost: '0.000000',
    settled_time: time(atMs + offsetMs),
    exchange_index: state.clearing.shardOf(market.id),
  }));
  return ok({ settlements: records, cursor: page.cursor });
}

export const userDataTimestamp = (state: KalshiState): Reply =>
  ok({ as_of_time: time(asOfMs(state) + state.exchange.offsetMs) });

export function exchangeStatus({ exchange }: KalshiState): Reply {
  const exchange_active = exchange.pause !== 'all';
  const active = { exchange_active, trading_active: exchange.pause === null };
  return ok({
    ...active,
    exchange_estimated_resume_time: null,
    intra_exchange_transfers_active: exchange_active,
    exchange_index_statuses: SHARDS.map((shard) => ({
      exchange_index: shard,
      description: SHARD_NAMES[shard],
      ...active,
      intra_exchange_transfers_active: exchange_active,
    })),
  });
}

export function apiKeys({ account, key }: Caller): Reply {
  const until = key.tags['regionExpiresSec'];
  return ok({
    api_keys: [...account.keys.values()].map(({ id, scopes }) => ({
      api_key_id: id,
      name: `key ${id.slice(0, 8)}`,
      scopes,
      subaccount: null,
    })),
    ...(until !== undefined && { api_key_region_expiration_ts: Number(until) }),
  });
}

export const limits = (): Reply =>
  ok({
    usage_tier: 'basic',
    read: { bucket_capacity: 200, refill_rate: 200 },
    write: { bucket_capacity: 100, refill_rate: 100 },
    grants: [],
  });

/** Whether yes and no of a market are netted, by subaccount and shard. */
export const netting = (): Reply =>
  ok({
    netting_configs: SHARDS.map((shard) => ({
      subaccount_number: 0,
      enabled: true,
      exchange_index: shard,
    })),
  });

/** A public id of the member, the same for all keys. */
export const communicationsId = (account: Account): Reply => ok({ communications_id: `comm-${account.id}` });

/** An absent filter matches everything; several values are separated by commas. */
function isAmong(query: URLSearchParams, name: string, value: string): boolean {
  const wanted = query.get(name);
  return wanted === null || wanted === '' || wanted.split(',').includes(value);
}

function isWithin(query: URLSearchParams, timeMs: number): boolean {
  const [from, to] = [query.get('min_ts'), query.get('max_ts')];
  if (from !== null && timeMs < Number(from) * SECOND_MS) return false;
  return to === null || timeMs <= Number(to) * SECOND_MS;
}

/** Whole cents; the venue's other fields of a transfer are left out. */
export function transfers(
  state: KalshiState,
  { account }: Caller,
  { query }: TradingRequest,
  kind: 'deposit' | 'withdrawal',
): Reply {
  const recorded = recordedTransfersOf(account, asOfMs(state)).filter((entry) => entry.kind === kind);
  const page = paged(recorded, query);
  if (page === null) return invalid('limit or cursor');
  const records = page.page.map(({ id, amount, atMs }) => ({
    id,
    status: 'applied',
    type: 'ach',
    amount_cents: amount.abs().times(100).round().toNumber(),
    fee_cents: 0,
    created_ts: Math.floor((atMs + state.exchange.offsetMs) / SECOND_MS),
    finalized_ts: Math.floor((atMs + state.exchange.offsetMs) / SECOND_MS),
  }));
  return ok({ [`${kind}s`]: records, cursor: page.cursor });
}

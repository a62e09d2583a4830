/** A simulated Binance with one account, and a broker for it. */
import { generateKeyPairSync } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { startSimulator } from '../../../simulator/index.ts';
import { BinanceTrading } from '../../../simulator/trading/binance/index.ts';
import { BinanceBroker, type BinanceBrokerOptions } from '../../../venues/binance/trading/broker.ts';
import { type BinanceEnvironment, hostsOf } from '../../../venues/binance/trading/hosts.ts';
import { Signer } from '../../../venues/binance/trading/sign.ts';
import type { Limits } from '../../../venues/binance/trading/trading-host.ts';
import type { BrokerOrder, OrderRef, Prepared, PrepareResult } from '../../../venues/broker.ts';
import { BTCUSDT, orderFor } from './binance-trading.ts';

const ACCOUNT = 'trader';
export const API_KEY = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A';
export const SECRET = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
/** A whole minute, so that tests know which window they are in. */
const START_MS = Date.UTC(2026, 10, 22, 12);
/** Price of resting orders in tests: far below the world's price. */
export const FAR = '50000';

export type ExchangeOptions = {
  readonly environment?: BinanceEnvironment;
  readonly kind?: 'hmac' | 'ed25519';
  readonly scopes?: readonly string[];
  readonly limits?: Limits;
  readonly tags?: Readonly<Record<string, string>>;
  readonly expiresMs?: number | null;
};

/** No limits, for tests that send many requests. */
const BOUNDLESS: Limits = { weightPerMin: 1e9, ordersPer10Sec: 1e9 };

export async function openExchange(options: ExchangeOptions = {}) {
  const {
    environment = 'live',
    kind = 'hmac',
    scopes = ['read', 'write'],
    tags = {},
    expiresMs = null,
  } = options;
  const simulator = await startSimulator();
  simulator.clock.pin(START_MS / 1_000);
  const simulatedVenue = simulator.simulatedVenues.get('binance');
  if (!(simulatedVenue?.venue instanceof BinanceTrading)) throw new Error('no desk');
  const { venue } = simulatedVenue;
  Object.assign(venue.limits, { weightPerMin: 1e9, ordersPer10Sec: 1e9 });
  const account = venue.exchange.openAccount({ id: ACCOUNT, environment });
  for (const [asset, amount] of [
    ['USDT', '100000'],
    ['BTC', '2'],
    ['ETH', '10'],
  ] as const) {
    venue.exchange.transfer(account, asset, new Decimal(amount));
  }
  const pair = generateKeyPairSync('ed25519');
  const [material, secret] =
    kind === 'hmac'
      ? [SECRET, SECRET]
      : [
          pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
          pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        ];
  account.keys.set(API_KEY, { id: API_KEY, material, scopes, expiresMs, tags });
  const hosts = hostsOf(environment, simulator.url);
  const signer = Signer.of(API_KEY, secret);
  const brokerWith = (more: Partial<BinanceBrokerOptions> = {}) =>
    new BinanceBroker({
      signer,
      hosts,
      clock: simulator.clock,
      limits: options.limits ?? BOUNDLESS,
      ...more,
    });
  const broker = brokerWith();

  const now = () => new Date(simulator.clock.now());
  const order = (more: Partial<BrokerOrder> = {}) =>
    orderFor({ id: crypto.randomUUID(), timeInForce: 'gtc', amount: '0.01', limitPrice: FAR, ...more });
  const prepare = (wanted: BrokerOrder): Prepared =>
    preparedOf(broker.prepare(wanted, { ...BTCUSDT, tokenId: wanted.tokenId }, now()));
  return {
    simulator,
    venue,
    simulatedVenue,
    account,
    broker,
    brokerWith,
    signer,
    hosts,
    /** Requests so far. */
    requestCount: (path = '') =>
      simulator.faults.requests(`/binance${environment === 'live' ? '' : `-${environment}`}/${path}`),
    now,
    order,
    prepare,
    /**
     * Another client takes an amount of the resting orders at the best price of an order: the world withdraws its own
     * meanwhile.
     */
    async trade({ tokenId, side, limitPrice }: BrokerOrder, amount: string) {
      const away = Number(limitPrice) * (side === 'buy' ? 0.5 : 2);
      simulator.priceOverrides.set(tokenId, away, venue.exchange.now());
      venue.exchange.place({
        account: null,
        clientOrderId: '',
        instrument: tokenId,
        side: side === 'buy' ? 'sell' : 'buy',
        price: new Decimal(limitPrice),
        amount: new Decimal(amount),
        timeInForce: 'IOC',
      });
      simulator.priceOverrides.set(tokenId, null, venue.exchange.now());
    },
    /** Places a resting order; returns its names. */
    async rest(more: Partial<BrokerOrder> = {}) {
      const wanted = order(more);
      const prepared = prepare(wanted);
      const placed = await broker.place(wanted, prepared);
      if (placed.kind !== 'taken') throw new Error(JSON.stringify(placed));
      return { order: wanted, prepared, placed, ref: refOf(wanted, prepared, placed.order.venueOrderId) };
    },
    atVenue: (id: string) =>
      [...venue.exchange.orders.values()].filter(({ clientOrderId }) => clientOrderId === id),
    [Symbol.asyncDispose]: () => simulator.close(),
  };
}

export function preparedOf(preparation: PrepareResult): Prepared {
  if (preparation.kind === 'prepared') return preparation.prepared;
  throw new Error(preparation.reason);
}

export const refOf = (
  { accountId, mode, id, tokenId }: BrokerOrder,
  prepared: Prepared | null,
  venueOrderId: string | null = null,
): OrderRef => ({ accountId, mode, id, tokenId, prepared, venueOrderId });

/** The adapter's id of the nth trade of a symbol: ids continue from the simulator's start. */
export const tradeIdOf = (
  { venue }: Awaited<ReturnType<typeof openExchange>>,
  nth: number,
  symbol = 'BTCUSDT',
): string => `${symbol}:${venue.exchange.startedMs * 1_000 + nth}`;

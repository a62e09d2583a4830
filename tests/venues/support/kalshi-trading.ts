/** A simulated member of venue A with a key, and the broker that trades for it. */
import { generateKeyPairSync } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { expect } from 'vitest';
import { startSimulator, TICK_MS } from '../../../simulator/index.ts';
import { openMarketData } from '../../../simulator/market-data.ts';
import type { TradingFault } from '../../../simulator/trading/fault-plan.ts';
import type { Order } from '../../../simulator/trading/orders.ts';
import type {
  BrokerOrder,
  FindResult,
  OrderRef,
  PlaceResult,
  Prepared,
  TradedInstrument,
  VenueOrder,
} from '../../../venues/broker.ts';
import { KalshiBroker, type KalshiOptions } from '../../../venues/kalshi/trading/broker.ts';
import { SIMULATED_LIMITS, simulatedHosts } from '../../../venues/kalshi/trading/calls.ts';
import { BASE_PATH, KalshiSigner } from '../../../venues/kalshi/trading/sign.ts';

/** A Sunday at noon; its ticks are whole seconds. */
export const NOON = Date.UTC(2026, 10, 22, 12);

const pem = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
export const ED25519 = generateKeyPairSync('ed25519', pem);
export const RSA = generateKeyPairSync('rsa', { modulusLength: 2_048, ...pem });

/** The market of orders by default, `KXELONMARS-99`; shard 0. */
export const MARS = 'KXELONMARS-99';

let orders = 0;
export const orderOf = (changes: Partial<BrokerOrder> = {}): BrokerOrder => {
  orders += 1;
  return {
    accountId: '00000000-0000-4000-8000-000000000001',
    mode: 'paper',
    id: `00000000-0000-4000-8000-${String(orders).padStart(12, '0')}`,
    tokenId: `${MARS}:yes`,
    venue: 'venue-a',
    side: 'buy',
    timeInForce: 'gtc',
    amount: '10',
    limitPrice: '0.01',
    validUntil: new Date(NOON + 600_000),
    goodTill: null,
    ...changes,
  };
};

export const refOf = (
  order: BrokerOrder,
  prepared: Prepared | null,
  venueOrderId: string | null = null,
): OrderRef => ({
  accountId: order.accountId,
  mode: order.mode,
  id: order.id,
  tokenId: order.tokenId,
  prepared,
  venueOrderId,
});

export type MemberOptions = Partial<KalshiOptions> & {
  /** Lag of its reads, ms; default none, so that a stopped world shows everything. */
  readonly readLagMs?: number;
  /** Timeout of the answer to a create; default: that of all requests. */
  readonly placeTimeoutMs?: number;
  readonly keys?: typeof ED25519;
  readonly scopes?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
};

/** A world that stands still at noon, an account with $1,000 on shard 0 and $500 on shard 2. Returns its broker. */
export async function member(options: MemberOptions = {}) {
  const {
    readLagMs = 0,
    placeTimeoutMs = 5_000,
    keys = ED25519,
    scopes = ['read', 'write'],
    tags = {},
    ...rest
  } = options;
  const simulator = await startSimulator({ seed: 'a' });
  simulator.clock.pin(NOON / TICK_MS);
  const simulatedVenue = simulator.simulatedVenues.get('kalshi');
  if (simulatedVenue === undefined) throw new Error('venue A is not traded at');
  const { exchange } = simulatedVenue.venue;
  exchange.readLagMs = readLagMs;
  const account = exchange.openAccount({ id: 'member', environment: 'demo' });
  exchange.transfer(account, 'USD/0', new Decimal(1_000));
  exchange.transfer(account, 'USD/2', new Decimal(500));
  account.keys.set('key-1', { id: 'key-1', material: keys.publicKey, scopes, expiresMs: null, tags });
  const signer = new KalshiSigner('key-1', keys.privateKey);
  const hosts = simulatedHosts(simulator.url, 'demo');
  const settings: KalshiOptions = {
    signer,
    hosts,
    now: () => simulator.clock.now(),
    timeoutMs: 5_000,
    limits: SIMULATED_LIMITS,
    ...rest,
  };
  const broker = new KalshiBroker(settings);
  const placing = new KalshiBroker({ ...settings, timeoutMs: placeTimeoutMs });
  const market = await openMarketData({ mode: 'simulator', simulatorUrl: simulator.url });
  const instrumentOf = async (tokenId: string): Promise<TradedInstrument> => {
    const found = await market.instrument(tokenId);
    if (found === null) throw new Error(`no instrument ${tokenId}`);
    return found;
  };
  const prepare = async (order: BrokerOrder): Promise<Prepared> => {
    const preparation = broker.prepare(
      order,
      await instrumentOf(order.tokenId),
      new Date(simulator.clock.now()),
    );
    if (preparation.kind === 'refused') throw new Error(preparation.reason);
    return preparation.prepared;
  };
  /** Prepares an order and submits it. */
  const place = async (changes: Partial<BrokerOrder> = {}) => {
    const order = orderOf(changes);
    const prepared = await prepare(order);
    return { order, prepared, ref: refOf(order, prepared), answer: placing.place(order, prepared) };
  };
  return {
    simulator,
    simulatedVenue,
    exchange,
    account,
    broker,
    signer,
    hosts,
    market,
    instrumentOf,
    prepare,
    place,
    /** The venue's own answer to a read. */
    read: async (path: string) => {
      const headers = { ...signer.headers('GET', `${BASE_PATH}${path}`, simulator.clock.now()) };
      const response = await fetch(`${hosts.rest}${BASE_PATH}${path}`, { headers });
      return (await response.json()) as Record<string, unknown>;
    },
    /** Orders of the account at the venue, by the simulator's own record. */
    ordersThere: () => [...exchange.orders.values()].filter((order) => order.account === account),
    [Symbol.asyncDispose]: async () => {
      await market.close();
      await simulator.close();
    },
  };
}

/** The request of faults that affect new orders. */
export const CREATE = { method: 'POST', path: 'trade-api/v2/portfolio/events/orders' } as const;

export const taken = (placed: PlaceResult): VenueOrder =>
  placed.kind === 'taken' ? placed.order : expect.unreachable(JSON.stringify(placed));
export const found = (answer: FindResult): VenueOrder =>
  answer.kind === 'found' ? answer.order : expect.unreachable(JSON.stringify(answer));

export type Member = Awaited<ReturnType<typeof member>>;
export const impatient = (options: MemberOptions = {}) => member({ placeTimeoutMs: 150, ...options });

/** Submits an order whose request meets a fault; the answer is lost. */
export async function loses(venue: Member, fault: TradingFault): Promise<OrderRef> {
  venue.simulatedVenue.faults.add({ ...CREATE, ...fault });
  const { answer, ref } = await venue.place();
  await expect(answer).rejects.toThrow('venue A');
  return ref;
}

export async function resting(venue: Member, changes: Parameters<Member['place']>[0] = {}) {
  const { answer, ref, ...rest } = await venue.place(changes);
  const { venueOrderId } = taken(await answer);
  const [there] = venue.ordersThere().filter(({ clientOrderId }) => clientOrderId === ref.id);
  return { ...rest, ref: { ...ref, venueOrderId }, there: there as Order };
}

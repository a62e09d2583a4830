/** A wallet at the simulated venue B with a session key, in a world that stands still. Includes its broker. */
import { Decimal } from 'decimal.js';
import { startSimulator, TICK_MS } from '../../../simulator/index.ts';
import { openMarketData } from '../../../simulator/market-data.ts';
import { PolymarketTrading } from '../../../simulator/trading/polymarket/index.ts';
import type {
  BrokerOrder,
  OrderRef,
  PlaceResult,
  Prepared,
  TradedInstrument,
  VenueOrder,
} from '../../../venues/broker.ts';
import { ParseErrorLog } from '../../../venues/parse-error-log.ts';
import {
  PolymarketBroker,
  type PolymarketBrokerOptions,
  type PolymarketCredentials,
} from '../../../venues/polymarket/trading/broker.ts';
import { OrderSigner } from '../../../venues/polymarket/trading/sign.ts';
import { buyOf, WALLET } from './polymarket-trading.ts';

/** A Sunday at noon; its ticks are whole seconds. */
const NOON = Date.UTC(2026, 10, 22, 12);
/** A market without a group, in steps of 0.001, and one of an exclusive group, in steps of 0.01. */
export const MARS = 'will-elon-musk-visit-mars-before-august-2099';
export const PARTY = 'which-party-wins-the-2028-us-presidential-election-democratic';

const SIGNING_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** The second public key of local Ethereum chains. */
export const OTHER_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

export const credentialsOf = (changes: Partial<PolymarketCredentials> = {}): PolymarketCredentials => ({
  wallet: WALLET.address,
  signatureType: 3,
  signingKey: SIGNING_KEY,
  isSession: true,
  api: {
    key: 'api-key-1',
    secret: Buffer.from('a secret of thirty-two bytes ....').toString('base64'),
    passphrase: 'pass',
  },
  ...changes,
});

export type MemberOptions = {
  readonly market?: string;
  readonly credentials?: PolymarketCredentials;
  /** Epoch ms at which the session ends. */
  readonly expiresMs?: number | null;
  readonly balance?: string;
  readonly feesOf?: PolymarketBrokerOptions['feesOf'];
  readonly limits?: PolymarketBrokerOptions['limits'];
};

let orders = 0;

export async function openMember(options: MemberOptions = {}) {
  const { market = MARS, credentials = credentialsOf(), expiresMs = null, balance = '10000' } = options;
  const simulator = await startSimulator();
  simulator.clock.pin(NOON / TICK_MS);
  const feed = await openMarketData({ mode: 'simulator', simulatorUrl: simulator.url });
  const simulatedVenue = simulator.simulatedVenues.get('clob');
  if (simulatedVenue === undefined || !(simulatedVenue.venue instanceof PolymarketTrading))
    throw new Error('venue B is not traded at');
  const { clearing, commands } = simulatedVenue.venue;
  const { exchange } = clearing;
  const account = exchange.openAccount({ id: credentials.wallet.toLowerCase(), environment: 'demo' });
  const signer = new OrderSigner(credentials.signingKey);
  account.keys.set(credentials.api.key, {
    id: credentials.api.key,
    material: credentials.api.secret,
    scopes: ['CLOB'],
    expiresMs,
    tags: {
      passphrase: credentials.api.passphrase,
      signer: signer.address,
      role: credentials.isSession ? 'session' : 'owner',
    },
  });
  exchange.transfer(account, 'pUSD', new Decimal(balance));
  simulator.priceOverrides.set(market, 0.5, NOON);
  const { markets } = await feed.at('venue-b').slug(market, 'markets');
  const outcomes = markets.find(({ slug }) => slug === market)?.outcomes ?? [];
  const [yes, no] = outcomes.map(({ tokenId }) => tokenId ?? '');
  const instrumentOf = async (token: string): Promise<TradedInstrument> => {
    const instrument = await feed.instrument(token);
    if (instrument === null) throw new Error(`there is no ${token}`);
    return instrument;
  };
  const instrument = await instrumentOf(yes ?? '');
  const parseErrors = new ParseErrorLog(null);
  const brokerOf = (given: PolymarketCredentials) =>
    new PolymarketBroker({
      environment: 'demo',
      credentials: given,
      simulatorUrl: simulator.url,
      clock: simulator.clock,
      feesOf: options.feesOf ?? (async () => instrument.feeSchedule),
      parseErrors,
      ...(options.limits && { limits: options.limits }),
    });
  const broker = brokerOf(credentials);
  const now = () => new Date(simulator.clock.now());

  const orderOf = (changes: Partial<BrokerOrder> = {}): BrokerOrder => {
    orders += 1;
    return buyOf({
      id: `00000000-0000-4000-8000-${String(orders).padStart(12, '0')}`,
      tokenId: instrument.tokenId,
      limitPrice: '0.45',
      ...changes,
    });
  };
  const prepare = (order: BrokerOrder, by: TradedInstrument = instrument): Prepared => {
    const preparation = broker.prepare(order, by, now());
    if (preparation.kind === 'refused') throw new Error(preparation.reason);
    return preparation.prepared;
  };
  const refOf = (order: BrokerOrder, prepared: Prepared, placed?: PlaceResult): OrderRef => ({
    accountId: order.accountId,
    mode: order.mode,
    id: order.id,
    tokenId: order.tokenId,
    prepared,
    venueOrderId: placed?.kind === 'taken' ? placed.order.venueOrderId : null,
  });
  const place = async (changes: Partial<BrokerOrder> = {}) => {
    const order = orderOf(changes);
    const prepared = prepare(order);
    const placed = await broker.place(order, prepared);
    return { order, prepared, placed, ref: refOf(order, prepared, placed) };
  };
  const find = async (ref: OrderRef): Promise<VenueOrder> => {
    const found = await broker.find(ref);
    if (found.kind !== 'found') throw new Error(`the order is ${found.kind}`);
    return found.order;
  };
  /** Strangers fill an amount of the resting orders, after all of the world's offers at its price or better. */
  const meet = (order: Pick<BrokerOrder, 'tokenId' | 'side' | 'limitPrice'>, amount: string) => {
    const draft = {
      account: null,
      clientOrderId: '',
      instrument: order.tokenId,
      side: order.side === 'buy' ? 'sell' : 'buy',
      price: new Decimal(order.limitPrice),
      timeInForce: 'IOC',
    } as const;
    const ours = exchange
      .openOrders(account)
      .reduce(
        (sum, { amount: ordered, states }) => sum.plus(ordered).minus(states.at(-1)?.filled ?? 0),
        new Decimal(0),
      );
    const offered = exchange.fillable({ ...draft, amount: new Decimal(1e12) });
    return exchange.place({ ...draft, amount: offered.minus(ours).plus(amount) });
  };
  const pass = async (ms: number) => {
    simulator.clock.advance(Math.ceil(ms / TICK_MS));
    clearing.settle();
  };
  return {
    simulator,
    simulatedVenue,
    clearing,
    commands,
    exchange,
    account,
    broker,
    brokerOf,
    credentials,
    parseErrors,
    signer,
    instrument,
    instrumentOf,
    yes: yes ?? '',
    no: no ?? '',
    now,
    orderOf,
    prepare,
    refOf,
    place,
    find,
    meet,
    pass,
    walk: (price: number) => simulator.priceOverrides.set(market, price, simulator.clock.now()),
    [Symbol.asyncDispose]: async () => {
      await feed.close();
      await simulator.close();
    },
  };
}

export type Member = Awaited<ReturnType<typeof openMember>>;

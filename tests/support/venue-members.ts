/** Members of the simulated venues: credentials as a connection takes them, and orders that rest there. */
import { randomUUID } from 'node:crypto';
import type { Venue } from '../../db/vocabulary.ts';
import type { Simulator } from '../../simulator/index.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import type { TradingFault } from '../../simulator/trading/fault-plan.ts';
import type { Broker, BrokerOrder } from '../../venues/broker.ts';
import { createDemoAccount, registerDemoAccount } from '../../venues/demo-accounts.ts';
import { openBroker } from '../../venues/open-broker.ts';
import { ParseErrorLog } from '../../venues/parse-error-log.ts';
import { ACCESS } from '../../venues/trading-access.ts';

export type Member = {
  readonly venue: Venue;
  readonly environment: 'demo';
  /** As `POST /api/venue-connections` takes them. */
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly broker: Broker;
  /** Revokes the key at the venue. */
  revoke(): void;
  fault(fault: TradingFault): void;
  /** Places resting orders at the venue as another client than the service. */
  rest(count: number): Promise<void>;
};

/** An order far below the market at each venue. */
const RESTING: Readonly<Record<Venue, Pick<BrokerOrder, 'amount' | 'limitPrice'>>> = {
  'venue-a': { amount: '10', limitPrice: '0.01' },
  'venue-b': { amount: '10', limitPrice: '0.01' },
  crypto: { amount: '0.001', limitPrice: '20000' },
};

/** A new member of the demo of a simulated venue, with money. */
export async function openVenueMember(simulator: Simulator, venue: Venue): Promise<Member> {
  const venueServer = simulator.simulatedVenues.get(ACCESS[venue].simulatorName);
  if (venueServer === undefined) throw new Error(`${venue} is not traded at`);
  const member = createDemoAccount(venue);
  await registerDemoAccount(simulator.url, venue, member);
  const { credentials, account, key } = member;
  const broker = openBroker(venue, Buffer.from(JSON.stringify(credentials)), {
    environment: 'demo',
    simulatorUrl: simulator.url,
    clock: simulator.clock,
    feesOf: async () => null,
    parseErrors: new ParseErrorLog(null),
  });
  return {
    venue,
    environment: 'demo',
    credentials,
    broker,
    revoke: () => venueServer.venue.exchange.accounts.get(account.id)?.keys.delete(key.id),
    fault: (fault) => venueServer.faults.add(fault),
    rest: async (count) => {
      const tokenId = await tokenOf(simulator, venue);
      for (let n = 0; n < count; n += 1) await place(simulator, broker, venue, tokenId);
    },
  };
}

async function tokenOf(simulator: Simulator, venue: Venue): Promise<string> {
  if (venue === 'venue-a') return 'KXELONMARS-99:yes';
  if (venue === 'crypto') return 'BTCUSDT';
  await using feed = await openMarketData({ mode: 'simulator', simulatorUrl: simulator.url });
  const slug = 'will-elon-musk-visit-mars-before-august-2099';
  const { markets } = await feed.at('venue-b').slug(slug, 'markets');
  return markets.find((market) => market.slug === slug)?.outcomes[0]?.tokenId ?? '';
}

async function place(simulator: Simulator, broker: Broker, venue: Venue, tokenId: string): Promise<void> {
  await using feed = await openMarketData({ mode: 'simulator', simulatorUrl: simulator.url });
  const instrument = await feed.instrument(tokenId);
  if (instrument === null) throw new Error(`there is no ${tokenId}`);
  const now = new Date(simulator.clock.now());
  const order: BrokerOrder = {
    accountId: randomUUID(),
    mode: 'live',
    id: randomUUID(),
    tokenId,
    venue,
    side: 'buy',
    timeInForce: 'gtc',
    ...RESTING[venue],
    validUntil: new Date(now.getTime() + 60_000),
    goodTill: null,
  };
  const preparation = broker.prepare(order, instrument, now);
  if (preparation.kind === 'refused') throw new Error(preparation.reason);
  const placed = await broker.place(order, preparation.prepared, async () => null);
  if (placed.kind !== 'taken') throw new Error(JSON.stringify(placed));
}

/** Rows in a running service that trades at simulated venues: accounts, resting orders, checks. */
import type { Venue } from '../../db/vocabulary.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import type { Order } from '../../simulator/trading/orders.ts';
import { createDemoAccount, type DemoAccount } from '../../venues/demo-accounts.ts';
import { ACCESS } from '../../venues/trading-access.ts';
import { expectOk } from './api.ts';
import {
  type Connection,
  connectReady,
  type LiveOrderTerms,
  type LiveTrader,
  openLiveTrader,
  openLiveWorld,
  propose,
  readConnection,
  waitForStatus,
  waitUntil,
} from './live.ts';
import { LOOSE_RULES } from './trading-fixture.ts';

const SLUG = 'will-elon-musk-visit-mars-before-august-2099';

export type LiveTraderAtVenue = {
  readonly venue: Venue;
  readonly trader: LiveTrader;
  readonly id: string;
  readonly member: DemoAccount;
};

export type LiveRows = Awaited<ReturnType<typeof openLiveRows>>;

export async function openLiveRows() {
  const world = await openLiveWorld();
  const { markets } = await world.market.at('venue-b').slug(SLUG, 'markets');
  const tokenId = markets.find(({ slug }) => slug === SLUG)?.outcomes[0]?.tokenId ?? '';
  /** Orders that rest far below the market, one per venue. */
  const wishes: Readonly<Record<Venue, LiveOrderTerms>> = {
    'venue-a': { tokenId: 'KXELONMARS-99:yes', amount: '10', limitPrice: '0.01' },
    'venue-b': { tokenId, amount: '200', limitPrice: '0.01' },
    crypto: { tokenId: 'BTCUSDT', amount: '0.001', limitPrice: '20000' },
  };

  /** An account that needs no approval, connected to one venue. */
  async function trading(venue: Venue): Promise<LiveTraderAtVenue> {
    const trader = await openLiveTrader(world);
    await updateRules(trader.work, LOOSE_RULES);
    const member = createDemoAccount(venue);
    const { id } = await connectReady(world, trader, venue, member);
    return { venue, trader, id, member };
  }

  function venueServerOf(venue: Venue) {
    const venueServer = world.market.simulator?.simulatedVenues.get(ACCESS[venue].simulatorName);
    if (venueServer === undefined) throw new Error(`${venue} is not traded at`);
    return venueServer;
  }

  const bid = ({ trader, venue }: LiveTraderAtVenue) => propose(world, trader, wishes[venue]);

  /** A resting order, and the venue's own view of it. */
  async function rest(traded: LiveTraderAtVenue): Promise<{ id: string; there: Order }> {
    const { id } = await bid(traded);
    const { venue_order_id } = await waitForStatus(world, id, 'open');
    const there = venueServerOf(traded.venue).venue.exchange.orders.get(venue_order_id ?? '');
    if (there === undefined) throw new Error(`order ${id} is not there`);
    return { id, there };
  }

  /** Requests a check, and waits until the connection has this state. */
  async function checked(
    { trader, id }: LiveTraderAtVenue,
    state: string,
    code: string | null,
  ): Promise<Connection> {
    expectOk(await trader.send('POST', `/api/venue-connections/${id}/check`));
    return waitUntil(
      () => readConnection(trader, id),
      (connection) => connection.state === state && connection.stateCode === code,
    );
  }

  const cancel = ({ trader }: LiveTraderAtVenue, id: string) => trader.call('orders.cancel', { id });
  /** Returns the venue's records of an order of ours, repeats included. */
  const atVenue = ({ venue }: LiveTraderAtVenue, id: string): Order[] =>
    [...venueServerOf(venue).venue.exchange.orders.values()].filter(
      ({ clientOrderId }) => clientOrderId === id,
    );

  return {
    world,
    wishes,
    trading,
    venueServerOf,
    bid,
    rest,
    checked,
    cancel,
    atVenue,
    close: () => world.close(),
  };
}

export const checkRow = (connection: Connection, name: string) =>
  connection.checks.find((check) => check.name === name);

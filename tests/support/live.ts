/** Brings an account of a world into live trading, at simulated venues. */
import { vi } from 'vitest';
import type { Venue } from '../../db/vocabulary.ts';
import { systemWork, type Work } from '../../engine/platform/context.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import type { OrderRow } from '../../engine/trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/trading/orders/settings.ts';
import {
  createDemoAccount,
  type DemoAccount,
  demoConnectionOf,
  registerDemoAccount,
} from '../../venues/demo-accounts.ts';
import { expectOk } from './api.ts';
import { openMarket } from './trading.ts';
import { type Answer, ORIGIN, openWorld, type World, type WorldOptions } from './world.ts';

/** A service that trades live, as far as any caller can tell. */
export const LIVE_WORLD: WorldOptions = { settings: { ROLE: 'all', LIVE_TRADING: 'on', DEMO: '0' } };
export const SETTINGS = { ...DEFAULT_TRADING_SETTINGS, isLiveOn: true };

/** The lag of reads behind writes at the simulated venues. */
const READ_LAG_MS = 20;
/** Paces as fast as such venues allow. */
const PACES = {
  periodMs: 100,
  breakersEveryMs: 100,
  compareEveryMs: 100,
  rereadMs: 2 * READ_LAG_MS,
  heartbeatEveryMs: 500,
  releaseEveryMs: 100,
  restMs: 500,
};

/** Such a service, at venues that report soon what has happened. `settings` are further ones. */
export async function openLiveWorld(settings: Record<string, string> = {}): Promise<World> {
  const world = await openWorld({
    settings: { ...LIVE_WORLD.settings, ...settings },
    connectionPaces: PACES,
  });
  for (const { venue } of world.market.simulator?.simulatedVenues.values() ?? [])
    venue.exchange.readLagMs = Math.min(venue.exchange.readLagMs, READ_LAG_MS);
  return world;
}

export type LiveTrader = Awaited<ReturnType<typeof openLiveTrader>>;
export type Connection = {
  id: string;
  state: string;
  stateCode: string | null;
  checks: { name: string; state: string; value: string | null; reason: string | null }[];
};

/** A person with live books and a blueprint. */
export async function openLiveTrader(world: World) {
  const { cookie, password } = await world.signUp();
  const headers = { cookie, origin: ORIGIN };
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.send(method, path, { headers, ...(body !== undefined && { body }) });
  const call = async (name: string, input: unknown) => send('POST', `/live/trpc/${name}`, input);
  await send('GET', '/live/trpc/riskRules.read?input=%7B%7D');
  const blueprintId = (
    (await send('POST', '/trpc/blueprints.create', { name: 'Live' })).body as {
      result: { data: { id: string } };
    }
  ).result.data.id;
  const { account_id: accountId } = await world.db
    .selectFrom('blueprint')
    .select('account_id')
    .where('id', '=', blueprintId)
    .executeTakeFirstOrThrow();
  const work: Work = { ...systemWork(world.pool, { accountId, mode: 'live' }) };
  return { accountId, work, blueprintId, password, send, call };
}

/** A member of the simulated venue, connected by its owner. */
export async function connect(
  world: World,
  trader: LiveTrader,
  venue: Venue,
  member: DemoAccount = createDemoAccount(venue),
): Promise<Connection> {
  await registerDemoAccount(world.market.simulatorUrl ?? '', venue, member);
  const body = { ...demoConnectionOf(venue, member), password: trader.password };
  return expectOk(await trader.send('POST', '/api/venue-connections', body)) as Connection;
}

export const readConnection = async (trader: LiveTrader, id: string): Promise<Connection> =>
  expectOk(await trader.send('GET', `/api/venue-connections/${id}`)) as Connection;

/** Polls until the condition holds; a failure shows the last value. Also usable before a test begins. */
export function waitUntil<Answer>(
  ask: () => Promise<Answer>,
  isSo: (answer: Answer) => boolean,
): Promise<Answer> {
  const attempt = async () => {
    const answer = await ask();
    if (!isSo(answer)) throw new Error(`It is still ${JSON.stringify(answer)}.`);
    return answer;
  };
  return vi.waitFor(attempt, { timeout: 45_000, interval: 50 });
}

/** Waits until the connection is in a state. */
export const waitForState = (trader: LiveTrader, id: string, state: string): Promise<Connection> =>
  waitUntil(
    () => readConnection(trader, id),
    (connection) => connection.state === state,
  );

/** Waits until the account at the venue was compared with the books: then its balance is their cash. */
export async function waitForReconciliation(world: World, id: string): Promise<void> {
  const read = () =>
    world.db
      .selectFrom('venue_connection')
      .select(['state', 'state_code', 'reconciled_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  await waitUntil(read, ({ reconciled_at: at }) => at !== null);
}

/** A connection that is ready to trade. */
export async function connectReady(
  world: World,
  trader: LiveTrader,
  venue: Venue,
  member?: DemoAccount,
): Promise<Connection> {
  const { id } = await connect(world, trader, venue, member);
  const ready = await waitForState(trader, id, 'ready');
  await waitForReconciliation(world, id);
  return ready;
}

export type LiveOrderTerms = { tokenId: string; amount: string; side?: 'buy' | 'sell'; limitPrice?: string };

/** An instrument to buy at each venue, for 2 to 20 USD: prices of the simulated world move from day to day. */
export async function tokenOf(world: World, venue: Venue): Promise<{ tokenId: string; amount: string }> {
  if (venue === 'crypto') return { tokenId: 'BTCUSDT', amount: '0.0002' };
  if (venue === 'venue-a') return { tokenId: 'KXELONMARS-99:yes', amount: '10' };
  const slug = 'will-elon-musk-visit-mars-before-august-2099';
  const { markets } = await world.market.at('venue-b').slug(slug, 'markets');
  const tokenId = markets.find((market) => market.slug === slug)?.outcomes[0]?.tokenId;
  return { tokenId: tokenId ?? '', amount: '50' };
}

/** An order as a node would raise it: in live mode it is pending until a person approves it. */
export async function propose(world: World, trader: LiveTrader, wish: LiveOrderTerms): Promise<OrderRow> {
  await openMarket(world, wish.tokenId);
  const { tokenId, amount, side = 'buy', limitPrice } = wish;
  return proposeIntent(
    trader.work,
    {
      origin: 'order',
      blueprintId: trader.blueprintId,
      tokenId,
      side,
      type: limitPrice === undefined ? 'market' : 'limit',
      timeInForce: limitPrice === undefined ? 'ioc' : 'gtc',
      amount,
      ...(limitPrice !== undefined && { limitPrice }),
      inputs: [],
    },
    SETTINGS,
  );
}

export const approve = (trader: LiveTrader, id: string): Promise<Answer> =>
  trader.call('orders.approve', { id });

export const orderOf = (world: World, id: string): Promise<OrderRow> =>
  world.db.selectFrom('trade_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Waits until the order has this status. */
export const waitForStatus = (world: World, id: string, status: string): Promise<OrderRow> =>
  waitUntil(
    () => orderOf(world, id),
    (order) => order.status === status,
  );

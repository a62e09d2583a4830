/** Brings an account of a world into trade with real money, at simulated venues. */
import { expect } from 'vitest';
import type { Venue } from '../../db/vocabulary.ts';
import { systemWork, type Work } from '../../engine/context.ts';
import { proposeIntent } from '../../engine/orders/entry/propose.ts';
import type { OrderRow } from '../../engine/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/orders/settings.ts';
import {
  admitDemoMember,
  type DemoMember,
  demoConnectionOf,
  newDemoMember,
} from '../../venues/demo-members.ts';
import { expectOk } from './api.ts';
import { openMarket } from './trading.ts';
import { type Answer, ORIGIN, type World, type WorldOptions } from './world.ts';

/** A service that trades, with real money as far as anybody can tell. */
export const LIVE_WORLD: WorldOptions = { settings: { ROLE: 'all', LIVE_TRADING: 'on', DEMO: '0' } };
export const SETTINGS = { ...DEFAULT_TRADING_SETTINGS, isLiveOn: true };

export type LiveTrader = Awaited<ReturnType<typeof openLiveTrader>>;
export type Connection = {
  id: string;
  state: string;
  stateCode: string | null;
  checks: { name: string; state: string; reason: string | null }[];
};

/** A person with books of real money and a blueprint. */
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
  member: DemoMember = newDemoMember(venue),
): Promise<Connection> {
  await admitDemoMember(world.market.simulatorUrl ?? '', venue, member);
  const body = { ...demoConnectionOf(venue, member), password: trader.password };
  return expectOk(await trader.send('POST', '/api/venue-connections', body)) as Connection;
}

export const readConnection = async (trader: LiveTrader, id: string): Promise<Connection> =>
  expectOk(await trader.send('GET', `/api/venue-connections/${id}`)) as Connection;

/** Waits until the connection is in a state; what keeps it from there is part of the failure. */
export async function untilState(trader: LiveTrader, id: string, state: string): Promise<Connection> {
  let last: Connection | null = null;
  await expect
    .poll(
      async () => {
        last = await readConnection(trader, id);
        return last.state === state ? state : JSON.stringify(last);
      },
      { timeout: 15_000, interval: 100 },
    )
    .toBe(state);
  return last ?? readConnection(trader, id);
}

/** Waits until the account at the venue was compared with the books: what it holds is their cash then. */
export async function untilReconciled(world: World, id: string): Promise<void> {
  const reconciledAt = async () => {
    const row = await world.db
      .selectFrom('venue_connection')
      .select('reconciled_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.reconciled_at;
  };
  await expect.poll(reconciledAt, { timeout: 30_000, interval: 100 }).not.toBeNull();
}

/** A connection that trades. */
export async function connectReady(
  world: World,
  trader: LiveTrader,
  venue: Venue,
  member?: DemoMember,
): Promise<Connection> {
  const { id } = await connect(world, trader, venue, member);
  const ready = await untilState(trader, id, 'ready');
  await untilReconciled(world, id);
  return ready;
}

export type LiveWish = { tokenId: string; amount: string; side?: 'buy' | 'sell'; limitPrice?: string };

/** An order as a node would raise it: with real money it waits for a person. */
export async function propose(world: World, trader: LiveTrader, wish: LiveWish): Promise<OrderRow> {
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

export async function untilStatus(world: World, id: string, status: string): Promise<OrderRow> {
  await expect
    .poll(
      async () => {
        const order = await orderOf(world, id);
        return order.status === status ? status : `${order.status} ${order.reason_code} ${order.reason}`;
      },
      { timeout: 15_000, interval: 50 },
    )
    .toBe(status);
  return orderOf(world, id);
}

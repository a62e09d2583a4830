import type { OrderStatus } from '../../db/entities/order.ts';
import { type Clock, databaseClock } from '../../engine/platform/context.ts';
import type { NodeState, NodeStates } from '../../engine/strategy/graph/types.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { updateBlueprint } from '../../engine/usecases/blueprints/drafts/update.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { VenueFeed } from '../../server/workers/trading/market/feed.ts';
import type { Runner } from '../../server/workers/trading/runner.ts';
import { SILENT_LOG } from '../support/silent-log.ts';
import { type FillTerms, fillingBroker } from '../support/trading-fixture.ts';
import { BTC } from './fake-market.ts';
import { type Deployed, draw, type Nodes, openRunnerWorld } from './support.ts';

export type TimedWorld = Awaited<ReturnType<typeof openTimedWorld>>;

/** A runner's world whose time can be moved ahead, for venue, decisions and quotes alike. */
export async function openTimedWorld() {
  const world = await openRunnerWorld();
  let aheadMs = 0;
  const clock: Clock = async (db) => new Date((await databaseClock(db)).getTime() + aheadMs);
  const { market } = world;
  market.clock = () => Date.now() + aheadMs;
  const context = contextOf(world.options({ clock, quotePeriodMs: 60_000 }));
  const feed = new VenueFeed('crypto', context, new LogOnce(SILENT_LOG));
  let runner: Runner = world.runner({ clock });

  const timed = {
    ...world,
    /** Advances everything by one step, with the quotes as they are stored. */
    tick: () => runner.tick(),
    /** Lets another process take over. */
    async restart(): Promise<void> {
      await runner.stop();
      runner = world.runner({ clock });
    },
    /** Lets time pass without any evaluation or quote. */
    async wait(ms: number): Promise<void> {
      aheadMs += ms;
      await timed.restart();
    },
    /** Sets a price at the venue, lets the feed write it, and advances everything by one step. */
    async at(price: string | null): Promise<void> {
      const ask = price === null ? null : (Number(price) + 0.01).toFixed(2);
      market.quote(BTC, { last: price, bid: price, ask });
      await feed.poll();
      await runner.tick();
    },
    /** Replaces the graph of a stopped blueprint and deploys it. */
    async deployOver(deployed: Deployed, nodes: Nodes): Promise<Deployed> {
      await updateBlueprint(world.workOf(deployed.accountId), deployed.blueprintId, { visual: draw(nodes) });
      return world.redeploy(deployed);
    },
    /** Sends queued orders to a venue that fills them, on these terms if any. */
    async fill(terms: Partial<FillTerms> = {}): Promise<void> {
      const queued = await world.db
        .selectFrom('trade_order')
        .select(['account_id', 'mode', 'id'])
        .where('status', '=', 'queued')
        .execute();
      for (const { account_id: accountId, mode, id } of queued) {
        const broker = fillingBroker(() => new Date(market.now()), terms);
        await sendOrder(context.workOf({ accountId, mode }), broker, id);
      }
    },
    /** Ends orders that were not sent or approved in time. */
    async expire(): Promise<void> {
      const waiting = await world.db
        .selectFrom('trade_order')
        .select(['account_id', 'mode', 'id'])
        .where('status', 'in', ['queued', 'pending'])
        .execute();
      for (const { account_id: accountId, mode, id } of waiting)
        await expireOrder(context.workOf({ accountId, mode }), id);
    },
    async states(deployed: Deployed): Promise<NodeStates> {
      return (await world.state(deployed)).node_states as unknown as NodeStates;
    },
    async node(deployed: Deployed, nodeId: string): Promise<NodeState | undefined> {
      return (await timed.states(deployed))[nodeId];
    },
    /** Node and status of every order, in the order they were raised. */
    async made(deployed: Deployed): Promise<[string | null, OrderStatus][]> {
      return (await world.orders(deployed)).map(({ node_id, status }) => [node_id, status]);
    },
    /** The amount that the blueprint holds. */
    async held({ blueprintId }: Deployed): Promise<number> {
      const rows = await world.db
        .selectFrom('position')
        .select('amount')
        .where('blueprint_id', '=', blueprintId)
        .execute();
      return rows.reduce((sum, { amount }) => sum + Number(amount), 0);
    },
    async close(): Promise<void> {
      await feed.stop();
      await world.close();
    },
  };
  return timed;
}

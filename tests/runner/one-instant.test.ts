/** A step reads an account at one instant, whatever is booked meanwhile. */
import type { QueryId } from 'kysely';
import { expect, test } from 'vitest';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { Runner } from '../../server/workers/trading/runner.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, openRunnerWorld } from './support.ts';

test('a fill that is booked between the reads of orders and positions is not taken for something bought', async () => {
  let nowMs = Date.now();
  const clock = async () => new Date(nowMs);
  const world = await openRunnerWorld({ clock });
  world.market.clock = () => nowMs;
  const broker = new ScriptedBroker(() => new Date(nowMs));
  // Once it is set, runs right after the next read of the orders.
  let meanwhile: (() => Promise<void>) | null = null;
  const ofOrders = new Set<QueryId>();
  const context = contextOf(world.options());
  const db = context.db.withPlugin({
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('node as materialized')) ofOrders.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      const act = ofOrders.has(queryId) ? meanwhile : null;
      if (act !== null) meanwhile = null;
      await act?.();
      return result;
    },
  });
  const runner = new Runner({ ...context, db }, new LogOnce(world.log));
  try {
    const deployed = await world.deploy({
      ...buyAbove(100, 10),
      target: { type: 'target', config: { instrument: BTC, takeProfit: 0.5, part: 0.5 } },
    });
    const work = world.workOf(deployed.accountId);
    const tickAfter = async (ms: number) => {
      nowMs += ms;
      await world.price('101');
      await runner.tick(nowMs, nowMs);
    };
    await tickAfter(2_000);
    await world.fillQueued();
    await tickAfter(2_000);
    const [, sell] = await world.orders(deployed);
    const id = sell?.id ?? '';
    await sendOrder(work, broker, id);
    const fill = async (amount: string) => {
      broker.fill(id, { amount, price: '160', fee: '0' });
      await syncOrder(work, broker, id);
    };
    await tickAfter(2_000);
    await fill('1');
    meanwhile = () => fill('2');
    await tickAfter(2_000);
    expect(meanwhile).toBeNull();
    for (let step = 0; step < 8; step++) await tickAfter(2_000);
    const orders = await world.orders(deployed);
    expect(orders.slice(1)).toMatchObject([
      { node_id: 'target', status: 'partially_filled', amount: '5.000000000000', cancel_requested_at: null },
    ]);
  } finally {
    await runner.stop();
    await world.close();
  }
});

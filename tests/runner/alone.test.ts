/** Rows of an account are the same whether it runs alone or beside others of the same graphs. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openedForFile } from '../support/opened.ts';
import { buyAbove, type Nodes, openRunnerWorld, until } from './support.ts';

const world = openedForFile(() => openRunnerWorld({ shardCount: 2 }));

/** Buys above a level and notifies; with an exit that some of the prices trigger. */
const strategy = (level: number): Nodes => ({
  ...buyAbove(level, 2),
  say: { type: 'notify', config: { text: `above ${level}` }, inputs: { when: 'above' } },
  exit: { type: 'exit', config: { instrument: 'BTCUSDT', takeProfit: 0.04, stopLoss: 0.04 } },
});
const GRAPHS = [strategy(100), strategy(103)];
const PRICES = ['101', '99', '104', '106', '98', '102', '110', '97', '105'];

/** Deploys one graph in each account, plays the prices, and returns the stored rows of each account. */
async function play(graphs: readonly number[]): Promise<string[]> {
  await world.price('99');
  const deployed = [];
  for (const graph of graphs) deployed.push(await world.deploy(GRAPHS[graph] ?? {}));
  const runner = world.runner();
  const step = async () => {
    await runner.tick();
    await until(async () => (await world.requests()).length === 0);
    await world.fillQueued();
  };
  await step();
  for (const price of PRICES) {
    await world.price(price);
    await step();
    await step();
  }
  await runner.stop();
  for (const each of deployed) await world.stop(each);
  return Promise.all(deployed.map(({ accountId }) => stored(accountId)));
}

/** All orders, steps, events and notifications of an account, with ids numbered in order of appearance, without instants. */
async function stored(accountId: string): Promise<string> {
  const of = async (columns: string, table: string, order: string) => {
    const { rows } =
      await sql`select ${sql.raw(columns)} from ${sql.table(table)} where account_id = ${accountId}
      order by ${sql.raw(order)}`.execute(world.db);
    return rows;
  };
  const rows = {
    orders: await of('*', 'trade_order', 'id'),
    steps: await of('order_id, number, from_status, to_status, actor, reason', 'order_transition', 'seq'),
    fills: await of('order_id, side, amount, price, fee, kind', 'fill', 'seq'),
    positions: await of('token_id, amount, total_cost, realized_pnl', 'position', 'token_id'),
    // Decisions and notifications of a tick are stored concurrently.
    events: await of('type, payload', 'account_event', 'type, seq'),
  };
  const names = new Map<string, string>();
  return JSON.stringify(rows, null, 1)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const name = names.get(id) ?? `id ${names.size + 1}`;
      names.set(id, name);
      return name;
    })
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(Z|[+]00(:00)?)?/g, 'a moment')
    .replaceAll(/\b\d{13}\b/g, '0')
    .replaceAll(/"ageSec": [\d.]+/g, '"ageSec": 0')
    .replaceAll(/("note": "last loss[^{}]*)"actual": "[^"]*"([^{}]*)"headroom": "[^"]*"/g, '$1$2');
}

test('orders, steps, fills, events and notifications of accounts that run together equal those of each alone', {
  tags: ['long'],
}, async () => {
  const alone = [await play([0]), await play([1])].flat();
  for (const rows of alone) expect(rows).toContain('"status": "filled"');
  expect(alone[0]).not.toBe(alone[1]);
  const graphs = [0, 1, 1, 0, 0];
  const together = await play(graphs);
  for (const [place, graph] of graphs.entries()) expect(together[place]).toBe(alone[graph]);
});

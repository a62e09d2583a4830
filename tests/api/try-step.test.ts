import { beforeAll, describe, expect, test } from 'vitest';
import { CANDLE_INTERVALS } from '../../venues/views.ts';
import { bearer } from '../support/api.ts';
import { draw } from '../support/draw-graph.ts';
import { openedForFile } from '../support/opened.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const SYMBOL = 'BTCUSDT';

const world = openedForFile(openWorld);
let mine: Awaited<ReturnType<typeof signedIn>>;
beforeAll(async () => {
  mine = await signedIn();
});

async function signedIn() {
  const { cookie } = await world.signUp();
  const headers = { cookie, origin: ORIGIN };
  return trpcClient(world, headers);
}

/** Buys for this number of USD once the price is above a level. */
const buysAbove = (level: number, notional = 40, config: Record<string, string | number> = {}) =>
  draw({
    price: { type: 'crypto.price', config: { symbol: SYMBOL, field: 'ask' } },
    level: { type: 'constant', config: { value: level } },
    above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'level' } },
    amount: { type: 'size', config: { mode: 'notional', notional }, inputs: { price: 'price' } },
    buy: {
      type: 'order',
      config: { instrument: SYMBOL, side: 'buy', type: 'market', ...config },
      inputs: { when: 'above', amount: 'amount' },
    },
    broken: { type: 'constant', config: { value: 'x' } },
    elsewhere: { type: 'crypto.price', config: { symbol: 'ETHUSDT', field: 'ask' } },
  });

const drafted = async (visual: unknown) =>
  (await mine.blueprints.create.mutate({ name: 'Tried', visual })).id;

async function rowsOf(id: string): Promise<number[]> {
  const count = async (table: 'trade_order' | 'deployment') =>
    (await world.db.selectFrom(table).select('id').where('blueprint_id', '=', id).execute()).length;
  return [await count('trade_order'), await count('deployment')];
}

describe('a step tried on live data', () => {
  test('of a list is tried for each instrument, with the parameters of the graph', async () => {
    const coins = { parameter: 'coins' };
    const visual = draw(
      {
        price: { type: 'crypto.price', config: { symbol: coins, field: 'ask' } },
        amount: {
          type: 'size',
          config: { mode: 'notional', notional: { parameter: 'budget' } },
          inputs: { price: 'price' },
        },
        first: { type: 'top', config: { k: 1 }, inputs: { in: 'price' } },
        buy: {
          type: 'order',
          config: { instrument: coins, side: 'buy', type: 'market' },
          inputs: { when: 'first', amount: 'amount' },
        },
      },
      { coins: { value: [SYMBOL, 'ETHUSDT'] }, budget: { value: 20 } },
    );
    const id = await drafted(visual);
    const { issues, nodes, orders } = await mine.console.tryStep.mutate({ id, nodeId: 'buy' });
    expect(issues).toEqual([]);
    expect(nodes.map(({ nodeId }) => nodeId)).toContain('buy/ETHUSDT');
    expect(orders).toMatchObject([{ tokenId: SYMBOL, side: 'buy', isDue: true }]);
  });

  test('returns its value and those of its inputs, and nothing of the rest, which may be wrong', async () => {
    const id = await drafted(buysAbove(1));
    const { issues, nodes, orders } = await mine.console.tryStep.mutate({ id, nodeId: 'above' });
    expect(issues).toEqual([]);
    expect(nodes.map(({ nodeId }) => nodeId)).toEqual(['price', 'level', 'above']);
    expect(nodes.map(({ state }) => state.status)).toEqual(['ok', 'ok', 'ok']);
    expect(nodes[0]?.state.value).toBeGreaterThan(1);
    expect(nodes[2]?.state.value).toBe(true);
    expect(orders).toEqual([]);
  });

  test('without a step, returns the value of each, and no order', async () => {
    const visual = draw({
      price: { type: 'crypto.price', config: { symbol: SYMBOL, field: 'ask' } },
      level: { type: 'constant', config: { value: 1 } },
      above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'level' } },
      amount: { type: 'size', config: { mode: 'notional', notional: 40 }, inputs: { price: 'price' } },
      buy: {
        type: 'order',
        config: { instrument: SYMBOL, side: 'buy', type: 'market' },
        inputs: { when: 'above', amount: 'amount' },
      },
    });
    const id = await drafted(visual);
    const { issues, nodes, orders } = await mine.console.tryStep.mutate({ id });
    expect(issues).toEqual([]);
    expect(nodes.map(({ nodeId }) => nodeId).toSorted()).toEqual([
      'above',
      'amount',
      'buy',
      'level',
      'price',
    ]);
    expect(orders).toEqual([]);
    expect(await rowsOf(id)).toEqual([0, 0]);
    const broken = await mine.console.tryStep.mutate({ id, visual: buysAbove(1) });
    expect(broken).toMatchObject({ nodes: [], issues: [{ nodeId: 'broken' }] });
    expect((await mine.console.tryStep.mutate({ id: await drafted(null) })).nodes).toEqual([]);
  });

  test('of an action: the order it would raise now, and the result of each rule; nothing is stored', async () => {
    const id = await drafted(buysAbove(1));
    const { orders, silence } = await mine.console.tryStep.mutate({ id, nodeId: 'buy' });
    expect(silence).toBeNull();
    expect(orders).toMatchObject([
      {
        side: 'buy',
        tokenId: SYMBOL,
        type: 'market',
        isDue: true,
        refusal: null,
        preview: { verdict: 'queued', denial: null },
      },
    ]);
    expect(orders[0]?.preview?.size).toBeLessThanOrEqual(40.5);
    expect(orders[0]?.preview?.receipt.lines.map(({ rule }) => rule)).toContain('maxOrderSize');
    expect(await rowsOf(id)).toEqual([0, 0]);
    const { nodeStates, status } = await mine.blueprints.read.query({ id });
    expect([nodeStates, status]).toEqual([null, 'draft']);
  });

  test.each([
    ['not true now', buysAbove(1e9)],
    ['set to wait at the deploy', buysAbove(1, 40, { ifTrueAtDeploy: 'wait' })],
  ])('an action whose condition is %s says what it would raise once it turns true', async (_, visual) => {
    const id = await drafted(visual);
    const { orders } = await mine.console.tryStep.mutate({ id, nodeId: 'buy' });
    expect(orders).toMatchObject([{ isDue: false, preview: { verdict: 'queued' } }]);
  });

  test('a rule that would deny or require approval is named', async () => {
    const id = await drafted(buysAbove(1, 80));
    const pending = await mine.console.tryStep.mutate({ id, nodeId: 'buy' });
    expect(pending.orders).toMatchObject([{ preview: { verdict: 'pending' } }]);
    const refused = await mine.console.tryStep.mutate({ id, nodeId: 'buy', visual: buysAbove(1, 5_000) });
    expect(refused.orders).toMatchObject([
      { preview: { verdict: 'denied', denial: { message: expect.stringMatching(/./) } } },
    ]);
  });

  test('an action that would do nothing states why', async () => {
    const visual = draw({
      beat: { type: 'schedule', config: { mode: 'every', everySec: 60 } },
      shut: { type: 'close', config: { instrument: SYMBOL }, inputs: { when: 'beat' } },
    });
    const { orders, silence } = await mine.console.tryStep.mutate({
      id: await drafted(visual),
      nodeId: 'shut',
    });
    expect(orders).toEqual([]);
    expect(silence?.message).toEqual(expect.stringMatching(/./));
  });

  test('an unsaved graph is tried as it is, a step that is switched off too', async () => {
    const id = await drafted(null);
    const visual = draw({ level: { type: 'constant', config: { value: 7 } } });
    const tried = await mine.console.tryStep.mutate({ id, nodeId: 'level', visual });
    expect(tried.nodes).toMatchObject([{ nodeId: 'level', state: { value: 7 } }]);
    const off = {
      nodes: [{ id: 'level', type: 'constant', data: { config: { value: 7 }, disabled: true } }],
      edges: [],
    };
    const silent = await mine.console.tryStep.mutate({ id, nodeId: 'level', visual: off });
    expect(silent.nodes).toMatchObject([{ state: { value: null, reason: { code: 'switched_off' } } }]);
    expect((await mine.blueprints.read.query({ id })).visual).toBeNull();
  });

  test('faults of the step and of its inputs are returned in place of values', async () => {
    const id = await drafted(buysAbove(1));
    const { issues, nodes } = await mine.console.tryStep.mutate({ id, nodeId: 'broken' });
    expect(nodes).toEqual([]);
    expect(issues).toMatchObject([{ nodeId: 'broken' }]);
  });

  test.each([
    ['nodes that are none', { nodes: 'x', edges: 7 }],
    ['a list', [1, 2]],
    ['a text', 'drawing'],
    [
      'loops and doubles',
      {
        nodes: [
          { id: 'a', type: 'logic' },
          { id: 'a', type: 'logic' },
        ],
        edges: [{ source: 'a', target: 'a' }],
      },
    ],
    [
      'a step by the name of a prototype',
      {
        nodes: [{ id: 'constructor', type: 'constant', data: { config: { value: 1 } } }],
        edges: [{ source: 'constructor', target: 'constructor' }],
      },
    ],
  ])('whatever is sent for a drawing is answered: %s', async (_, visual) => {
    const id = await drafted(null);
    for (const nodeId of ['a', 'constructor', '__proto__', '\u0000', '🦆', undefined])
      await mine.console.tryStep.mutate({ id, nodeId, visual }).then(
        ({ orders }) => expect(orders).toEqual([]),
        (error: { data: { error: { code: string } } }) =>
          expect(error.data.error.code).toBe('validation_failed'),
      );
  });

  test('a step, or a graph, that needs more than venues may be queried for at once is refused with the count', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `c${index}`,
        {
          type: 'crypto.candle',
          config: {
            symbol: index % 2 ? SYMBOL : 'ETHUSDT',
            interval: CANDLE_INTERVALS[index % CANDLE_INTERVALS.length] ?? '1m',
            field: 'close',
            closedOnly: index % 4 < 2,
          },
        },
      ]),
    );
    const visual = draw({
      ...many,
      sum: { type: 'math', config: { op: 'add' }, inputs: { in: Object.keys(many) } },
    });
    const id = await drafted(null);
    for (const [nodeId, path] of [
      ['sum', '/nodeId'],
      [undefined, '/visual'],
    ])
      await expect(mine.console.tryStep.mutate({ id, nodeId, visual })).rejects.toMatchObject({
        data: {
          error: {
            code: 'validation_failed',
            message: expect.stringMatching(/requests to venues; the limit is 32/),
            issues: [{ path }],
          },
        },
      });
  });

  test('another account’s blueprint is not found, and keys may not try at all', async () => {
    const id = await drafted(buysAbove(1));
    const stranger = await signedIn();
    await expect(stranger.console.tryStep.mutate({ id, nodeId: 'buy' })).rejects.toMatchObject({
      data: { error: { code: 'not_found' } },
    });
    const { key } = await world.account();
    const byKey = trpcClient(world, bearer(key));
    await expect(byKey.console.tryStep.mutate({ id, nodeId: 'buy' })).rejects.toMatchObject({
      data: { error: { code: 'session_required' } },
    });
  });
});

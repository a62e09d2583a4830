import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../db/json.ts';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { TEMPLATES } from '../../engine/strategy/graph/templates/index.ts';
import type { NodeStates } from '../../engine/strategy/graph/types.ts';
import { findQueued } from '../../engine/trading/orders/execution/queue.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { pickTemplateInstruments } from '../../engine/usecases/blueprints/template-instruments.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { VenueFeed } from '../../server/workers/trading/market/feed.ts';
import { Runner } from '../../server/workers/trading/runner.ts';
import { openedForEachTest } from '../support/opened.ts';
import { SILENT_LOG } from '../support/silent-log.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

const START = Math.floor(Date.parse('2026-11-20T10:00:00Z') / 1_000);
/** The feed reads a book again after this much real time, however fast the simulated world runs. */
const BOOK_PERIOD_MS = 2_000;

const world = openedForEachTest(openWorld);
let account: Account;
let stage: Stage;
beforeEach(async () => {
  account = await world.account();
  stage = openStage(world);
  stage.pin(START);
});
afterEach(() => stage.close());

type Stage = ReturnType<typeof openStage>;

/** The simulated world by tick number, with the runner, its feeds and the paper venue, advanced step by step. */
function openStage({ pool, market, db, config }: World) {
  const options = {
    pool,
    market,
    clock: databaseClock,
    log: SILENT_LOG,
    shardCount: config.shardCount,
    wakeOrders: () => {},
  };
  const context = contextOf(options);
  const log = new LogOnce(SILENT_LOG);
  const runner = new Runner(context, log);
  const feeds = VENUE_IDS.map((venue) => new VenueFeed(venue, context, log));
  const broker = openPaperVenue({ pool, marketData: market, clock: databaseClock });
  const stage = {
    pin(tick: number) {
      market.simulator?.clock.pin(tick);
    },
    /** Advances everything by one step, at this tick of the world. */
    async at(tick: number): Promise<void> {
      stage.pin(tick);
      for (const feed of feeds) await feed.poll();
      await runner.tick();
      for (const { id, ...books } of await findQueued(db, await databaseClock(db), 100)) {
        await sendOrder(context.workOf(books), broker, id);
      }
    },
    async close(): Promise<void> {
      await runner.stop();
      await Promise.all(feeds.map((feed) => feed.stop()));
    },
  };
  return stage;
}

type View = { id: string; status: string; error: string | null; nodeStates: NodeStates };

type Drawing = { nodes: Record<string, Json>[]; edges: Json };

async function draftOf(name: string): Promise<Json> {
  const instruments = await pickTemplateInstruments(world.market);
  return TEMPLATES.find((template) => template.name === name)?.visual(instruments) ?? null;
}

const deploy = async (name: string): Promise<string> => deployed(name, await draftOf(name));

async function deployed(name: string, visual: Json): Promise<string> {
  const { id } = (await account.http('POST', '/api/blueprints', { name, visual })).body as View;
  const checked = await account.http('POST', `/api/blueprints/${id}/validate`);
  const { valid, issues } = checked.body as { valid: boolean; issues: { code: string }[] };
  expect(valid).toBe(true);
  // A basket that fails costs what its warning says: that is no mistake of the template.
  const stated = ['fires_at_deploy', 'basket_loss'];
  expect(issues.filter(({ code }) => !stated.includes(code))).toEqual([]);
  const { status, text } = await account.http('POST', `/api/blueprints/${id}/deploy`);
  expect([status, text]).toEqual([200, expect.anything()]);
  return id;
}

const read = async (id: string) => (await account.http('GET', `/api/blueprints/${id}`)).body as View;

const ordersOf = async (id: string) =>
  (await account.http('GET', `/api/orders?blueprintId=${id}`)).body as {
    side: string;
    status: string;
  }[];

/** Advances tick by tick until the blueprint has made an order, and returns that tick. */
async function untilOrder(id: string, ticks: Iterable<number>): Promise<number> {
  for (const tick of ticks) {
    await stage.at(tick);
    if ((await ordersOf(id)).length > 0) return tick;
  }
  throw new Error('It made no order in all this time.');
}

function* every(seconds: number, from: number, count: number): Iterable<number> {
  for (let step = 0; step < count; step++) yield from + step * seconds;
}

describe('the templates on the simulator', () => {
  test('pass the check without an issue, run, and every node states its value or what it waits for', {
    tags: ['long'],
  }, async () => {
    const ids = await Promise.all(TEMPLATES.map(({ name }) => deploy(name)));
    for (let step = 0; step < 5; step++) await stage.at(START + 2 * step);
    for (const id of ids) {
      const { status, error, nodeStates } = await read(id);
      expect({ status, error }).toEqual({ status: 'running', error: null });
      for (const [node, state] of Object.entries(nodeStates)) {
        expect([node, state.status]).not.toEqual([node, 'error']);
        expect(['waiting', 'stale', 'blocked', 'missed'].includes(state.status)).toBe(
          state.reason !== undefined && state.status !== 'fired' && state.status !== 'idle',
        );
      }
      // Each node that reads the market has a value.
      const sources = Object.entries(nodeStates).filter(([node]) => SOURCES.has(node));
      for (const [node, { status, value }] of sources) {
        expect([node, status, typeof value]).toEqual([node, 'ok', 'number']);
      }
    }
  });

  test('momentum buys on a cross of the averages', { timeout: 120_000 }, async () => {
    const id = await deploy('Momentum on candles');
    await untilOrder(id, every(300, START, 200));
    expect((await ordersOf(id)).at(-1)).toMatchObject({ side: 'buy', status: 'filled' });
    expect((await read(id)).nodeStates).toMatchObject({
      up: { status: 'ok', value: true },
      buy: { status: 'fired', firedCount: 1 },
    });
  });

  test('mean reversion buys after a fast fall and sells after a recovery', {
    tags: ['long'],
  }, async () => {
    const id = await deploy('Mean reversion by RSI');
    const bought = await untilOrder(id, every(60, START, 400));
    expect((await ordersOf(id)).at(-1)).toMatchObject({ side: 'buy', status: 'filled' });
    for (const tick of every(60, bought + 60, 400)) {
      await stage.at(tick);
      if ((await ordersOf(id)).length > 1) break;
    }
    expect((await ordersOf(id))[0]).toMatchObject({ side: 'sell', status: 'filled' });
  });

  test('accumulation buys at the scheduled hour', async () => {
    const id = await deploy('Scheduled accumulation');
    await stage.at(START + 3_590);
    expect(await ordersOf(id)).toEqual([]);
    await stage.at(START + 3_602);
    expect(await ordersOf(id)).toMatchObject([{ side: 'buy', status: 'filled' }]);
    await stage.at(START + 3_604);
    expect(await ordersOf(id)).toHaveLength(1);
  });

  test('probability edge buys a price that is cheap for ten seconds', async () => {
    const fair = { id: 'fair', type: 'constant', data: { label: 'My probability', config: { value: 0.95 } } };
    const { nodes, edges } = (await draftOf('Probability edge')) as Drawing;
    const id = await deployed('Probability edge', {
      nodes: nodes.map((node) => (node['id'] === 'fair' ? fair : node)),
      edges,
    });
    await stage.at(START);
    expect(await ordersOf(id)).toEqual([]);
    const { nodeStates } = await read(id);
    expect(nodeStates).toMatchObject({
      edge: { status: 'ok' },
      lasting: { status: 'waiting', reason: { code: 'holding' }, distance: 10 },
    });
    await stage.at(START + 12);
    expect(await ordersOf(id)).toHaveLength(1);
  });

  test('the dip buyer buys a dip, and notifies', { tags: ['long'] }, async () => {
    const dip = await findDip();
    stage.pin(dip - 660);
    const id = await deploy('Dip buyer');
    for (const tick of every(20, dip - 660, 34)) await stage.at(tick);
    await new Promise((resolve) => setTimeout(resolve, BOOK_PERIOD_MS));
    await stage.at(dip);
    expect((await read(id)).nodeStates).toMatchObject({
      dip: { status: 'ok', value: true },
      say: { firedCount: 1 },
    });
    expect((await ordersOf(id)).at(-1)).toMatchObject({ side: 'buy', status: 'filled' });
  });

  test('the position guard watches the holdings of its blueprint', async () => {
    const id = await deploy('Take profit and stop loss');
    await stage.at(START);
    expect((await read(id)).nodeStates).toMatchObject({
      gain: { status: 'waiting', reason: { code: 'no_position' } },
      exit: { status: 'idle' },
    });
    await account.http('POST', `/api/blueprints/${id}/stop`);
    const visual = await draftOf('Take profit and stop loss');
    const accumulation = await deploy('Scheduled accumulation');
    await stage.at(START + 3_590);
    await stage.at(START + 3_602);
    await account.http('POST', `/api/blueprints/${accumulation}/stop`);
    await account.http('PUT', `/api/blueprints/${accumulation}`, { visual });
    await account.http('POST', `/api/blueprints/${accumulation}/deploy`);
    await stage.at(START + 3_604);
    const { gain, exit } = (await read(accumulation)).nodeStates;
    expect(gain).toMatchObject({ status: 'ok', value: expect.any(Number) });
    expect(exit).toMatchObject({ status: 'ok', distance: expect.any(Number) });
  });
});

/** Nodes of the examples that read the market and nothing else. */
const SOURCES: ReadonlySet<string> = new Set(['mid', 'ask', 'price', 'left']);

/** The first tick at which the token is 8 % below its ten-minute high, on a grid of 20 s. */
async function findDip(): Promise<number> {
  const { market } = world;
  const { outcomeB: token } = await pickTemplateInstruments(market);
  const mids: number[] = [];
  for (const tick of every(20, START, 3_000)) {
    stage.pin(tick);
    const [quote] = await market.quotes([token]);
    const mid = (Number(quote?.bid) + Number(quote?.ask)) / 2;
    mids.push(mid);
    if (mids.length > 34 && mid < 0.92 * Math.max(...mids.slice(-30))) return tick;
  }
  throw new Error('The token did not dip in all this time.');
}

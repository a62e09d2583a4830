import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { TEMPLATES } from '../../engine/strategy/graph/templates/index.ts';
import type { Template } from '../../engine/strategy/graph/templates/template.ts';
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

async function deploy({ name, visual }: Template): Promise<string> {
  const drawn = visual(await pickTemplateInstruments(world.market));
  const { id } = (await account.http('POST', '/api/blueprints', { name, visual: drawn })).body as View;
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

describe('the templates on the simulator', () => {
  test('pass the check without an issue, run, and every node states its value or what it waits for', {
    tags: ['long'],
  }, async () => {
    const ids = await Promise.all(TEMPLATES.map(deploy));
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
});

/** Nodes of the examples that read the market and nothing else. */
const SOURCES: ReadonlySet<string> = new Set(['mid', 'ask', 'price', 'left']);

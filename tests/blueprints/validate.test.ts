import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../db/json.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { transact } from '../../engine/platform/transact.ts';
import type { Issue } from '../../engine/strategy/graph/types.ts';
import { updateBlueprint } from '../../engine/usecases/blueprints/drafts/update.ts';
import { explainBlueprint } from '../../engine/usecases/blueprints/explain.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { validateBlueprint } from '../../engine/usecases/blueprints/running/validate.ts';
import type { MarketData } from '../../venues/port.ts';
import { BTC, YES } from '../runner/fake-market.ts';
import { buyAbove, draw, type Nodes, openRunnerWorld, type RunnerWorld } from '../runner/support.ts';
import { openedForEachTest } from '../support/opened.ts';

const world = openedForEachTest(openRunnerWorld);

async function draftOf(nodes: Nodes) {
  const accountId = await world.account();
  return { accountId, blueprintId: await world.draft(accountId, nodes) };
}
type Draft = Awaited<ReturnType<typeof draftOf>>;

const validate = (draft: Draft, visual?: Json, market: MarketData = world.market) =>
  validateBlueprint(world.workOf(draft.accountId), market, draft.blueprintId, visual);

const firing = (issues: readonly Issue[]) =>
  issues.filter(({ code }) => code === 'fires_at_deploy').map(({ nodeId }) => nodeId);

const say = (level: number): Nodes => ({
  price: { type: 'crypto.price', config: { symbol: BTC, field: 'last' } },
  level: { type: 'constant', config: { value: level } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'level' } },
  say: { type: 'notify', config: { text: 'Above.' }, inputs: { when: 'above' } },
});

/** One graph for each kind of error. */
const WRONG: Record<string, Json> = {
  'an unknown type': { nodes: [{ id: 'a', type: 'magic', data: { config: {} } }], edges: [] },
  'a setting that does not exist': draw({ one: { type: 'constant', config: { value: 1, colour: 'red' } } }),
  'an order that nothing triggers': draw({
    amount: { type: 'constant', config: { value: 1 } },
    buy: {
      type: 'order',
      config: { instrument: BTC, side: 'buy', type: 'market' },
      inputs: { amount: 'amount' },
    },
  }),
  'an instrument no venue knows': draw({
    price: { type: 'market.price', config: { instrument: 'KXNOPE-1:yes', field: 'mid' } },
  }),
  'a cycle': draw({
    a: { type: 'math', config: { op: 'add' }, inputs: { in: ['b', 'b'] } },
    b: { type: 'math', config: { op: 'add' }, inputs: { in: ['a', 'a'] } },
  }),
  'two faults at once': draw({
    one: { type: 'constant', config: { value: 'x' } },
    price: { type: 'crypto.price', config: { symbol: BTC, field: 'colour' } },
  }),
  'no list of nodes': { nodes: 'hello' },
};

describe('validate and deploy', () => {
  test.each(Object.entries(WRONG))('give the same errors for %s', async (_, visual) => {
    const draft = await draftOf({});
    await updateBlueprint(world.workOf(draft.accountId), draft.blueprintId, { visual });
    const { valid, issues } = await validate(draft);
    expect(valid).toBe(false);
    const refused = await deployBlueprint(world.workOf(draft.accountId), draft.blueprintId, {
      market: world.market,
      shardCount: 4,
    }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    const errors = issues.filter(({ severity }) => severity === 'error');
    expect(errors.length).toBeGreaterThan(0);
    expect(refused).toMatchObject({
      code: 'blueprint_invalid',
      issues: errors.map(({ path, code, message }) => ({ path: `/visual${path}`, code, message })),
    });
  });

  test('agree that warnings block nothing', async () => {
    const draft = await draftOf(buyAbove(50));
    const { valid, issues } = await validate(draft);
    expect(valid).toBe(true);
    expect(new Set(issues.map(({ severity }) => severity))).toEqual(new Set(['warning']));
    await world.redeploy(draft);
  });
});

describe('actions that would fire at the deploy', () => {
  test('are listed with their node, and are what the first tick then does', async () => {
    const draft = await draftOf({ ...buyAbove(50), ...say(50) });
    const { issues } = await validate(draft);
    expect(firing(issues)).toEqual(['buy', 'say']);
    expect(issues.map(({ message }) => message)).toContain(
      'Its condition is true now: at the deploy it would buy 1 BTCUSDT at once.',
    );

    const deployed = await world.redeploy(draft);
    await world.pollOnce();
    await world.runner().tick();
    expect((await world.orders(deployed)).map(({ node_id }) => node_id)).toEqual(['buy']);
    expect((await world.events(draft.accountId)).map(({ type }) => type)).toContain('notification');
  });

  test('are none where the condition is false, unknown, or waits for a rise', async () => {
    const waits = buyAbove(50);
    const { buy } = waits;
    if (buy) waits['buy'] = { ...buy, config: { ...buy.config, ifTrueAtDeploy: 'wait' } };
    for (const nodes of [buyAbove(200), waits]) {
      expect(firing((await validate(await draftOf(nodes))).issues)).toEqual([]);
    }
    world.market.quote(BTC, { last: null });
    expect(firing((await validate(await draftOf(buyAbove(50)))).issues)).toEqual([]);
  });

  test('are reported for a graph that is not saved yet', async () => {
    const draft = await draftOf({});
    expect(firing((await validate(draft, draw(buyAbove(50)))).issues)).toEqual(['buy']);
  });

  test('reads closed candles, and sizes by what the account has', async () => {
    world.market.addCandles(
      BTC,
      '1m',
      Array.from({ length: 3 }, (_, i) => ({
        openTimeMs: Date.now() - (4 - i) * 60_000,
        closeTimeMs: Date.now() - (3 - i) * 60_000 - 1,
        ...{ open: 100, high: 100, low: 100, close: 100 + i, volume: 1 },
      })),
    );
    const draft = await draftOf({
      close: { type: 'crypto.candle', config: { symbol: BTC, interval: '1m', field: 'close' } },
      level: { type: 'constant', config: { value: 101.5 } },
      above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'close', b: 'level' } },
      price: { type: 'crypto.price', config: { symbol: BTC, field: 'ask' } },
      size: { type: 'size', config: { mode: 'equity', fraction: 0.001 }, inputs: { price: 'price' } },
      buy: {
        type: 'order',
        config: { instrument: BTC, side: 'buy', type: 'market' },
        inputs: { when: 'above', amount: 'size' },
      },
    });
    const { issues } = await validate(draft);
    // A thousandth of 1,000,000 USD at an ask of 101, down to the step.
    expect(issues.map(({ message }) => message)).toContain(
      'Its condition is true now: at the deploy it would buy 9.90099 BTCUSDT at once.',
    );
  });

  test('count the positions of this blueprint and of no other', async () => {
    const holder = await world.deploy(buyAbove(50));
    await world.pollOnce();
    await world.runner().tick();
    await world.fillQueued();
    await world.stop(holder);
    const guard: Nodes = { exit: { type: 'exit', config: { instrument: BTC, takeProfit: 0.5 } } };
    world.market.quote(BTC, { bid: '200', ask: '201' });
    expect(firing((await validate(holder, draw(guard))).issues)).toEqual(['exit']);
    const other = { accountId: holder.accountId, blueprintId: await world.draft(holder.accountId, guard) };
    expect(firing((await validate(other)).issues)).toEqual([]);
  });

  test('change nothing', async () => {
    const draft = await draftOf({ ...buyAbove(50), ...say(50) });
    // The first time an instrument is named, its venue's data is stored.
    await validate(draft);
    const issues = await transact(world.workOf(draft.accountId), async (tx) => {
      await sql`set transaction read only`.execute(tx.db);
      return (await validateBlueprint(tx, world.market, draft.blueprintId)).issues;
    });
    expect(firing(issues)).toEqual(['buy', 'say']);
  });
});

describe('a venue in trouble', () => {
  test('removes its own warnings and leaves those of others', async () => {
    const draft = await draftOf({
      ...buyAbove(50),
      mid: { type: 'market.price', config: { instrument: YES, field: 'mid' } },
      high: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'mid', b: 'level' } },
      tell: { type: 'notify', config: { text: 'High.' }, inputs: { when: 'high' } },
    });
    expect(firing((await validate(draft)).issues)).toEqual(['buy', 'tell']);
    const market = broken(world.market, (tokenIds) => tokenIds.includes(YES));
    const { valid, issues } = await validate(draft, undefined, market);
    expect(valid).toBe(true);
    expect(firing(issues)).toEqual(['buy']);
    world.market.isDown = true;
    expect(await validate(draft)).toMatchObject({ valid: true });
    expect(firing((await validate(draft)).issues)).toEqual([]);
  });

  test('delays the check by less than ten seconds if it does not answer', { tags: ['long'] }, async () => {
    const draft = await draftOf(buyAbove(50));
    await validate(draft);
    const market: MarketData = Object.assign(Object.create(world.market), {
      quotes: () => new Promise<never>(() => {}),
    });
    const startedMs = performance.now();
    const { valid, issues } = await validate(draft, undefined, market);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(valid).toBe(true);
    expect(firing(issues)).toEqual([]);
  });
});

/** The market, down for the calls that ask for one of these. */
function broken(market: RunnerWorld['market'], isDown: (tokenIds: readonly string[]) => boolean): MarketData {
  return Object.assign(Object.create(market) as MarketData, {
    instrument: (tokenId: string) => market.instrument(tokenId),
    now: () => market.now(),
    quotes: async (tokenIds: readonly string[]) => {
      market.isDown = isDown(tokenIds);
      try {
        return await market.quotes(tokenIds);
      } finally {
        market.isDown = false;
      }
    },
  });
}

test('a graph is explained as it is stored, or as it is sent; 404 for another account’s', async () => {
  const { accountId, blueprintId } = await draftOf(say(100));
  const stored = [{ nodeId: 'say', text: `Says “Above.” when ${BTC} last is above 100.` }];
  const work = world.workOf(accountId);
  expect(await explainBlueprint(work, blueprintId)).toEqual(stored);
  expect(await explainBlueprint(work, blueprintId, draw({}))).toEqual([]);
  const stranger = world.workOf(await world.account());
  await expect(explainBlueprint(stranger, blueprintId)).rejects.toMatchObject({ code: 'not_found' });
});

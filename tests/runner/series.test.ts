/** Live deployments whose list is a series: they follow its markets. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../db/json.ts';
import { noticeOf } from '../../engine/notifications/notice.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { failDeployment } from '../../engine/usecases/blueprints/running/fail.ts';
import { followSeries } from '../../engine/usecases/blueprints/running/follow-series.ts';
import type { RiskRulesPatch } from '../../engine/usecases/risk-rules/rules.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { SeriesFollower } from '../../server/workers/trading/market/series-follower.ts';
import type { InstrumentInfo, Markets, SeriesQuery } from '../../venues/port.ts';
import { openedForEachTest } from '../support/opened.ts';
import { type Deployed, draw, openRunnerWorld } from './support.ts';

const MINUTE_MS = 60_000;
const tokenOf = (index: number) => `KXQ-${index}:yes`;
const [FIRST, SECOND, THIRD] = [tokenOf(1), tokenOf(2), tokenOf(3)] as const;

const world = openedForEachTest(openRunnerWorld);
let nowMs: number;

beforeEach(() => {
  nowMs = Date.now();
  world.market.clock = () => nowMs;
  list(1);
  list(2);
});

/** Lists a market of the series, open from now on. */
function list(index: number, terms: Partial<InstrumentInfo> = {}): void {
  const tokenId = tokenOf(index);
  world.market.list(tokenId, {
    venue: 'venue-a',
    kind: 'outcome',
    market: `KXQ-${index}`,
    series: 'KXQ',
    outcome: 'yes',
    stepSize: '1',
    minSize: '1',
    minNotional: null,
    opensAt: new Date(nowMs - 60_000 + index).toISOString(),
    closesAt: new Date(nowMs + 15 * MINUTE_MS).toISOString(),
    ...terms,
  });
  world.market.quote(tokenId, { bid: '0.4', ask: '0.41', last: '0.4' });
}
const close = (tokenId: string) => world.market.quote(tokenId, { marketStatus: 'closed' });

const GRAPH = draw(
  {
    ask: { type: 'market.price', config: { instrument: { parameter: 'markets' } as never, field: 'ask' } },
    most: { type: 'constant', config: { value: 0.5 } },
    cheap: { type: 'compare', config: { op: 'lt' }, inputs: { a: 'ask', b: 'most' } },
    amount: { type: 'constant', config: { value: 10 } },
    buy: {
      type: 'order',
      config: {
        instrument: { parameter: 'markets' } as never,
        side: 'buy',
        type: 'market',
        ifTrueAtDeploy: 'fire',
      },
      inputs: { when: 'cheap', amount: 'amount' },
    },
  },
  { markets: { value: { series: 'KXQ', venue: 'venue-a', outcome: 'yes' } } },
);

async function deploy(rules: RiskRulesPatch = {}, visual: Json = GRAPH): Promise<Deployed> {
  const accountId = await world.account(rules);
  const work = world.workOf(accountId);
  const { id: blueprintId } = await createBlueprint(work, { name: 'Series', visual });
  const row = await deployBlueprint(work, blueprintId, { market: world.market, shardCount: 4 });
  return { accountId, blueprintId, deploymentId: row.deployment_id ?? '' };
}
const deployment = ({ deploymentId }: Deployed) =>
  world.db.selectFrom('deployment').selectAll().where('id', '=', deploymentId).executeTakeFirstOrThrow();
const membersOf = async (deployed: Deployed) => (await deployment(deployed)).members;
const changesOf = ({ blueprintId }: Deployed, what = 'members_changed') =>
  world.db
    .selectFrom('audit_event')
    .select(['actor', 'before', 'after'])
    .where('subject_id', '=', blueprintId)
    .where('action', '=', `blueprint.${what}`)
    .execute();
const follower = () => new SeriesFollower('venue-a', contextOf(world.options()), new LogOnce(world.log));
async function follow(): Promise<void> {
  nowMs += MINUTE_MS;
  await follower().follow();
}

describe('a deployment of a series', () => {
  test('begins with its open markets; one that closed leaves, one that opened joins, and both are in the trail', async () => {
    const deployed = await deploy();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND] });
    close(FIRST);
    list(3);
    await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [SECOND, THIRD] });
    expect(await deployment(deployed)).toMatchObject({
      token_ids: expect.arrayContaining([SECOND, THIRD]),
      ended_at: null,
      release_number: 1,
    });
    expect((await deployment(deployed)).token_ids).not.toContain(FIRST);
    expect(await changesOf(deployed)).toEqual([
      expect.objectContaining({
        actor: 'system',
        after: expect.objectContaining({ members: { markets: [SECOND, THIRD] } }),
      }),
    ]);
    await follow();
    expect(await changesOf(deployed)).toHaveLength(1);
  });

  test('buys of a market that opened, keeps a closed one that it holds, and what stays continues', async () => {
    const deployed = await deploy();
    const feed = world.feed('venue-a');
    const runner = world.runner();
    const step = async () => {
      await feed.poll();
      await runner.tick();
      await world.fillQueued();
    };
    await step();
    await step();
    const bought = () =>
      world.db
        .selectFrom('trade_order')
        .select(['token_id', 'node_id', 'deployment_id'])
        .where('blueprint_id', '=', deployed.blueprintId)
        .orderBy('token_id')
        .execute();
    expect((await bought()).map(({ token_id }) => token_id)).toEqual([FIRST, SECOND]);
    close(FIRST);
    list(3);
    await follow();
    await step();
    await step();
    // Held markets stay members, and no node of one that stayed fires again.
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND, THIRD] });
    const orders = await bought();
    expect(orders.map(({ token_id }) => token_id)).toEqual([FIRST, SECOND, THIRD]);
    expect(new Set(orders.map(({ deployment_id }) => deployment_id))).toEqual(
      new Set([deployed.deploymentId]),
    );
  });

  test.each([
    ['queued', {}],
    ['pending', { requireApprovalAbove: 1 }],
  ])('keeps a closed market while it has a %s order', async (status, rules) => {
    const deployed = await deploy(rules);
    await world.feed('venue-a').poll();
    const runner = world.runner();
    for (let ticks = 0; ticks < 2; ticks += 1) await runner.tick();
    const [order] = await world.orders(deployed);
    expect(order).toMatchObject({ token_id: FIRST, status });
    close(FIRST);
    await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND] });
    await cancelOrder(world.workOf(deployed.accountId), order?.id ?? '');
    await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [SECOND] });
  });

  test('begins again with what the blueprint still holds, also of a market that closed', async () => {
    const deployed = await deploy();
    const feed = world.feed('venue-a');
    const runner = world.runner();
    for (let steps = 0; steps < 2; steps += 1) {
      await feed.poll();
      await runner.tick();
      await world.fillQueued();
    }
    close(FIRST);
    await follow();
    await world.stop(deployed);
    const work = world.workOf(deployed.accountId);
    const options = { market: world.market, shardCount: 4 };
    const row = await deployBlueprint(work, deployed.blueprintId, options);
    await follow();
    expect(await membersOf({ ...deployed, deploymentId: row.deployment_id ?? '' })).toEqual({
      markets: [SECOND, FIRST],
    });
  });

  test('keeps its markets if a new one cannot be traded, continues, and the trail says why, once', async () => {
    const deployed = await deploy();
    list(3, { quoteCurrency: 'MANA', tradable: false });
    for (let rounds = 0; rounds < 2; rounds += 1) await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND] });
    const { deploymentId } = deployed;
    const reason = expect.stringContaining(THIRD);
    expect(await changesOf(deployed, 'members_kept')).toEqual([
      { actor: 'system', before: null, after: { deploymentId, reason } },
    ]);
  });

  test('keeps its markets if more are open than a list takes, and the trail says so', async () => {
    const deployed = await deploy();
    for (let index = 3; index <= 51; index += 1) list(index);
    await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND] });
    const after = expect.objectContaining({
      reason: expect.stringContaining('more open and held markets than the 50'),
    });
    expect(await changesOf(deployed, 'members_kept')).toEqual([expect.objectContaining({ after })]);
    close(FIRST);
    await follow();
    expect(await membersOf(deployed)).toMatchObject({ markets: { length: 50 } });
  });

  test('of two lists follows the one that can', async () => {
    list(60, { series: 'KXR', market: 'KXR-60' });
    const parameters = {
      ...GRAPH.parameters,
      others: { value: { series: 'KXR', venue: 'venue-a', outcome: 'yes' } },
    };
    const deployed = await deploy({}, { ...GRAPH, parameters });
    for (let index = 3; index <= 51; index += 1) list(index);
    list(61, { series: 'KXR', market: 'KXR-61' });
    await follow();
    expect(await membersOf(deployed)).toEqual({
      markets: [FIRST, SECOND],
      others: [tokenOf(60), tokenOf(61)],
    });
  });

  test('keeps its markets while the venue is down, and while none is open', async () => {
    const deployed = await deploy();
    world.market.isDown = true;
    list(3);
    await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND] });
    world.market.isDown = false;
    for (const tokenId of [FIRST, SECOND, THIRD]) close(tokenId);
    await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND] });
  });

  test('changes once if two processes notice at the same time', async () => {
    const deployed = await deploy();
    list(3);
    nowMs += MINUTE_MS;
    await Promise.all([follower().follow(), follower().follow()]);
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND, THIRD] });
    expect(await changesOf(deployed)).toHaveLength(1);
  });

  test('of many ends its round soon when the process stops', async () => {
    const deployed = await deploy();
    list(3);
    nowMs += MINUTE_MS;
    const at = world.market.at;
    const stopping = follower();
    let requests = 0;
    const seriesMarkets = async (query: SeriesQuery) => {
      requests += 1;
      void stopping.stop();
      return (at() as Markets).seriesMarkets(query);
    };
    Object.assign(world.market, { at: () => ({ seriesMarkets }) });
    await stopping.follow();
    expect(requests).toBe(1);
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND] });
    await follower().follow();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND, THIRD] });
  });

  test('that is in error follows on, and is not announced as failed again', async () => {
    const deployed = await deploy();
    await failDeployment(world.workOf(deployed.accountId), deployed.deploymentId, 'A test broke it.');
    list(3);
    await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND, THIRD] });
    const events = await world.db
      .selectFrom('account_event')
      .select(['type', 'mode', 'payload'])
      .where('account_id', '=', deployed.accountId)
      .where('type', '=', 'blueprint.changed')
      .execute();
    const notices = events.map(noticeOf);
    expect(notices.filter((notice) => notice?.kind === 'blueprint.error')).toHaveLength(1);
  });

  test('that was stopped meanwhile stays as it ended', async () => {
    const deployed = await deploy();
    list(3);
    nowMs += MINUTE_MS;
    await world.stop(deployed);
    const work = world.workOf(deployed.accountId);
    expect(await followSeries(work, deployed.deploymentId, nowMs)).toBe(false);
    await follow();
    expect(await membersOf(deployed)).toEqual({ markets: [FIRST, SECOND] });
    expect(await changesOf(deployed)).toEqual([]);
  });
});

test('a market that was recorded before it took orders opens, though nothing polls its quotes', async () => {
  const statusOf = async () =>
    (
      await world.db
        .selectFrom('instrument')
        .select('status')
        .where('token_id', '=', THIRD)
        .executeTakeFirstOrThrow()
    ).status;
  await deploy();
  list(3);
  world.market.quote(THIRD, { marketStatus: 'paused' });
  await follow();
  expect(await statusOf()).toBe('paused');
  world.market.quote(THIRD, { marketStatus: 'open' });
  await follow();
  expect(await statusOf()).toBe('open');
});

test('a series without an open market cannot be deployed, and the issue is at its parameter', async () => {
  for (const tokenId of [FIRST, SECOND]) close(tokenId);
  await expect(deploy()).rejects.toMatchObject({
    code: 'blueprint_invalid',
    issues: [{ path: '/visual/parameters/markets/value', code: 'series_empty' }],
  });
});

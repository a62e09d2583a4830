import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileReplacement, redeployCompiled } from '../../engine/usecases/blueprints/running/redeploy.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

type View = { id: string; status: string; deploymentId: string | null; visual: unknown; name: string };

const constant = (value: number) => ({
  nodes: [{ id: 'one', type: 'constant', data: { config: { value } } }],
  edges: [],
});

describe('redeploy', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  async function running(account: Account, visual: object = constant(1)): Promise<View> {
    const made = (await account.http('POST', '/api/blueprints', { name: 'Runs', visual })).body as View;
    return (await account.http('POST', `/api/blueprints/${made.id}/deploy`)).body as View;
  }
  const redeploy = (account: Account, id: string, body: object, headers = {}) =>
    account.http('POST', `/api/blueprints/${id}/redeploy`, body, headers);
  const read = async (account: Account, id: string) => {
    const { body, headers } = await account.http('GET', `/api/blueprints/${id}`);
    return { view: body as View, etag: headers.get('etag') ?? '' };
  };

  test('the next deployment begins at the instant at which the last one ends', async () => {
    const account = await world.account();
    const before = await running(account);
    const { status, body } = await redeploy(account, before.id, { visual: constant(2), name: 'Renamed' });
    expect([status, body]).toMatchObject([
      200,
      { status: 'running', name: 'Renamed', visual: constant(2), deploymentId: expect.any(String) },
    ]);
    const rows = await account.work.db
      .selectFrom('deployment')
      .select(['id', 'started_at', 'ended_at', 'release_number'])
      .where('account_id', '=', account.accountId)
      .where('blueprint_id', '=', before.id)
      .orderBy('release_number')
      .execute();
    expect(rows.map(({ id, release_number }) => [id, release_number])).toEqual([
      [before.deploymentId, 1],
      [(body as View).deploymentId, 2],
    ]);
    expect(rows[0]?.ended_at).toEqual(rows[1]?.started_at);
    expect(rows[1]?.ended_at).toBeNull();
  });

  test('a blueprint that runs the graph keeps its deployment, renamed or not', async () => {
    const account = await world.account();
    const { id, deploymentId } = await running(account);
    for (const body of [{ visual: constant(1) }, { visual: constant(1), name: 'Other' }])
      expect((await redeploy(account, id, body)).body).toMatchObject({ status: 'running', deploymentId });
    expect((await read(account, id)).view.name).toBe('Other');
  });

  test.each(['draft', 'stopped'])('runs the graph of a blueprint that is %s', async (status) => {
    const account = await world.account();
    const { id } = (await account.http('POST', '/api/blueprints', { name: 'New' })).body as View;
    if (status === 'stopped') {
      await account.http('POST', `/api/blueprints/${id}/deploy`);
      await account.http('POST', `/api/blueprints/${id}/stop`);
    }
    expect((await redeploy(account, id, { visual: constant(3) })).body).toMatchObject({
      status: 'running',
      visual: constant(3),
    });
  });

  test('a refusal leaves the last deployment and its graph: 412, 400 without a graph, 400 for one that cannot run', async () => {
    const account = await world.account();
    const { id } = await running(account);
    const before = await read(account, id);
    const broken = { nodes: [{ id: 'one', type: 'nothing', data: { config: {} } }], edges: [] };
    const stale = await redeploy(account, id, { visual: constant(2) }, { 'if-match': '"v0"' });
    expect([stale.status, stale.body]).toMatchObject([412, { error: { code: 'precondition_failed' } }]);
    const missing = await redeploy(account, id, { name: 'No graph' });
    expect([missing.status, missing.body]).toMatchObject([400, { error: { code: 'validation_failed' } }]);
    const nodeless = await redeploy(account, id, { visual: { graph: constant(2) } });
    expect([nodeless.status, nodeless.body]).toMatchObject([400, { error: { code: 'validation_failed' } }]);
    const invalid = await redeploy(account, id, { visual: broken });
    expect([invalid.status, invalid.body]).toMatchObject([400, { error: { code: 'blueprint_invalid' } }]);
    expect(await read(account, id)).toEqual(before);
  });

  test('actions do not act again on a condition that was true before, and a trailing stop keeps its peak', async () => {
    const account = await world.account();
    const { id, deploymentId } = await running(account);
    const visual = {
      nodes: [
        { id: 'one', type: 'signal', data: { config: { name: 'tv' } } },
        { id: 'say', type: 'notify', data: { config: { text: 'on' } } },
      ],
      edges: [{ source: 'one', sourceHandle: 'out', target: 'say', targetHandle: 'when' }],
    };
    const nodes = {
      say: { last: true, spent: 'triggered', n: 3 },
      one: { last: true },
      gone: { last: true },
    };
    const memory = { startedAt: 5, candles: { some: 7 }, nodes };
    await world.db
      .updateTable('deployment_state')
      .set({ memory: JSON.stringify(memory) })
      .where('deployment_id', '=', deploymentId ?? '')
      .execute();
    const next = (await redeploy(account, id, { visual })).body as View;
    const state = await account.work.db
      .selectFrom('deployment_state')
      .select('memory')
      .where('account_id', '=', account.accountId)
      .where('deployment_id', '=', next.deploymentId ?? '')
      .executeTakeFirstOrThrow();
    expect(state.memory).toEqual({
      startedAt: 5,
      candles: {},
      nodes: { say: { last: true, spent: 'triggered' } },
    });
  });

  test('an action that turns into one of a list is not run without its memory, only after a stop', async () => {
    const account = await world.account();
    const exitOf = (instrument: unknown) => ({
      parameters: { coins: { value: ['BTCUSDT', 'ETHUSDT'] } },
      nodes: [{ id: 'stop', type: 'exit', data: { config: { instrument, trailing: 0.1 } } }],
      edges: [],
    });
    const { id, deploymentId } = await running(account, exitOf('BTCUSDT'));
    await world.db
      .updateTable('deployment_state')
      .set({ memory: JSON.stringify({ startedAt: 5, candles: {}, nodes: { stop: { peak: 7 } } }) })
      .where('deployment_id', '=', deploymentId ?? '')
      .execute();
    const visual = exitOf({ parameter: 'coins' });
    const { body } = await account.http('POST', `/api/blueprints/${id}/validate`, { visual });
    expect(body).toMatchObject({ valid: true });
    expect((body as { issues: { code: string }[] }).issues.map(({ code }) => code)).toContain('memory_lost');
    const before = await read(account, id);
    const refused = await redeploy(account, id, { visual });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'invalid_state' } } });
    expect(await read(account, id)).toEqual(before);
    await account.http('POST', `/api/blueprints/${id}/stop`);
    expect(await redeploy(account, id, { visual })).toMatchObject({
      status: 200,
      body: { status: 'running' },
    });
  });

  test('403: a key that may deploy and not write', async () => {
    const deployer = await world.account('blueprints:deploy', 'blueprints:read');
    expect(
      await redeploy(deployer, '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01', { visual: constant(2) }),
    ).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_scope' } },
    });
  });

  describe('with parameters', () => {
    const tunable = {
      nodes: [
        { id: 'level', type: 'constant', data: { config: { value: { parameter: 'level' } } } },
        { id: 'price', type: 'crypto.price', data: { config: { symbol: { parameter: 'coin' } } } },
      ],
      edges: [],
      parameters: {
        level: { value: 5, min: 1, max: 9, unit: 'USD' },
        coin: { value: 'BTCUSDT' },
      },
    };
    const withLevel = (value: number) => ({
      ...tunable,
      parameters: { ...tunable.parameters, level: { ...tunable.parameters.level, value } },
    });

    test('runs the stored graph with other values as the next release; draft, release and trail have them', async () => {
      const account = await world.account();
      const before = await running(account, tunable);
      const { status, body } = await redeploy(account, before.id, { parameters: { level: 7 } });
      expect([status, body]).toMatchObject([200, { status: 'running', visual: withLevel(7) }]);
      expect((body as View).deploymentId).not.toBe(before.deploymentId);
      expect((await read(account, before.id)).view.visual).toEqual(withLevel(7));
      const same = (await redeploy(account, before.id, { parameters: { level: 7 } })).body as View;
      expect(same.deploymentId).toBe((body as View).deploymentId);
    });

    test.each<[string, Record<string, unknown>, string, string]>([
      ['a parameter the graph lacks', { slow: 1 }, '/parameters/slow', 'is no parameter'],
      ['a name of every object', { toString: 1 }, '/parameters/toString', 'is no parameter'],
      ['a text in place of a number', { level: '7' }, '/parameters/level', 'takes a number, not a text'],
      ['a list in place of a text', { coin: ['BTCUSDT'] }, '/parameters/coin', 'takes a text, not a list'],
      ['null', { level: null }, '/parameters/level', ''],
      ['nothing at all', {}, '/parameters', 'names no parameter'],
      ['only what is no name', JSON.parse('{"__proto__": 5}'), '/parameters', 'names no parameter'],
      ['a value beyond its bounds', { level: 10 }, '/parameters/level', ''],
    ])('400: %s, by its path, and the deployment continues', async (_what, parameters, path, words) => {
      const account = await world.account();
      const { id, deploymentId } = await running(account, tunable);
      const { status, body } = await redeploy(account, id, { parameters });
      expect(status).toBe(400);
      const { issues } = (body as { error: { issues: { path: string; message: string }[] } }).error;
      expect(issues[0]).toMatchObject({
        path: expect.stringContaining(path),
        message: expect.stringContaining(words),
      });
      expect((await read(account, id)).view).toMatchObject({ deploymentId, visual: tunable });
    });

    test('412: never overwrites an edit that came between reading the graph and running it', async () => {
      const account = await world.account();
      const { id } = (await account.http('POST', '/api/blueprints', { name: 'New', visual: tunable }))
        .body as View;
      const options = { market: world.market, shardCount: 1 };
      const compiled = await compileReplacement(
        account.work,
        id,
        { visual: undefined, parameters: { level: 2 } },
        options,
      );
      await account.http('PUT', `/api/blueprints/${id}`, { visual: withLevel(3) });
      await expect(redeployCompiled(account.work, id, compiled, options)).rejects.toMatchObject({
        code: 'precondition_failed',
      });
      expect((await read(account, id)).view).toMatchObject({ status: 'draft', visual: withLevel(3) });
    });

    test('sets them in a graph that is sent, too', async () => {
      const account = await world.account();
      const { id } = await running(account);
      const { body } = await redeploy(account, id, {
        visual: tunable,
        parameters: { level: 9, coin: 'ETHUSDT' },
      });
      expect((body as View).visual).toMatchObject({
        parameters: { level: { value: 9, max: 9 }, coin: { value: 'ETHUSDT' } },
      });
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { failDeployment } from '../../engine/usecases/blueprints/running/fail.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

type View = {
  id: string;
  status: string;
  deploymentId: string | null;
  error: string | null;
  nodeStates: unknown;
};

describe('the life of a blueprint', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  async function draft(
    visual: null | object = null,
  ): Promise<{ account: Account; id: string; path: string }> {
    const account = await world.account();
    const { id } = await createBlueprint(account.work, { name: 'Life', visual: visual as null });
    return { account, id, path: `/api/blueprints/${id}` };
  }

  const post = async ({ account, path }: Awaited<ReturnType<typeof draft>>, action: string) => {
    const { status, body } = await account.http('POST', `${path}/${action}`);
    return { status, view: body as View, code: (body as { error?: { code: string } }).error?.code };
  };

  test('deploy after a stop starts a new deployment', async () => {
    const blueprint = await draft();
    const first = await post(blueprint, 'deploy');
    await post(blueprint, 'stop');
    const second = await post(blueprint, 'deploy');
    expect(second.view.deploymentId).not.toBe(first.view.deploymentId);
  });

  test('error: entries halt, the deployment lives on, deploy clears it', async () => {
    const blueprint = await draft();
    const { view } = await post(blueprint, 'deploy');
    await failDeployment(
      blueprint.account.work,
      view.deploymentId ?? '',
      'Node "x" failed: fix it and deploy again.',
    );
    const { body: failed } = await blueprint.account.http('GET', blueprint.path);
    expect(failed).toMatchObject({ status: 'error', error: expect.stringContaining('fix it') });
    const again = await post(blueprint, 'deploy');
    expect(again).toMatchObject({ status: 200, view: { status: 'running', error: null } });
  });

  test('stop all: every blueprint that runs or has failed, in one answer', async () => {
    const account = await world.account();
    for (const name of ['a', 'b', 'c']) {
      const { id } = await createBlueprint(account.work, { name });
      const { body } = await account.http('POST', `/api/blueprints/${id}/deploy`);
      if (name === 'c') await failDeployment(account.work, (body as View).deploymentId ?? '', 'It failed.');
    }
    expect((await account.http('POST', '/api/blueprints/stop')).body).toEqual({ stopped: 3 });
    const { body } = await account.http('GET', '/api/blueprints');
    expect((body as View[]).map(({ status }) => status)).toEqual(['stopped', 'stopped', 'stopped']);
    expect((await account.http('POST', '/api/blueprints/stop')).body).toEqual({ stopped: 0 });
  });

  test('an instrument of the release is in use while it runs, even if only its candles are read', async () => {
    const blueprint = await draft({
      nodes: [
        { id: 'close', type: 'crypto.candle', data: { config: { symbol: 'ETHUSDT', interval: '1h' } } },
      ],
      edges: [],
    });
    await post(blueprint, 'deploy');
    const { token_ids } = await world.db
      .selectFrom('deployment')
      .select('token_ids')
      .where('blueprint_id', '=', blueprint.id)
      .executeTakeFirstOrThrow();
    expect(token_ids).toEqual(['ETHUSDT']);
  });

  test('deploys, stops, edits and deletes that race leave a legal state and at most one live deployment', async () => {
    for (let round = 0; round < 15; round++) {
      const { account, id, path } = await draft();
      const answers = await Promise.all([
        ...['deploy', 'stop', 'deploy', 'stop', 'deploy'].map((action) =>
          account.http('POST', `${path}/${action}`),
        ),
        account.http('PUT', path, { visual: { nodes: [], edges: [], round } }),
        account.http('PUT', path, { name: `Round ${round}` }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => ![200, 403].includes(status))).toEqual(
        [],
      );
      const { body } = await account.http('GET', path);
      const live = await world.db
        .selectFrom('deployment')
        .select('id')
        .where('account_id', '=', account.accountId)
        .where('blueprint_id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
      const { status, deploymentId } = body as View;
      expect(live.map((deployment) => deployment.id)).toEqual(status === 'running' ? [deploymentId] : []);
    }
  });

  test('403: concurrent creates do not exceed the quota of 200', async () => {
    const account = await world.account();
    for (let made = 0; made < 195; made++) await createBlueprint(account.work, { name: `${made}` });
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        account.http('POST', '/api/blueprints', { name: `late ${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    expect((await account.http('GET', '/api/blueprints')).body).toHaveLength(200);
  });
});

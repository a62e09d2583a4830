import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { updateBlueprint } from '../../engine/usecases/blueprints/drafts/update.ts';
import { readNodeLabels } from '../../engine/usecases/blueprints/releases/node-labels.ts';
import { RELEASES_MAX } from '../../engine/usecases/blueprints/releases/releases.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { stopBlueprint } from '../../engine/usecases/blueprints/running/stop.ts';
import { openWorld, type World } from '../support/world.ts';

describe('releases', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const graphWith = (label: string) => ({ nodes: [{ id: 'n', type: 'note', data: { label } }], edges: [] });
  const options = () => ({ market: world.market, shardCount: 16 });

  test('200: every deploy stores a numbered release, newest first, with the user who deployed it', async () => {
    const { http, work, keyId } = await world.account();
    const { id } = await createBlueprint(work, { name: 'Numbered', visual: graphWith('one') });
    await http('POST', `/api/blueprints/${id}/deploy`);
    await http('POST', `/api/blueprints/${id}/stop`);
    await http('PUT', `/api/blueprints/${id}`, { visual: graphWith('two') });
    await http('POST', `/api/blueprints/${id}/deploy`);
    const { body } = await http('GET', `/api/blueprints/${id}/releases`);
    expect(body).toMatchObject([
      { number: 2, name: 'Numbered', deployedBy: `key:${keyId}` },
      { number: 1, name: 'Numbered', deployedBy: `key:${keyId}` },
    ]);
    const first = await http('GET', `/api/blueprints/${id}/releases/1`);
    expect(first.body).toMatchObject({ number: 1, visual: graphWith('one') });
  });

  test('200: restore copies a release into the draft and leaves the release unchanged', async () => {
    const { http, work } = await world.account();
    const { id } = await createBlueprint(work, { name: 'Restored', visual: graphWith('good') });
    await deployBlueprint(work, id, options());
    await stopBlueprint(work, id);
    await updateBlueprint(work, id, { visual: graphWith('bad') });
    const restored = await http('POST', `/api/blueprints/${id}/releases/1/restore`);
    expect(restored.body).toMatchObject({ id, status: 'stopped', visual: graphWith('good') });
    expect((await http('GET', `/api/blueprints/${id}/releases`)).body).toHaveLength(1);
  });

  test('a node has the label of its release, in its account alone; a node of a list with its instrument', async () => {
    const { work } = await world.account();
    const { work: stranger } = await world.account();
    const labels = [
      ['buy', ' Buy 60 USD '],
      ['a/b', 'x'.repeat(90)],
      ['blank', ' '],
      ['number', 7],
    ] as const;
    const nodes = labels.map(([id, label]) => ({ id, type: 'note', data: { label } }));
    const { id: blueprintId } = await createBlueprint(work, { name: 'First', visual: { nodes, edges: [] } });
    await deployBlueprint(work, blueprintId, options());
    await stopBlueprint(work, blueprintId);
    await updateBlueprint(work, blueprintId, { visual: graphWith('later') });
    await deployBlueprint(work, blueprintId, options());
    const ids = ['buy', 'buy/BTCUSDT', 'a/b', 'blank', 'number', 'gone', 'n', null];
    const of = [1, 2, null].flatMap((releaseNumber) =>
      ids.map((nodeId) => ({ blueprintId, releaseNumber, nodeId })),
    );
    const labelOf = await readNodeLabels(work, of);
    const found = (number: number | null) =>
      of.filter(({ releaseNumber }) => releaseNumber === number).map(labelOf);
    const none = Array(5).fill(null);
    expect(found(1)).toEqual(['Buy 60 USD', 'Buy 60 USD/BTCUSDT', 'x'.repeat(60), ...none]);
    expect(found(2)).toEqual([null, ...none, 'later', null]);
    expect(found(null)).toEqual(Array(8).fill(null));
    expect(of.map(await readNodeLabels(stranger, of))).toEqual(Array(24).fill(null));
  });

  test('modules are stored with their release; their nodes are validated, run, explained and named with their use', async () => {
    const { http, work } = await world.account();
    const port = (id: string, kind: string) => ({
      id,
      type: `module.${kind}`,
      data: { config: { kind: 'number' } },
    });
    const size = { id: 'size', type: 'math', data: { label: 'Size', config: { op: 'abs' } } };
    const visual = {
      nodes: [
        { id: 'one', type: 'constant', data: { config: { value: 7 } } },
        { id: 'use', type: 'module.part', data: { label: 'First' } },
      ],
      edges: [{ source: 'one', target: 'use', targetHandle: 'in' }],
      modules: {
        part: {
          nodes: [port('in', 'input'), size, port('out', 'output')],
          edges: [
            { source: 'in', target: 'size', targetHandle: 'a' },
            { source: 'size', target: 'out' },
          ],
        },
      },
    };
    const { body: created } = await http('POST', '/api/blueprints', { name: 'Modular', visual });
    const blueprintId = String(Object(created).id);
    const alone = { ...visual, edges: [] };
    expect(
      (await http('POST', `/api/blueprints/${blueprintId}/validate`, { visual: alone })).body,
    ).toMatchObject({
      valid: false,
      issues: expect.arrayContaining([expect.objectContaining({ code: 'missing_input', path: '/nodes/1' })]),
    });
    expect((await http('POST', `/api/blueprints/${blueprintId}/deploy`)).status).toBe(200);
    expect((await http('GET', `/api/blueprints/${blueprintId}/releases/1`)).body).toMatchObject({ visual });
    expect((await http('POST', `/api/blueprints/${blueprintId}/explain`, {})).body).toEqual({
      sentences: [],
    });
    const of = ['use', 'use/size', 'use/gone'].map((nodeId) => ({ blueprintId, releaseNumber: 1, nodeId }));
    expect(of.map(await readNodeLabels(work, of))).toEqual(['First', 'First › Size', 'First/gone']);
  });

  test('403: restore over a running blueprint', async () => {
    const { http, work } = await world.account();
    const { id } = await createBlueprint(work, { name: 'Busy', visual: graphWith('x') });
    await deployBlueprint(work, id, options());
    const refused = await http('POST', `/api/blueprints/${id}/releases/1/restore`);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'blueprint_running' } } });
  });

  test('404: a release that does not exist; 400: a number that is invalid', async () => {
    const { http, work } = await world.account();
    const { id } = await createBlueprint(work, { name: 'Empty' });
    expect((await http('GET', `/api/blueprints/${id}/releases/7`)).status).toBe(404);
    for (const n of ['0', '-1', '1.5', 'x', '01']) {
      expect((await http('GET', `/api/blueprints/${id}/releases/${n}`)).status).toBe(400);
    }
  });

  test('equal graphs of an account share one body', async () => {
    const { work } = await world.account();
    for (const name of ['a', 'b']) {
      const { id } = await createBlueprint(work, { name, visual: graphWith('same') });
      await deployBlueprint(work, id, options());
    }
    const bodies = await world.db
      .selectFrom('release_body')
      .select('hash')
      .where('account_id', '=', work.accountId)
      .execute();
    expect(bodies).toHaveLength(1);
  });

  test('the newest 200 are stored; older ones without orders are deleted with their graphs', {
    tags: ['long'],
  }, async () => {
    const { work } = await world.account();
    const { id } = await createBlueprint(work, { name: 'Old', visual: graphWith('first') });
    await deployBlueprint(work, id, options());
    await stopBlueprint(work, id);
    await updateBlueprint(work, id, { visual: graphWith('rest') });
    for (let deploy = 0; deploy < RELEASES_MAX; deploy++) {
      await deployBlueprint(work, id, options());
      await stopBlueprint(work, id);
    }
    const releases = await world.db
      .selectFrom('release')
      .select('number')
      .where('account_id', '=', work.accountId)
      .orderBy('number')
      .execute();
    expect(releases).toHaveLength(RELEASES_MAX);
    expect(releases[0]?.number).toBe(2);
    const bodies = await world.db
      .selectFrom('release_body')
      .select('visual')
      .where('account_id', '=', work.accountId)
      .execute();
    expect(bodies.map(({ visual }) => visual)).toEqual([graphWith('rest')]);
  });

  test('the database refuses to change a release', async () => {
    const { work } = await world.account();
    const { id } = await createBlueprint(work, { name: 'Frozen' });
    await deployBlueprint(work, id, options());
    await expect(
      world.db.updateTable('release').set({ name: 'Melted' }).where('blueprint_id', '=', id).execute(),
    ).rejects.toThrow('cannot be changed');
  });
});

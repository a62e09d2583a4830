import { describe, expect, test } from 'vitest';
import type { Json } from '../../db/json.ts';
import { openedForFile } from '../support/opened.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const drawing = (disabled?: Json): Json => ({
  nodes: [
    {
      id: 'one',
      type: 'constant',
      data: { config: { value: 1 }, ...(disabled !== undefined && { disabled }) },
    },
    { id: 'two', type: 'math', data: { config: { op: 'abs' } } },
  ],
  edges: [{ source: 'one', target: 'two' }],
});

describe('a step that is switched off, over HTTP', () => {
  test('is a warning of validate, deploys, and is part of the release that is restored and copied', async () => {
    const { http } = await world.account();
    const created = await http('POST', '/api/blueprints', { name: 'Off', visual: drawing(true) });
    const { id } = created.body as { id: string };
    const checked = await http('POST', `/api/blueprints/${id}/validate`);
    expect(checked.body).toMatchObject({
      valid: true,
      issues: [{ nodeId: 'one', path: '/nodes/0', code: 'switched_off', severity: 'warning' }],
    });
    expect((await http('POST', `/api/blueprints/${id}/deploy`)).status).toBe(200);
    await http('POST', `/api/blueprints/${id}/stop`);
    await http('PUT', `/api/blueprints/${id}`, { visual: drawing() });
    await http('POST', `/api/blueprints/${id}/deploy`);
    await http('POST', `/api/blueprints/${id}/stop`);
    const visuals = await Promise.all(
      [1, 2].map(async (n) => (await http('GET', `/api/blueprints/${id}/releases/${n}`)).body),
    );
    expect(visuals).toMatchObject([{ visual: drawing(true) }, { visual: drawing() }]);
    const restored = await http('POST', `/api/blueprints/${id}/releases/1/restore`);
    expect(restored.body).toMatchObject({ visual: drawing(true) });
    const copy = await http('POST', '/api/blueprints', {
      name: 'Copy',
      visual: (restored.body as { visual: Json }).visual,
    });
    expect(copy.body).toMatchObject({ visual: drawing(true) });
  });

  test.each([['yes'], [1], [{ on: false }]])(
    '400: %j says neither on nor off, and is not deployed',
    async (disabled) => {
      const { http } = await world.account();
      const created = await http('POST', '/api/blueprints', { name: 'Odd', visual: drawing(disabled) });
      const { id } = created.body as { id: string };
      const refused = await http('POST', `/api/blueprints/${id}/deploy`);
      expect(refused).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'blueprint_invalid',
            issues: [{ code: 'not_a_switch', path: '/visual/nodes/0/data/disabled' }],
          },
        },
      });
    },
  );
});

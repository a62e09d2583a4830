import { expect, test } from 'vitest';
import type { Json } from '../../db/json.ts';
import { updateBlueprint } from '../../engine/usecases/blueprints/drafts/update.ts';
import { openedForEachTest } from '../support/opened.ts';
import { buyAbove, draw } from './support.ts';
import { openTimedWorld } from './timed.ts';

const world = openedForEachTest(openTimedWorld);

/** The graph with one of its steps switched off. */
function without(id: string) {
  const { nodes, edges } = draw(buyAbove(100)) as {
    nodes: { id: string; data: Record<string, Json> }[];
    edges: Json;
  };
  return {
    nodes: nodes.map((node) => (node.id === id ? { ...node, data: { ...node.data, disabled: true } } : node)),
    edges,
  };
}

test('an order that depends on a step that is switched off is not placed until a release turns the step on again', async () => {
  const accountId = await world.account();
  const blueprintId = await world.draft(accountId, buyAbove(100));
  await updateBlueprint(world.workOf(accountId), blueprintId, { visual: without('above') });
  const off = await world.redeploy({ accountId, blueprintId });
  await world.at('101');
  expect(await world.made(off)).toEqual([]);
  expect(await world.node(off, 'price')).toMatchObject({ status: 'ok', value: 101 });
  for (const id of ['above', 'buy'])
    expect(await world.node(off, id)).toMatchObject({ status: 'idle', reason: { code: 'switched_off' } });

  await world.stop(off);
  await updateBlueprint(world.workOf(accountId), blueprintId, { visual: draw(buyAbove(100)) });
  const on = await world.redeploy({ accountId, blueprintId });
  await world.at('102');
  expect(await world.made(on)).toEqual([['buy', 'queued']]);
});

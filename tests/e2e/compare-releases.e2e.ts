import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { buysAtOnce, deployed } from './support/strategies.ts';

/** The same graph with a larger amount, a gate switched off, one step removed and one added. */
function changed() {
  const { nodes, edges } = buysAtOnce(12);
  const remaining = nodes.filter(({ id }) => id !== 'floor');
  return {
    nodes: [
      ...remaining.map((node) =>
        node.id === 'above' ? { ...node, data: { ...node.data, disabled: true } } : node,
      ),
      { id: 'level', type: 'constant', position: { x: 0, y: 140 }, data: { config: { value: 2 } } },
    ],
    edges: edges.map((edge) => (edge.source === 'floor' ? { ...edge, source: 'level' } : edge)),
  };
}

test('two releases are on one canvas, each step with its change; a row of the list leads to its step; the draft is compared too', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  const { id } = await deployed(guest, buysAtOnce(10));
  const redraw = async (visual: object) => {
    await guest.api('POST', `/api/blueprints/${id}/stop`);
    await guest.api('PUT', `/api/blueprints/${id}`, { visual });
  };
  await redraw(changed());
  await guest.api('POST', `/api/blueprints/${id}/deploy`);
  await open(page, `/blueprints/${id}?tab=releases`);

  const panel = page.getByRole('region', { name: 'What changed' });
  expect(await panel.getByRole('combobox', { name: 'From' }).inputValue()).toBe('1');
  expect(await panel.getByRole('combobox', { name: 'To' }).inputValue()).toBe('2');
  const rows = panel.getByRole('complementary', { name: 'Changes' }).getByRole('listitem');
  await rows.first().waitFor();
  expect(await rows.allInnerTexts()).toEqual([
    'Compare changed\nSwitched off\n“b” connected with “Constant”\n“b” no longer connected with “Constant”',
    'Size changed\nNotional: 10 USD → 12 USD',
    'Constant added',
    'Constant removed',
  ]);
  const card = (node: string) => panel.locator(`[data-id=${node}] .node-card`);
  expect(await card('amount').innerText()).toContain('changed');
  expect(await card('level').innerText()).toContain('added');
  expect(await card('floor').innerText()).toContain('removed');
  expect(await card('price').innerText()).not.toMatch(/added|removed|changed|moved/);
  expect(await panel.locator('.react-flow__edge.added').count()).toBe(1);
  expect(await panel.locator('.react-flow__edge.removed').count()).toBe(1);

  await rows.filter({ hasText: 'Size' }).getByRole('button').click();
  await panel.locator('[data-id=amount] .node-card.selected').waitFor();

  await redraw(buysAtOnce(10));
  await open(page, `/blueprints/${id}?tab=releases`);
  await panel.getByRole('combobox', { name: 'To' }).selectOption('Draft');
  await panel.getByText('Nothing changed.').waitFor();
});

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { nodes, saved } from './support/editor.ts';
import { buysAtOnce, deployed, drafted } from './support/strategies.ts';

const visibleIds = (page: Page) =>
  nodes(page).evaluateAll((all) => all.map((node) => node.dataset['id']).sort());
type Stored = {
  visual: { nodes: { id: string; type: string }[]; modules?: Record<string, { nodes: object[] }> };
};

describe('a module', () => {
  test('is made of selected nodes, opened, edited in its place, and dissolved', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    const stored = () => guest.api<Stored>('GET', `/api/blueprints/${id}`);
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=above]').click();
    await page.locator('[data-id=amount]').click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: 'Make a module' }).click();
    await expect.poll(() => visibleIds(page)).toEqual(['buy', 'floor', 'part', 'price']);
    await saved(page);
    expect((await stored()).visual.modules?.['part']?.nodes).toHaveLength(6);
    expect(await guest.api('POST', `/api/blueprints/${id}/validate`, {})).toMatchObject({ valid: true });

    await page.getByRole('button', { name: 'Open the module' }).click();
    await expect.poll(() => visibleIds(page)).toEqual(expect.arrayContaining(['above', 'amount', 'out']));
    await page.locator('[data-id=above]').click();
    await page.getByLabel('Name', { exact: true }).fill('High');
    await page
      .getByRole('navigation', { name: 'Open modules' })
      .getByRole('button', { name: 'Strategy' })
      .click();
    await expect.poll(() => visibleIds(page)).toEqual(['buy', 'floor', 'part', 'price']);
    await saved(page);
    expect(JSON.stringify((await stored()).visual.modules)).toContain('"label":"High"');

    await page.locator('[data-id=part]').click();
    await page.getByRole('button', { name: 'Dissolve' }).click();
    await expect.poll(() => visibleIds(page)).toEqual(['above', 'amount', 'buy', 'floor', 'price']);
  });

  test('shows the states of its nodes in each use while it runs', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const part = {
      nodes: [
        { id: 'price', type: 'module.input', position: { x: 0, y: 0 }, data: { config: { kind: 'number' } } },
        { id: 'mean', type: 'math', position: { x: 300, y: 0 }, data: { config: { op: 'abs' } } },
        {
          id: 'twice',
          type: 'module.output',
          position: { x: 600, y: 0 },
          data: { config: { kind: 'number' } },
        },
      ],
      edges: [
        { id: '1', source: 'price', target: 'mean', targetHandle: 'a' },
        { id: '2', source: 'mean', target: 'twice', targetHandle: 'in' },
      ],
    };
    const at = (x: number, y: number) => ({ position: { x, y } });
    const { id } = await deployed(guest, {
      nodes: [
        { id: 'one', type: 'constant', ...at(0, 0), data: { config: { value: 7 } } },
        { id: 'use', type: 'module.part', ...at(300, 0), data: { label: 'First use', config: {} } },
      ],
      edges: [{ id: '1', source: 'one', target: 'use', targetHandle: 'price' }],
      modules: { part },
    });
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=use]').click();
    const states = page.getByRole('region', { name: 'By node' });
    await states.getByText('mean').waitFor();
    await states.getByText('7').waitFor();
    await page.getByRole('button', { name: 'Open the module' }).click();
    await page.locator('[data-id=mean]').getByText('7').waitFor();
  });
});

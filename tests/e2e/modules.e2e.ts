import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { saved, visibleIds } from './support/editor.ts';
import { buysAtOnce, deployed, drafted } from './support/strategies.ts';

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
    const name = page.getByLabel('Name of the module');
    await name.fill('output');
    await name.press('Enter');
    expect(await name.inputValue()).toBe('part');
    await name.fill('Entry');
    await name.press('Enter');
    await page.getByText(/^Version [0-9a-f]{8}$/).waitFor();
    await page
      .getByRole('navigation', { name: 'Open modules' })
      .getByRole('button', { name: 'Strategy' })
      .click();
    await expect.poll(() => visibleIds(page)).toEqual(['buy', 'floor', 'part', 'price']);
    await saved(page);
    expect(await guest.api('POST', `/api/blueprints/${id}/validate`, {})).toMatchObject({ valid: true });
    expect(Object.keys((await stored()).visual.modules ?? {})).toEqual(['Entry']);
    expect(JSON.stringify((await stored()).visual.modules)).toContain('"label":"High"');

    await page.locator('[data-id=part]').click();
    await page.getByRole('button', { name: 'Dissolve' }).click();
    await expect.poll(() => visibleIds(page)).toEqual(['above', 'amount', 'buy', 'floor', 'price']);
  });

  test('comes along with nodes that are pasted, under a new name beside another one of its name', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const at = { position: { x: 0, y: 0 } };
    const using = (value: number) => ({
      nodes: [{ id: 'use', type: 'module.part', ...at, data: { config: {} } }],
      edges: [],
      modules: {
        part: { nodes: [{ id: 'one', type: 'constant', ...at, data: { config: { value } } }], edges: [] },
      },
    });
    const { id } = await drafted(guest, using(1));
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=use]').waitFor();
    await page.evaluate(
      (text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        document.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: data }));
      },
      JSON.stringify(using(2)),
    );
    await expect.poll(() => visibleIds(page)).toEqual(['module-part2', 'use']);
    await saved(page);
    const { visual } = await guest.api<Stored>('GET', `/api/blueprints/${id}`);
    expect(Object.keys(visual.modules ?? {})).toEqual(['part', 'part2']);
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

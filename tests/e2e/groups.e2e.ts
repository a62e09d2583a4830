import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { edges, nodePositions, nodes, SOON, saved, visibleIds } from './support/editor.ts';
import { buysAtOnce, deployed, drafted } from './support/strategies.ts';

type Stored = { visual: { nodes: { id: string; position: { x: number; y: number } }[]; groups?: object[] } };

describe('a group of steps', () => {
  test('is made by keys, named, folded into one card with the edges across it, and undone', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    const stored = () => guest.api<Stored>('GET', `/api/blueprints/${id}`);
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=above]').click();
    await page.locator('[data-id=amount]').click({ modifiers: ['Control'] });
    await page.keyboard.press('Control+g');
    await expect.poll(() => visibleIds(page)).toContain('group:1');
    await page.getByLabel('Name of the group').fill('Entry');
    await page.getByLabel('Color').selectOption('Green');
    await saved(page);
    expect((await stored()).visual.groups).toEqual([
      { id: '1', name: 'Entry', color: 'green', collapsed: false, nodes: ['above', 'amount'] },
    ]);

    const crossing = await edges(page).count();
    await page.locator('[data-id="group:1"]').focus();
    await page.keyboard.press('f');
    await expect.poll(() => visibleIds(page)).toEqual(['buy', 'floor', 'group:1', 'price']);
    expect(await edges(page).count()).toBe(crossing);
    const card = page.locator('[data-id="group:1"]');
    expect(await card.getAttribute('aria-label')).toBe('Group “Entry”, 2 nodes, folded');
    await card.getByText('2 nodes').waitFor();
    // An arrow key moves to a visible step.
    await page.locator('[data-id=price]').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-id'))).toBe('group:1');

    const before = (await stored()).visual.nodes;
    await page.keyboard.press('Alt+ArrowDown');
    await saved(page);
    await expect
      .poll(async () =>
        (await stored()).visual.nodes.map(
          ({ position: { y } }, index) => y - (before[index]?.position.y ?? 0),
        ),
      )
      .toEqual([0, 0, 10, 10, 0]);

    await page.keyboard.press('d');
    await expect.poll(() => visibleIds(page)).toContain('group:2');
    for (let times = 0; times < 3; times++) await page.keyboard.press('Control+z');
    await expect
      .poll(() => visibleIds(page))
      .toEqual(['above', 'amount', 'buy', 'floor', 'group:1', 'price']);
    const untidy = await nodePositions(page);
    await page.keyboard.press('Shift+Alt+t');
    await expect.poll(() => nodePositions(page), SOON).not.toEqual(untidy);
    await page.waitForTimeout(400);
    const once = await nodePositions(page);
    await page.keyboard.press('Shift+Alt+t');
    await page.waitForTimeout(400);
    expect(await nodePositions(page)).toEqual(once);
    await page.locator('[data-id="group:1"] .group-head .node-title').click();
    await page.getByRole('button', { name: 'Ungroup' }).click();
    await expect.poll(() => visibleIds(page)).toEqual(['above', 'amount', 'buy', 'floor', 'price']);
  });

  test('is chosen by its head; a step of it is chosen alone, and then the group again', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const groups = [{ id: 'a', name: 'Entry', color: 'blue', nodes: ['above', 'amount'] }];
    const { id } = await drafted(guest, { ...buysAtOnce(10), groups });
    await open(page, `/blueprints/${id}`);
    const head = page.locator('[data-id="group:a"] .group-head .node-title');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await head.click();
    await inspector.getByRole('button', { name: 'Ungroup' }).waitFor();
    // An existing group is not grouped again, which would take its name.
    expect(await inspector.getByRole('button', { name: 'Group', exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+g');
    await expect.poll(() => page.getByLabel('Name of the group').inputValue()).toBe('Entry');
    await page.locator('[data-id=above] .node-title').click();
    await inspector.getByRole('heading', { name: 'Compare' }).waitFor();
    await head.click();
    await inspector.getByRole('button', { name: 'Ungroup' }).waitFor();
    // Copies that an undo removes are no longer selected.
    await page.keyboard.press('d');
    await expect.poll(() => nodes(page).count()).toBe(9);
    await page.keyboard.press('Control+z');
    await expect.poll(() => nodes(page).count()).toBe(6);
    await head.click();
    await inspector.getByText('2 nodes are selected.').waitFor();
    await inspector.getByRole('button', { name: 'Ungroup' }).click();
    await expect.poll(() => visibleIds(page)).toEqual(['above', 'amount', 'buy', 'floor', 'price']);
  });

  test('is moved whole by its head', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { nodes: steps, edges: ways } = buysAtOnce(10);
    const groups = [{ id: 'a', name: 'Entry', color: 'blue', nodes: ['above', 'amount'] }];
    const { id } = await drafted(guest, { nodes: steps, edges: ways, groups });
    await open(page, `/blueprints/${id}`);
    const head = await page.locator('[data-id="group:a"] .group-head .node-title').boundingBox();
    if (!head) throw new Error('The group has a head.');
    await page.mouse.move(head.x + 20, head.y + 8);
    await page.mouse.down();
    await page.mouse.move(head.x + 40, head.y + 88, { steps: 6 });
    await page.mouse.up();
    await saved(page);
    const { visual } = await guest.api<Stored>('GET', `/api/blueprints/${id}`);
    const moved = visual.nodes.map(({ position: { x, y } }, index) => {
      const from = steps[index]?.position ?? { x: 0, y: 0 };
      return [x - from.x, y - from.y];
    });
    expect(moved.filter(([x, y]) => x === 0 && y === 0)).toHaveLength(3);
    expect(moved[2]).toEqual(moved[3]);
    expect(moved[2]?.[1]).toBeGreaterThan(40);
  });

  test('of a running blueprint is folded on screen only, and shows the worst status of its steps', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const groups = [{ id: 'a', name: 'Entry', color: 'blue', nodes: ['above', 'amount', 'floor'] }];
    const { id } = await deployed(guest, { ...buysAtOnce(10), groups });
    await open(page, `/blueprints/${id}`);
    await page.getByRole('button', { name: 'Fold “Entry”' }).click();
    await page.locator('[data-id="group:a"] [data-mark=ok]').waitFor();
    expect(await visibleIds(page)).toEqual(['buy', 'group:a', 'price']);
    expect((await guest.api<Stored>('GET', `/api/blueprints/${id}`)).visual.groups).toEqual(groups);
    await page.getByRole('button', { name: 'Unfold “Entry”' }).click();
    await expect.poll(() => nodes(page).count()).toBe(6);
  });
});

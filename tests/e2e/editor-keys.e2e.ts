import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { edges, nodePositions, nodes, SOON, saved } from './support/editor.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

describe('the editor, by keys', () => {
  test('R5: steps are added, connected and moved by keyboard alone', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}`);
    await page.keyboard.press('/');
    await page.keyboard.type('crypto price');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => nodes(page).count()).toBe(1);
    await page.locator('.node-palette input').fill('compare');
    await page.locator('.node-palette input').press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => nodes(page).count()).toBe(2);
    await page.getByLabel('a (number)').focus();
    await page.keyboard.press('ArrowDown');
    expect(await edges(page).count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => edges(page).count()).toBe(1);
    const before = await nodePositions(page);
    await page.locator('[data-id=compare]').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => nodePositions(page)).not.toEqual(before);
    expect(
      await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
    ).toBe('solid');
    await saved(page);
    const stored = await guest.api<{ visual: { edges: unknown[] } }>('GET', `/api/blueprints/${id}`);
    expect(stored.visual.edges).toHaveLength(1);
  });

  test('a node type with a star comes first in the palette, also after a reload, until the star is taken away', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}`);
    const first = page.locator('.node-palette section').first();
    await page.getByRole('button', { name: 'Favorite: Compare' }).click();
    for (const _ of ['starred', 'reloaded']) {
      await first.getByRole('heading', { name: 'Favorites' }).waitFor();
      expect(await first.getByRole('button', { pressed: true }).count()).toBe(1);
      await page.reload();
    }
    await first.getByRole('button', { name: 'Compare', exact: true }).click();
    await expect.poll(() => nodes(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Favorite: Compare' }).click();
    await first.getByRole('heading', { name: 'Sources' }).waitFor();
  });

  test('W gives the editor the whole window below the bar of the mode; its button, Esc and a narrow screen lead back', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await nodes(page).first().waitFor();
    const workbench = () => page.locator('.workbench').boundingBox();
    const inPage = await workbench();
    await page.keyboard.press('w');
    await expect.poll(workbench).toEqual({ x: 0, y: 48, width: 1440, height: 852 });
    await page.locator('.topbar .brand').click({ trial: true });
    expect(await page.getByRole('link', { name: 'Portfolio' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Whole window' }).click();
    await expect.poll(workbench).toEqual(inPage);
    await page.getByRole('button', { name: 'Whole window' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(workbench).toEqual(inPage);
    await page.getByRole('button', { name: 'Whole window' }).click();
    await page.setViewportSize({ width: 768, height: 1024 });
    await page.getByRole('button', { name: 'Deploy…' }).click({ trial: true });
  });

  test('R5: arrows go along the connections, Enter opens the inspector, F2 renames, D duplicates', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    const before = await nodePositions(page);
    const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-id'));
    const chosen = () =>
      page.locator('.react-flow__node.selected').evaluateAll((all) => all.map((node) => node.dataset['id']));
    await page.locator('[data-id=price]').focus();
    for (const [key, step] of [
      ['ArrowRight', 'above'],
      ['ArrowDown', 'amount'],
      ['ArrowRight', 'buy'],
      ['ArrowLeft', 'above'],
      ['ArrowLeft', 'price'],
      ['ArrowDown', 'floor'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await at(), `${key} to ${step}`).toBe(step);
    }
    expect(await nodePositions(page)).toEqual(before);
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(chosen).toEqual(['floor', 'above', 'buy']);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('inspector');
    await page.keyboard.press('Escape');
    expect(await at()).toBe('above');
    await page.keyboard.press('F2');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('node-label');
    await page.keyboard.type('Dear');
    await page.keyboard.press('Escape');
    await page.locator('[data-id=above]').getByText('Dear').waitFor();
    await page.keyboard.press('d');
    await expect.poll(() => nodes(page).count()).toBe(6);
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.waitFor();
    for (const key of ['F2', 'Enter', 'D, Ctrl D', 'Arrows', 'Alt arrows', 'Shift Alt T']) {
      expect(await sheet.getByText(key, { exact: true }).count(), key).toBeGreaterThan(0);
    }
  });

  test('an arrow key chooses a source without connecting it; the focus stays beside the added or removed connection', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: buysAtOnce(10).nodes, edges: [] });
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=above]').click();
    const from = page.getByLabel('a (number)');
    await from.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await edges(page).count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => edges(page).count()).toBe(1);
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
    await expect.poll(focused).toBe('Disconnect Constant');
    await page.keyboard.press('Enter');
    await expect.poll(() => edges(page).count()).toBe(0);
    await expect.poll(focused).toBe('input-a');
  });

  test('a new draft has the focus on its canvas', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/blueprints?do=new');
    await page.getByLabel('Name').fill('Drawn at once');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/blueprints\/[\da-f-]{36}$/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('canvas');
  });

  test('R5: every page is reachable by keys, and ? lists them', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/');
    for (const [key, title] of [
      ['b', 'Strategies'],
      ['o', 'Orders'],
      ['p', 'Portfolio'],
      ['m', 'Markets'],
      ['r', 'Risk'],
      ['k', 'API keys'],
      ['a', 'Activity'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.locator('h1', { hasText: title }).waitFor();
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Page, strategy or action').fill('risk');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Risk' }).waitFor();
    await open(page, '/settings');
    await page.getByLabel(/Single keys act/).uncheck({ force: true });
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    expect(await page.locator('h1').textContent()).toBe('Settings');
  });

  test('one undo reverts all text typed into a field in one go', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=floor]').click();
    const name = page.getByLabel('Name', { exact: true });
    await name.pressSequentially('Lowest price');
    await page.getByLabel('Value', { exact: true }).fill('');
    await page.getByLabel('Value', { exact: true }).pressSequentially('123');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByLabel('Value', { exact: true }).inputValue()).toBe('1');
    expect(await name.inputValue()).toBe('Lowest price');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => name.inputValue()).toBe('');
  });

  test('selected text on the page is copied as text, and a step as a step', async () => {
    await using guest = await newGuest();
    const { context, page } = guest;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [, , above] = buysAtOnce(10).nodes;
    const { id } = await drafted(guest, { nodes: [above], edges: [] });
    await open(page, `/blueprints/${id}`);
    const problem = page.locator('.problems button').first();
    await problem.waitFor();
    const words = await problem.evaluate((row) => {
      getSelection()?.selectAllChildren(row);
      return getSelection()?.toString();
    });
    await page.keyboard.press('Control+c');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), SOON).toBe(words);
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await page.locator('[data-id=above]').click();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expect.poll(() => nodes(page).count(), SOON).toBe(2);
  });
});

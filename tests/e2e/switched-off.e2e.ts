import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { nodes, saved } from './support/editor.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

const card = (page: Page, id: string) => page.locator(`[data-id=${id}] .node-card`);
const marks = (page: Page) =>
  page
    .locator('.node-card')
    .evaluateAll((all) =>
      all.map((each) => each.getAttribute('data-mark')).filter((mark) => mark === 'off' || mark === 'silent'),
    );

describe('a step that is switched off', () => {
  test('by its key: it and what depends on it look and sound so, the review says it, and one undo takes it back', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=above]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('o');
    await expect.poll(() => marks(page)).toEqual(['off', 'silent']);
    expect(await page.locator('[data-id=above]').getAttribute('aria-label')).toBe(
      'Compare, Compare, switched off',
    );
    expect(await page.locator('[data-id=buy]').getAttribute('aria-label')).toMatch(
      /^Buy, Order, silent: it depends/,
    );
    await page.locator('.inspector').getByText('Neither does what depends on it: “Buy”.').waitFor();
    await saved(page);
    const stored = await guest.api<{ visual: { nodes: { id: string; data: object }[] } }>(
      'GET',
      `/api/blueprints/${id}`,
    );
    expect(stored.visual.nodes.find((node) => node.id === 'above')?.data).toMatchObject({ disabled: true });

    await page.getByRole('button', { name: 'Deploy…' }).click();
    const review = page.getByRole('alertdialog');
    await review
      .getByText('1 node is switched off: “Compare”. 1 more depends on that and does nothing either.')
      .waitFor();
    await review.getByText('nothing: it only watches').waitFor();
    await page.keyboard.press('Escape');

    await card(page, 'buy').click();
    await page.locator('.inspector').getByRole('button', { name: 'Compare', exact: true }).click();
    await page.locator('.inspector').getByRole('button', { name: 'Switch on' }).click();
    await expect.poll(() => marks(page)).toEqual([]);
    await page.keyboard.press('Control+z');
    await expect.poll(() => marks(page)).toEqual(['off', 'silent']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => marks(page)).toEqual([]);
  });

  test('by its menu, and several at once; notes beside them are left alone', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { nodes: steps, edges } = buysAtOnce(10);
    const note = { id: 'words', type: 'note', position: { x: 0, y: 400 }, data: { label: 'Beside' } };
    const { id } = await drafted(guest, { nodes: [...steps, note], edges });
    await open(page, `/blueprints/${id}`);
    await expect.poll(() => nodes(page).count()).toBe(6);
    await card(page, 'floor').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Switch off/ }).click();
    await expect.poll(() => marks(page)).toEqual(['off', 'silent', 'silent']);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('o');
    await expect.poll(() => marks(page)).toEqual(['off', 'off', 'off', 'off', 'off']);
    await page.locator('.inspector').getByRole('button', { name: 'Switch on' }).click();
    await expect.poll(() => marks(page)).toEqual([]);
    await saved(page);
    const stored = await guest.api<{ visual: { nodes: { data: object }[] } }>('GET', `/api/blueprints/${id}`);
    expect(stored.visual.nodes.every(({ data }) => !('disabled' in data))).toBe(true);
  });
});

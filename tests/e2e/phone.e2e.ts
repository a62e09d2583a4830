import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { SOON } from './support/editor.ts';
import { buysAtOnce, drafted, heldPosition, orderIn, pendingOrder } from './support/strategies.ts';

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
const TABS = ['graph', 'json', 'orders', 'trades', 'log', 'backtest', 'performance', 'releases'];

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test('at 390 px an order is approved and its strategy read and stopped without a sideways scroll', {
  timeout: 150_000,
}, async () => {
  await using guest = await newGuest(PHONE);
  const { page } = guest;
  await pendingOrder(guest);
  await open(page, '/orders');
  await page.getByRole('button', { name: 'Review…' }).first().tap();
  const approve = page.getByRole('alertdialog').getByRole('button', { name: /^Approve/ });
  await expect.poll(() => approve.isEnabled(), SOON).toBe(true);
  expect(await widthOf(page)).toBe(390);
  await approve.tap();
  await orderIn(guest, 'filled');

  const [strategy] = await guest.api<{ id: string }[]>('GET', '/api/blueprints');
  for (const tab of TABS) {
    await open(page, `/blueprints/${strategy?.id}?tab=${tab}`);
    expect([tab, await widthOf(page)]).toEqual([tab, 390]);
  }
  await page.getByRole('button', { name: 'Stop…' }).tap();
  expect(await widthOf(page)).toBe(390);
  await page.getByRole('button', { name: 'Stop strategy' }).tap();
  await expect
    .poll(async () => (await guest.api<{ status: string }[]>('GET', '/api/blueprints'))[0]?.status, SOON)
    .toBe('stopped');
});

/** The number of lines on which the visible cells of each row stand. */
const linesOfRows = (page: Page): Promise<number[]> =>
  page.locator('table.brief').evaluateAll((tables) =>
    tables.flatMap((table) =>
      [...table.querySelectorAll('tbody tr')].map((row) => {
        const cells = [...row.querySelectorAll('td[data-card]')].map((cell) => cell.getBoundingClientRect());
        const centers = cells.filter(({ height }) => height > 0).map(({ top, height }) => top + height / 2);
        return new Set(centers.map((center) => Math.round(center / 16))).size;
      }),
    ),
  );

test('at 390 px orders, fills and positions are cards of two lines, and the filters are behind one button that counts them', {
  timeout: 120_000,
}, async () => {
  await using guest = await newGuest(PHONE);
  const { page } = guest;
  await heldPosition(guest);
  const [strategy] = await guest.api<{ id: string }[]>('GET', '/api/blueprints');
  for (const path of ['/orders?status=filled', `/blueprints/${strategy?.id}?tab=trades`, '/portfolio']) {
    await open(page, path);
    await page.locator('table.brief tbody tr').first().waitFor();
    const lines = await linesOfRows(page);
    expect([path, new Set(lines)]).toEqual([path, new Set([2])]);
    expect([path, await widthOf(page)]).toEqual([path, 390]);
  }
  await open(page, '/orders?status=filled');
  const status = page.getByLabel('Status', { exact: true });
  expect(await status.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Filter (1)' }).tap();
  await page.getByLabel('Side').selectOption('Buy');
  await page.getByRole('button', { name: 'Filter (2)' }).tap();
  await expect.poll(() => status.isVisible()).toBe(false);
  expect(await page.locator('table.brief tbody tr').count()).toBe(1);
});

test('at 390 px the head of a strategy has one main button, and a menu of the others', async () => {
  await using guest = await newGuest(PHONE);
  const { page } = guest;
  const { id } = await drafted(guest, buysAtOnce(10), 'A draft with a name of some length');
  await open(page, `/blueprints/${id}`);
  const head = page.locator('.strategy-head');
  expect((await head.boundingBox())?.height).toBeLessThanOrEqual(110);
  await head.getByRole('button', { name: 'Deploy…' }).waitFor();
  expect(await head.getByRole('button').count()).toBe(2);
  await head.getByRole('button', { name: 'More actions' }).tap();
  await page.getByRole('menuitem', { name: 'Delete…' }).tap();
  await page.getByRole('alertdialog').waitFor();
  expect(await widthOf(page)).toBe(390);
});

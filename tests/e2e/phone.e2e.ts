import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { SOON } from './support/editor.ts';
import { orderIn, pendingOrder } from './support/strategies.ts';

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

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { SOON } from './support/editor.ts';

const CRYPTO = '/markets?venue=crypto&market=BTCUSDT';

const drawnOn = (page: Page) =>
  page.locator('.series-chart:has(+ .own-levels) [data-visible]').getAttribute('data-levels', SOON);

async function add(page: Page, label: string, value: string) {
  await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel(label, { exact: true }).press('Enter');
}

test('levels of one’s own are drawn on the price of their market alone, outlive a reload, and are removed', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, CRYPTO);
  expect(await drawnOn(page)).toBe('');
  await add(page, 'Level', '74000');
  await add(page, 'Level', '76000.5');
  await add(page, 'Level', '74000');
  await add(page, 'Level', '0');
  await expect.poll(() => drawnOn(page)).toBe('Level 76000.5, Level 74000');

  await page.reload();
  await expect.poll(() => drawnOn(page)).toBe('Level 76000.5, Level 74000');
  await page.getByRole('button', { name: 'Remove the level $74,000.00' }).click();
  await expect.poll(() => drawnOn(page)).toBe('Level 76000.5');
  await open(page, '/markets?venue=crypto&market=ETHUSDT');
  expect(await drawnOn(page)).toBe('');
});

test('a level of an outcome is typed in cents, and stands on the outcome it was typed for', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, '/markets');
  await add(page, 'Level in ¢', '55');
  await expect.poll(() => drawnOn(page)).toBe('Level 0.55');
  await page.getByRole('button', { name: 'Remove the level 55¢' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Outcome' }).getByText(/^no$/i).click();
  await expect.poll(() => drawnOn(page)).toBe('');
});

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

const choose = (page: Page, id: string) => page.locator(`[data-id=${id}] .node-card`).click();
const panel = (page: Page) => page.getByRole('region', { name: 'Try this node' });
const tryIt = (page: Page) => panel(page).getByRole('button', { name: 'Try on live data' }).click();

describe('a step tried in the editor', () => {
  test('says its value and that of all it needs, as long as it is chosen and drawn so', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await choose(page, 'above');
    await tryIt(page);
    await panel(page).getByText('No order was sent, and nothing is stored.').waitFor();
    expect(await panel(page).locator('dt').allTextContents()).toEqual([
      'Crypto price',
      'Constant',
      'Compare',
    ]);
    expect(await panel(page).locator('dd').last().textContent()).toBe('true');

    await page.keyboard.press('o');
    await panel(page).getByText('The strategy was changed since. Try again.').waitFor();
    await choose(page, 'price');
    await panel(page).waitFor();
    expect(await panel(page).locator('dt').count()).toBe(0);
  });

  test('says of an action the order, saved or not, and what each rule says in two lines at most; nothing is ordered', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await choose(page, 'buy');
    await tryIt(page);
    await panel(page)
      .getByText(/^It would buy [\d.,]+ BTC\/USDT now\.$/)
      .waitFor();
    await panel(page).getByText('The risk rules would let it pass.').waitFor();
    const heights = await panel(page)
      .locator('.rules > li')
      .evaluateAll((rules) => rules.map((rule) => rule.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(6);
    expect(Math.max(...heights)).toBeLessThanOrEqual(44);
    expect(await guest.api('GET', '/api/orders')).toEqual([]);
  });
});

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

  test('shows values on all nodes of a graph that is tried whole, until it is edited; nothing is ordered', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    const values = page.locator('.node-value');
    const wires = page.locator('.edge-value');
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText(/^As if deployed at .* No order was sent\.$/).waitFor();
    await expect.poll(() => values.count()).toBe(4);
    await expect.poll(() => wires.count()).toBeGreaterThan(1);
    expect(await page.locator('[data-id=above] .node-value').textContent()).toBe('holds');
    expect(await page.locator('[data-id=buy] .node-act').textContent()).toMatch(/^Buy [\d.]+ BTC\/USDT/);
    expect(await guest.api('GET', '/api/orders')).toEqual([]);
    await choose(page, 'above');
    await page.keyboard.press('o');
    await expect.poll(() => values.count()).toBe(0);
    expect(await page.getByText(/^As if deployed at/).count()).toBe(0);
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

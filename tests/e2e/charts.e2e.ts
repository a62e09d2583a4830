import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { SOON } from './support/editor.ts';
import { buysAtOnce, deployed } from './support/strategies.ts';

test('under the pointer a step of a running graph shows its last values as a chart, and a condition shows none', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  const { id } = await deployed(guest, buysAtOnce(10));
  await open(page, `/blueprints/${id}`);
  // Three values make a line; until then there is none to show.
  await page.locator('[data-id=price] .node-value svg').waitFor(SOON);
  await page.locator('[data-id=price] .node-card').hover();
  const chart = page.locator('.trail-card');
  await chart.waitFor();
  expect(await chart.textContent()).toMatch(/^\S+ to \S+ in the last \d+ values$/);
  expect(await chart.locator('svg').count()).toBe(1);
  await page.locator('[data-id=above] .node-card').hover();
  await chart.waitFor({ state: 'detached' });
});

test('the wheel over a chart scrolls the page; a chart zoomed with Ctrl keeps its range when redrawn', async () => {
  await using guest = await newGuest({ viewport: { width: 1440, height: 500 } });
  const { page } = guest;
  await open(page, '/markets?venue=crypto&market=BTCUSDT');
  const frame = page.locator('figure [data-visible]').first();
  await frame.waitFor(SOON);
  await frame.scrollIntoViewIfNeeded();
  const visible = async () => ((await frame.getAttribute('data-visible')) ?? '').split(' ').map(Number);
  const width = async () => {
    const [from = 0, to = 0] = await visible();
    return to - from;
  };
  const scrolled = () => page.evaluate(() => window.scrollY);
  await frame.hover();
  const [wide, top] = [await width(), await scrolled()];
  await page.mouse.wheel(0, 120);
  await expect.poll(scrolled).not.toBe(top);
  expect(await width()).toBe(wide);

  await frame.hover();
  await page.keyboard.down('Control');
  for (let notch = 0; notch < 3; notch++) await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await expect.poll(width).toBeLessThan(wide * 0.9);
  const zoomed = await visible();
  const canvas = await frame.locator('canvas').first().elementHandle();
  const zone = page.getByRole('button', { name: /UTC/ }).first();
  for (let again = 0; again < 3; again++) await page.keyboard.press('t');
  await zone.waitFor();
  expect(await canvas?.evaluate((element) => element.isConnected)).toBe(true);
  expect(await visible()).toEqual(zoomed);
  await frame.dblclick();
  await expect.poll(width).toBe(wide);
});

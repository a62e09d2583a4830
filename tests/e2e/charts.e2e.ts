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

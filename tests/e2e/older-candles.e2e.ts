import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { SOON } from './support/editor.ts';

test('a chart moved to its first candle loads older ones in place: what is visible stays where it is', async () => {
  await using guest = await newGuest({ viewport: { width: 1440, height: 1_000 } });
  const { page } = guest;
  await open(page, '/markets?venue=crypto&market=BTCUSDT');
  const choice = page.getByRole('radiogroup', { name: 'Interval' });
  await choice.waitFor(SOON);
  expect(await choice.getByRole('radio').count()).toBe(6);
  const frame = page.locator('figure [data-visible]').first();
  await frame.waitFor(SOON);
  await frame.scrollIntoViewIfNeeded();
  const visible = async () => ((await frame.getAttribute('data-visible')) ?? '').split(' ').map(Number);
  const [wholeFrom = 0, wholeTo = 0] = await visible();
  const box = await frame.boundingBox();
  if (!box) throw new Error('The chart has no box.');
  const answer = page.waitForResponse((response) => response.url().includes('console.candles'));
  await page.mouse.move(box.x + 200, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, box.y + 100, { steps: 6 });
  await page.mouse.up();
  const [from = 0, to = 0] = await visible();
  expect(from).toBeLessThan(wholeFrom);
  await answer;
  const candles = page.locator('figure figcaption').first();
  await expect.poll(() => candles.textContent()).toMatch(/^(200|300) candles of 1h/);
  expect(await visible()).toEqual([from, to]);

  // The whole is all that was loaded.
  await frame.dblclick();
  await expect.poll(async () => (await visible())[0]).toBeLessThan(wholeFrom - (wholeTo - wholeFrom) / 2);
});

import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { SOON } from './support/editor.ts';

type Listed = {
  markets: { ref: string; event: { id: string; title: string } | null; rules: string | null }[];
};

test('an event of several outcomes is one table, in the list and beside it, with rules, change and volume', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, '/markets');
  await expect.poll(() => page.url(), SOON).toContain('market=');
  const { markets } = await guest.api<Listed>('GET', '/api/venue-a?top=25');
  const [event, members = []] =
    [...Map.groupBy(markets, (market) => market.event?.title)].find(([, all]) => all.length > 1) ?? [];
  const [member] = members;
  if (!event || !member) throw new Error('The simulator lists no event of several outcomes.');
  expect(await page.locator('.market-list').first().locator('.event', { hasText: event }).count()).toBe(1);

  await page.locator(`[data-row="${member.ref}"]`).click();
  const table = page.getByRole('table').filter({ hasText: 'Change in 24 h' });
  await expect.poll(() => table.locator('tbody tr').count(), SOON).toBe(members.length);
  await page.getByText('Change in 24 h').first().waitFor();
  await page.getByRole('heading', { name: 'Rules' }).waitFor();
  // Its outcomes are one chart: a line each for the likeliest four at most, with their names, from one read.
  const chart = page.getByRole('figure', { name: 'Chance of each outcome' });
  const lines = Math.min(4, members.length);
  await expect.poll(() => chart.locator('.readout li').count(), SOON).toBe(lines);
  expect(await table.locator('.stroke:not(.none)').count()).toBe(lines);
  const price = /[\d.]+/.exec((await table.locator('tbody .num').first().textContent()) ?? '')?.[0];
  expect(await chart.locator('.readout').textContent()).toContain(`${price}%`);
  // Either side of an outcome is bought from its row, at the price of its button.
  const side = table.getByRole('button', { name: /^No .*: buy / }).first();
  const cost = /[\d.]+¢$/.exec((await side.textContent()) ?? '')?.[0] ?? 'none';
  await side.click();
  const ticket = page.getByRole('dialog', { name: /^Trade No · / });
  await ticket.getByText(cost).first().waitFor();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(
    await table.evaluate(({ scrollWidth, parentElement }) => scrollWidth - (parentElement?.clientWidth ?? 0)),
  ).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await table.getByRole('link').nth(1).click();
  await expect.poll(() => table.locator('[aria-current]').count(), SOON).toBe(1);
  expect(page.url()).toContain(encodeURIComponent(members[1]?.ref ?? 'none'));
});

test('a price alert is a running strategy, which notifies when its level is reached', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, '/markets?venue=crypto&market=BTCUSDT');
  await page.getByRole('button', { name: 'Price alert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Price alert for BTC/USDT' });
  await dialog.getByText(/^last now \$\d/).waitFor();
  await dialog.getByLabel('When the price is').selectOption('at or above');
  await dialog.getByLabel('Price', { exact: true }).fill('1');
  await dialog.getByRole('button', { name: 'Set alert' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await open(page, '/activity');
  await page
    .getByText(/BTC\/USDT at or above \$1\.00: \d/)
    .first()
    .waitFor();
  const strategies = await guest.api<{ name: string; status: string }[]>('GET', '/api/blueprints');
  expect(strategies).toMatchObject([{ name: 'Alert: BTC/USDT at or above $1.00', status: 'running' }]);
});

test('the recent trades of a coin are read once they are shown', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, '/markets?venue=crypto&market=BTCUSDT');
  const panel = page.getByRole('region', { name: 'Recent trades' });
  await panel.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => panel.locator('tbody tr').count(), SOON).toBe(20);
  const times = await panel
    .locator('tbody time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
  expect(times).toEqual(times.toSorted().toReversed());
  expect(await panel.locator('tbody tr').first().textContent()).toMatch(/UTC(Buy|Sell)\$[\d,.]+[\d.]+$/);
});

test('a coin has one name on its page, and is found by it', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, '/markets?venue=crypto&market=ETHUSDT&find=eth/usdt');
  await page.getByRole('region', { name: 'ETH/USDT book' }).waitFor();
  const row = page.locator('.market-list button[data-row]');
  expect(await row.allTextContents()).toEqual([expect.stringMatching(/^ETH\/USDT/)]);
  // The symbol is an identifier, to copy and to call.
  expect(await page.locator('main').getByText('ETHUSDT').allTextContents()).toEqual([
    'ETHUSDT',
    expect.stringContaining('/api/crypto?symbol=ETHUSDT'),
  ]);
});

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { SOON } from './support/editor.ts';

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
const CRYPTO = '/markets?venue=crypto&market=BTCUSDT';

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

/** Opens the ticket of the market that the page shows. */
async function openTicket(page: Page) {
  await page.getByRole('button', { name: 'Trade…' }).click();
  const ticket = page.getByRole('dialog');
  await ticket.waitFor();
  return { ticket, send: ticket.getByRole('button', { name: /^(Buy|Sell|Request)/ }) };
}

/** The price in its field and the best price of a side, read at one instant. */
const priceAndBest = (ticket: Locator, best: 'Bid' | 'Ask'): Promise<number[]> =>
  ticket.evaluate((dialog, title) => {
    const field = [...dialog.querySelectorAll('.field')].find((each) =>
      each.querySelector('label')?.textContent?.startsWith('Price'),
    );
    const quoted = [...dialog.querySelectorAll('dl div')].find(
      (each) => each.querySelector('dt')?.textContent === title,
    );
    const text = quoted?.querySelector('dd')?.textContent ?? '';
    return [Number(field?.querySelector('input')?.value), Number(text.replaceAll(/[^\d.]/g, ''))];
  }, best);

type Listed = { id: string; status: string; blueprintId: string };

test('a ticket shows the receipt before it is sent; the order appears, named as by hand', {
  timeout: 120_000,
}, async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, CRYPTO);
  const { ticket, send } = await openTicket(page);
  await ticket.getByRole('heading', { name: 'Trade BTC/USDT' }).waitFor();
  for (const [side, best] of [
    ['Sell', 'Bid'],
    ['Buy', 'Ask'],
  ] as const) {
    // The book may move between the choice and the look at both.
    await expect
      .poll(async () => {
        await ticket.getByText('Buy', { exact: true }).click();
        await ticket.getByText(side, { exact: true }).click();
        return (await priceAndBest(ticket, best)).join();
      }, SOON)
      .toMatch(/^(\d+(?:\.\d{1,2})?),\1$/);
  }
  expect(await ticket.getByText(/^0 BTC$/).count()).toBe(1);
  expect(await send.isDisabled()).toBe(true);
  await ticket.getByLabel('How').selectOption('Now, within the price band');
  await ticket.getByLabel('Amount').fill('0.0002');
  const receipt = ticket.getByRole('region', { name: 'Receipt' });
  await receipt.getByText('Would be sent at once').waitFor();
  await receipt.getByRole('listitem').getByText('passes').first().waitFor();
  expect(await receipt.getByText(/^\$\d+\.\d\d$/).count()).toBe(1);
  expect(await guest.api('GET', '/api/orders')).toEqual([]);

  const keys: (string | undefined)[] = [];
  await page.route('**/trpc/orders.place*', (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length === 1 ? route.fulfill({ status: 502, body: 'bad gateway' }) : route.continue();
  });
  await expect.poll(() => send.isEnabled(), SOON).toBe(true);
  expect(await send.textContent()).toMatch(/^Buy 0\.0002 BTC for about \$\d+\.\d\d$/);
  await send.click();
  await ticket.getByRole('alert').waitFor();
  await expect.poll(() => send.isEnabled(), SOON).toBe(true);
  await ticket.getByLabel('Amount').press('Enter');
  await page.getByText('is on its way').waitFor();
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);

  await page.getByRole('link', { name: 'Open the order' }).click();
  const drawer = page.getByRole('dialog', { name: 'Order' });
  await drawer.getByText('By hand').waitFor();
  await drawer.getByText('Filled').first().waitFor();
  await expect
    .poll(async () => (await guest.api<Listed[]>('GET', '/api/orders')).map(({ status }) => status), SOON)
    .toEqual(['filled']);
  await open(page, '/orders');
  await page.getByRole('cell', { name: 'By hand' }).waitFor();
});

test('an amount in dollars is sent as units in whole steps, which never cost above the sum typed', {
  timeout: 120_000,
}, async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, CRYPTO);
  const { ticket, send } = await openTicket(page);
  await ticket.getByRole('radiogroup', { name: 'Unit' }).getByText('USD').click();
  await ticket.getByLabel('Amount in USD').fill('0.0001');
  await ticket.getByRole('status').getByText('less than one step').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await ticket.getByLabel('Amount in USD').fill('25');
  await ticket.getByText(/^0\.000\d+ BTC, rounded down to steps of 0\.00001/).waitFor();
  await expect.poll(() => send.isEnabled(), SOON).toBe(true);
  await send.click();
  await page.getByText('is on its way').waitFor();
  const [placed] = await guest.api<Listed[]>('GET', '/api/orders');
  const { amount, limitPrice } = await guest.api<{ amount: number; limitPrice: number }>(
    'GET',
    `/api/orders/${placed?.id}`,
  );
  expect(amount * limitPrice).toBeLessThanOrEqual(25);
  expect((amount + 0.00001) * limitPrice).toBeGreaterThan(25);
});

test('a ticket that a rule denies cannot be sent, and says which rule', { timeout: 120_000 }, async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await guest.api('PUT', '/api/risk-rules', { maxOrderSize: 1 });
  await open(page, CRYPTO);
  const { ticket, send } = await openTicket(page);
  await ticket.getByLabel('Amount').fill('0.001');
  await ticket.getByText(/forbids/).waitFor();
  await ticket.getByRole('status').getByText(/1/).waitFor();
  expect(await send.isDisabled()).toBe(true);
  await ticket.getByLabel('Amount').press('Enter');
  expect(await guest.api('GET', '/api/orders')).toEqual([]);
});

test('at 390 px, an outcome is bought by a ticket that awaits approval, without a sideways scroll', {
  timeout: 120_000,
}, async () => {
  await using guest = await newGuest(PHONE);
  const { page } = guest;
  await guest.api('PUT', '/api/risk-rules', { requireApprovalAbove: 0 });
  await open(page, '/markets');
  await page.locator('[data-row]').first().tap();
  const { ticket, send } = await openTicket(page);
  await ticket.getByLabel('How').selectOption('At a limit, fill or kill');
  await ticket.getByLabel('Price in ¢').fill('10');
  await ticket.getByLabel('Amount').fill('5');
  await ticket.getByText('needs your approval').first().waitFor();
  expect(await widthOf(page)).toBe(390);
  await expect.poll(() => send.isEnabled(), SOON).toBe(true);
  expect(await send.textContent()).toBe('Request approval to buy 5 contracts');
  await send.tap();
  await page.getByText('awaits your approval.').waitFor();
  expect(await widthOf(page)).toBe(390);
  const [order] = await guest.api<Listed[]>('GET', '/api/orders');
  expect(await guest.api('GET', `/api/orders/${order?.id}`)).toMatchObject({
    status: 'pending',
    side: 'buy',
    timeInForce: 'fok',
  });
});

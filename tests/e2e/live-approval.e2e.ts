import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Guest } from './support/browser.ts';
import { liveService } from './support/live-service.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

// The data folder of a demonstration holds the credentials of a member of each simulated venue.
const { service, guest: guestOf, show } = liveService({ DEMO: '1' });

type Connection = { id: string; state: string };

/** Connects a member of the simulated exchange, passes every check, and reconciles the account with the books. */
async function connectedReady(guest: Guest): Promise<void> {
  const file = path.join(service().dataDir, 'demo-connection-crypto');
  const stored = JSON.parse(readFileSync(file, 'utf8')) as object;
  await guest.api('POST', '/api/venue-connections', {
    ...stored,
    label: 'Real',
    password: guest.password,
    isEligible: true,
  });
  await expect
    .poll(async () => (await guest.api<Connection[]>('GET', '/api/venue-connections'))[0]?.state, {
      timeout: 30_000,
    })
    .toBe('ready');
  // The balance there becomes the cash of the books once both were reconciled.
  type AccountResponse = { result: { data: { cash: number } } };
  await expect
    .poll(
      async () =>
        (await guest.api<AccountResponse>('GET', '/live/trpc/console.account?input=%7B%7D')).result.data.cash,
      { timeout: 30_000 },
    )
    .toBeGreaterThan(100);
}

/** Buys by hand: the ticket sends nothing before its maximum cost is typed. */
async function buyByHand(guest: Guest): Promise<void> {
  const { page } = guest;
  await show(guest, '/live/markets?venue=crypto&market=BTCUSDT');
  await page.getByRole('button', { name: 'Trade…' }).click();
  const ticket = page.getByRole('dialog');
  await ticket.getByLabel('Amount').fill('0.0002');
  const send = ticket.getByRole('button', { name: 'Request approval to buy 0.0002 BTC' });
  await send.waitFor({ timeout: 15_000 });
  const cost = /Type (\d+\.\d\d) to confirm/.exec((await ticket.textContent()) ?? '')?.[1] ?? '';
  expect(await send.isDisabled()).toBe(true);
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().includes('orders.place')) sent += 1;
  });
  await ticket.getByLabel('Amount').press('Enter');
  await ticket.getByLabel(`Type ${cost} to confirm`).fill(cost);
  await expect.poll(() => send.isEnabled(), { timeout: 15_000 }).toBe(true);
  expect(sent).toBe(0);
  await send.click();
  await page.getByText('awaits your approval').waitFor();
  expect(sent).toBe(1);
}

test('a live buy is vouched for, deployed, reviewed, approved by typing its cost, filled, and closed after every strategy is stopped; a ticket asks for its cost, too', async () => {
  await using guest = await guestOf();
  const { page } = guest;
  await connectedReady(guest);
  const { id } = await drafted(guest, buysAtOnce(12), 'Real buy');
  // The answer for real prices, where live money has a value.
  await page.route(/\/trpc\/.*console\.paperRun/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text
      .replace('"isMissing":false', '"isMissing":true')
      .replace('"hasBothSides":false', '"hasBothSides":true');
    await route.fulfill({ response, body });
  });
  await show(guest, `/live/blueprints/${id}`);
  await page.getByRole('button', { name: 'Deploy…' }).click();
  const question = page.getByRole('alertdialog');
  const deploy = question.getByRole('button', { name: /^Deploy/ });
  const vouched = question.getByLabel(/I deploy it with real money all the same/);
  await vouched.waitFor();
  await question.getByText('It has not run on paper for a day.').waitFor({ timeout: 15_000 });
  await question.getByText('On paper it bought yes and no of one market.').waitFor();
  expect(await deploy.isEnabled()).toBe(false);
  const sent = page.waitForRequest(/console\.deployUntried/);
  await vouched.check();
  await expect.poll(() => deploy.isEnabled(), { timeout: 15_000 }).toBe(true);
  await deploy.click();
  await sent;
  await question.waitFor({ state: 'detached' });

  await show(guest, '/live/orders');
  await page.getByRole('button', { name: 'Review…' }).first().click({ timeout: 30_000 });
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('a real order').waitFor();
  await dialog.getByText('“Real” (demo)').waitFor();
  await dialog.getByText('Max. cost').waitFor();
  const approve = dialog.getByRole('button', { name: /^Approve buy/ });
  expect(await approve.isDisabled()).toBe(true);
  const worst = /Type (\d+\.\d\d) to confirm/.exec((await dialog.textContent()) ?? '')?.[1] ?? '';
  expect(Number(worst)).toBeGreaterThan(11);
  await dialog.getByLabel(`Type ${worst} to confirm`).fill(worst);
  await expect.poll(() => approve.isEnabled(), { timeout: 15_000 }).toBe(true);
  await approve.click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('tr[data-row]').getByText('Filled').first().waitFor({ timeout: 30_000 });
  await show(guest, '/live/portfolio');
  await page.locator('td[data-label="Market value"]').first().waitFor();
  await show(guest, '/orders');
  expect(await page.locator('tr[data-row]').count()).toBe(0);

  await buyByHand(guest);

  // Lists every position, stops all strategies, and sells everything in one act.
  await show(guest, '/live/portfolio');
  await page.getByRole('button', { name: 'Close everything…' }).click();
  const review = page.getByRole('alertdialog');
  await review.getByText(/BTC/).first().waitFor();
  const stops = review.getByLabel(/Stop 1 running strategy first: Real buy/);
  expect(await stops.isChecked()).toBe(true);
  await stops.uncheck();
  await review.getByText('Strategies that run may buy again.').waitFor();
  await stops.check();
  await review.getByRole('button', { name: 'Stop 1 and sell 1 position at the market' }).click();
  await review.getByText('What became of each position').waitFor();
  await review.getByText(/^Sell order /).waitFor();
  await review.getByRole('button', { name: 'Done' }).click();
  await show(guest, '/live/orders');
  const sold = page.locator('tr[data-row]').filter({ hasText: /sell/i });
  await sold.getByText('Filled').first().waitFor({ timeout: 30_000 });
  type Status = { status: string };
  expect((await guest.api<Status>('GET', `/api/blueprints/${id}`)).status).not.toBe('running');
}, 180_000);

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Decimal } from 'decimal.js';
import { afterAll, expect, test } from 'vitest';
import { startSimulator } from '../../venues/index.ts';
import type { Guest } from './support/browser.ts';
import { liveService } from './support/live-service.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

// Apart from the service, so that somebody else can trade there too.
const simulator = await startSimulator({ seed: 'real money' });
afterAll(() => simulator.close());
// The data folder of a demonstration has what connects a member of each simulated venue.
const { service, guest: guestOf, show } = liveService({ DEMO: '1', SIMULATOR_URL: simulator.url });

type Connection = { id: string; state: string };

/** A member of the simulated exchange, connected, let through by every check, and compared with the books. */
async function connectedReady(guest: Guest): Promise<void> {
  const file = path.join(service().dataDir, 'demo-connection-crypto');
  const told = JSON.parse(readFileSync(file, 'utf8')) as object;
  await guest.api('POST', '/api/venue-connections', {
    ...told,
    label: 'Real',
    password: guest.password,
    isEligible: true,
  });
  await expect
    .poll(async () => (await guest.api<Connection[]>('GET', '/api/venue-connections'))[0]?.state, {
      timeout: 30_000,
    })
    .toBe('ready');
  // What it holds there is the cash of the books once both were compared.
  type Told = { result: { data: { cash: number } } };
  await expect
    .poll(
      async () => (await guest.api<Told>('GET', '/live/trpc/console.account?input=%7B%7D')).result.data.cash,
      { timeout: 30_000 },
    )
    .toBeGreaterThan(100);
}

test('a buy with real money is deployed, reviewed, approved by its cost typed and filled; what differs is explained, and all is sold', async () => {
  await using guest = await guestOf();
  const { page } = guest;
  await connectedReady(guest);
  const { id } = await drafted(guest, buysAtOnce(12), 'Real buy');
  await show(guest, `/live/blueprints/${id}`);
  await page.getByRole('button', { name: 'Deploy…' }).click();
  const question = page.getByRole('alertdialog');
  const deploy = question.getByRole('button', { name: /^Deploy/ });
  await expect.poll(() => deploy.isEnabled(), { timeout: 15_000 }).toBe(true);
  await deploy.click();
  await question.waitFor({ state: 'detached' });

  await show(guest, '/live/orders');
  await page.getByRole('button', { name: 'Review…' }).first().click({ timeout: 30_000 });
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('a real order').waitFor();
  await dialog.getByText('“Real” (demo)').waitFor();
  await dialog.getByText('Costs at most').waitFor();
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
  await page.locator('td[data-label=Worth]').first().waitFor();
  await show(guest, '/orders');
  expect(await page.locator('tr[data-row]').count()).toBe(0);

  // Row 88: somebody places an order by hand, and a person says what it is.
  const exchange = simulator.desks.get('binance')?.venue.exchange;
  const account = exchange?.accounts.values().next().value;
  exchange?.place({
    account: account ?? null,
    clientOrderId: 'by-hand',
    instrument: 'BTCUSDT',
    side: 'buy',
    price: new Decimal('20000'),
    amount: new Decimal('0.001'),
    timeInForce: 'GTC',
    tags: {},
  });
  simulator.desks.get('binance')?.streams.cut();
  await show(guest, '/live/connections');
  const difference = page.locator('[data-difference]').filter({ hasText: 'An order of somebody else' });
  await difference.getByRole('button', { name: 'Explain…' }).click({ timeout: 60_000 });
  const word = page.getByRole('alertdialog');
  const explained = word.getByRole('button', { name: 'It is explained' });
  expect(await explained.isDisabled()).toBe(true);
  await word.getByLabel('Why').fill('A trial by hand.');
  await explained.click();
  await word.waitFor({ state: 'detached' });
  await difference.waitFor({ state: 'detached' });
  await page.getByText('Earlier ones').first().click();
  await page.getByText('“A trial by hand.”').waitFor();

  // Everything held is looked through, sold in one act, and what became of it is said.
  await show(guest, '/live/portfolio');
  await page.getByRole('button', { name: 'Close everything…' }).click();
  const review = page.getByRole('alertdialog');
  await review.getByText('BTCUSDT').waitFor();
  await review.getByRole('button', { name: 'Sell 1 position at the market' }).click({ timeout: 30_000 });
  await review.getByText('What became of each position').waitFor();
  await review.getByText(/^Sell order /).waitFor();
  await review.getByRole('button', { name: 'Done' }).click();
  await show(guest, '/live/orders');
  const sold = page.locator('tr[data-row]').filter({ hasText: /sell/i });
  await sold.getByText('Filled').first().waitFor({ timeout: 30_000 });
}, 240_000);

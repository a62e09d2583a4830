import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Guest } from './support/browser.ts';
import { liveService } from './support/live-service.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

// The data folder of a demonstration has what connects a member of each simulated venue.
const { service, guest: guestOf, show } = liveService({ DEMO: '1' });

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

test('a buy with real money is deployed, reviewed, approved by its cost typed, and filled at the venue', async () => {
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
}, 120_000);

import { describe, expect, test } from 'vitest';
import { base, newGuest, open } from './support/browser.ts';
import { fromMenu } from './support/editor.ts';
import { buysAtOnce, deployed, drafted, orderIn, pendingOrder } from './support/strategies.ts';

describe('a strategy', () => {
  test('is deleted from its page; one that runs says why it cannot be', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const running = await deployed(guest, buysAtOnce(5), 'Runs');
    await open(page, `/blueprints/${running.id}`);
    await fromMenu(page, 'Delete…');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('It runs. Stop it first.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Delete/ }).isEnabled()).toBe(false);
    const { id } = await drafted(guest, buysAtOnce(5), 'Not needed');
    await open(page, `/blueprints/${id}`);
    await expect.poll(() => page.title()).toMatch(/^Not needed/);
    await fromMenu(page, 'Delete…');
    await dialog.getByRole('button', { name: 'Delete “Not needed”' }).click();
    await page.waitForURL(/\/blueprints$/);
    await page.getByRole('link', { name: 'Runs', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Not needed', exact: true }).count()).toBe(0);
  });

  test('shows its waiting and its denied orders, in formatted money', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await pendingOrder(guest);
    await guest.api('PUT', '/api/risk-rules', { maxOrderSize: 1 });
    const refused = await deployed(guest, buysAtOnce(30), 'Too large');
    await orderIn(guest, 'denied');
    await open(page, `/blueprints/${refused.id}`);
    await page.getByText(/was denied/).waitFor();
    await page.getByText(/Largest order is \$1\.00, this order is \$\d+\.\d\d\./).waitFor();
    await open(page, '/blueprints');
    await page.getByRole('row', { name: 'Test strategy' }).locator('td').nth(3).click();
    await page.getByText(/^Awaits your approval: buy/).waitFor();
    await open(page, '/');
    await page.getByRole('link', { name: /^Denied: buy/ }).waitFor();
  });
});

test('activity names the acting key, and has fills and denials', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  const { key } = await guest.api<{ key: string }>('POST', '/api/api-keys', {
    name: 'Night watch',
    scopes: ['risk:write', 'risk:read'],
  });
  const changed = await fetch(`${base}/api/risk-rules`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"maxOrderSize":60}',
  });
  expect(changed.status).toBe(200);
  await deployed(guest, buysAtOnce(30), 'Buys');
  await orderIn(guest, 'filled');
  await open(page, '/activity');
  await page.getByText('by key “Night watch”').first().waitFor();
  const fill = page.locator('.list > li', { hasText: 'Filled' }).first();
  await fill.waitFor();
  expect(await fill.textContent()).toMatch(/Buys buy [\d.]+ BTC\/USDT at \$[\d,.]+/);
  await fill.locator('summary').click();
  await fill.getByRole('link', { name: 'Buys' }).waitFor();
  await open(page, '/activity?find=buys&about=trades');
  await fill.waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/');
  const event = page
    .getByRole('region', { name: 'Latest activity' })
    .locator('li', { hasText: 'Filled' })
    .first();
  await event.getByRole('link', { name: 'Buys' }).waitFor();
  // The price is in the picture: nothing of the row is cut.
  expect(
    await event.evaluate(
      (row) =>
        [...row.querySelectorAll('*')].filter(
          ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
        ).length,
    ),
  ).toBe(0);
});

test('several blueprints are tagged at once and filtered by a tag; a copy has the tags too', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  for (const name of ['Alpha', 'Beta', 'Gamma']) await drafted(guest, buysAtOnce(5), name);
  await open(page, '/blueprints');
  for (const name of ['Alpha', 'Beta']) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
  await page.getByRole('button', { name: 'Tags…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags of 2 strategies' });
  await dialog.getByLabel('New tags').fill('momentum, BTC');
  await dialog.getByRole('button', { name: 'Save tags' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = (name: string) => page.getByRole('row', { name, exact: true });
  await row('Beta').getByText('momentum').waitFor();
  expect(await row('Gamma').getByText('momentum').count()).toBe(0);
  await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'momentum (2)' });
  await expect.poll(() => page.url()).toMatch(/tag=momentum/);
  await row('Gamma').waitFor({ state: 'detached' });
  expect(await page.locator('tbody tr').count()).toBe(2);
  await row('Alpha').getByRole('button', { name: 'Duplicate Alpha' }).click();
  await page.waitForURL(/\/blueprints\/[0-9a-f-]{36}/);
  await expect.poll(() => page.title()).toMatch(/^Alpha copy/);
  const tag = (word: string) => page.locator('.page-head .tag').filter({ hasText: word });
  await tag('momentum').waitFor();
  await fromMenu(page, 'Tags…');
  await page.getByRole('dialog').getByRole('checkbox', { name: 'momentum' }).uncheck();
  await page.getByRole('dialog').getByRole('button', { name: 'Save tags' }).click();
  await tag('momentum').waitFor({ state: 'detached' });
  await tag('BTC').waitFor();
});

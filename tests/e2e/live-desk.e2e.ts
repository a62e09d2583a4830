import { describe, expect, test } from 'vitest';
import { connected, liveService } from './support/live-service.ts';

const { guest: guestOf, show } = liveService();

describe('keys of agents', () => {
  test('a key with spending limits is made, and its limits are in the list', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await show(guest, '/keys');
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByLabel('Name').fill('Agent');
    await page.getByLabel('orders:read').check();
    await page.getByText('Order limits').click();
    await page.getByLabel('Largest buy, USD').fill('20');
    await page.getByLabel('Buys a day, USD').fill('100');
    await page.getByLabel('A person approves whatever it asks for').check();
    await page.getByRole('button', { name: 'Create key with 1 scope' }).click();
    await page.locator('[data-secret]').waitFor();
    await page.getByLabel('I stored it somewhere safe').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('buys to $20.00, $100.00 a day, always approved').waitFor();
    const [key] = await guest.api<{ mode: string; envelope: unknown }[]>('GET', '/api/agent-keys');
    expect(key).toMatchObject({
      mode: 'paper',
      envelope: { maxOrder: 20, maxDay: 100, alwaysApprove: true },
    });
  });

  test('a live key is refused without a largest buy, and ends within 90 days', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await show(guest, '/keys');
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByLabel('Name').fill('Real agent');
    await page.getByLabel('orders:read').check();
    await page.getByLabel('Expires after').selectOption('365 days');
    await page.getByRole('radio', { name: /Live/ }).check();
    expect(await page.getByLabel('Expires after').inputValue()).toBe('90');
    const create = page.getByRole('button', { name: 'Create live key with 1 scope' });
    expect(await create.isDisabled()).toBe(true);
    await page.getByText('A key for real money needs a largest buy.').waitFor();
    await page.getByLabel('Largest buy, USD').fill('5');
    await create.click();
    await page.locator('[data-secret]').waitFor();
    const [key] = await guest.api<{ mode: string; scopes: string[] }[]>('GET', '/api/agent-keys');
    expect(key).toMatchObject({ mode: 'live', scopes: ['orders:read', 'trade:live'] });
  });
});

describe('optional rules', () => {
  test('each is off until it is set; removing one again requires typing', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await show(guest, '/risk');
    const limit = page.getByRole('textbox', { name: 'Largest position' });
    expect(await limit.isDisabled()).toBe(true);
    await page.getByRole('switch', { name: 'Largest position is on' }).check({ force: true });
    await limit.fill('150');
    await page.getByRole('button', { name: 'Review 1 optional change' }).click();
    await page.getByRole('button', { name: 'Tighten 1 rule' }).click();
    await expect
      .poll(() => guest.api<Record<string, unknown>>('GET', '/api/risk-rules/optional'))
      .toMatchObject({ maxPositionSize: 150, maxVenueExposure: null });
    await page.getByText('Largest position off → $150.00').waitFor();
    await page.getByRole('switch', { name: 'Largest position is on' }).uncheck({ force: true });
    await page.getByRole('button', { name: 'Review 1 optional change' }).click();
    const loosen = page.getByRole('button', { name: 'Loosen 1 rule' });
    expect(await loosen.isDisabled()).toBe(true);
    await page.getByLabel('Type loosen to confirm').fill('loosen');
    await loosen.click();
    await expect
      .poll(() => guest.api<Record<string, unknown>>('GET', '/api/risk-rules/optional'))
      .toMatchObject({ maxPositionSize: null });
  });
});

describe('the overview', () => {
  test('shows the state of the connections: all of them on live pages, on paper pages only those that need a person', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const small = await connected(guest, 'Small');
    await connected(guest, 'Other');
    await show(guest, '/');
    await page.locator('.sum').first().waitFor();
    expect(await page.locator('[data-connections-line]').count()).toBe(0);
    await guest.api('POST', `/api/venue-connections/${small.id}/halt`);
    await page.locator('[data-connections-line]').waitFor();
    expect(await page.locator('[data-connections-line]').textContent()).toContain('stopped: Small.');
    await show(guest, '/live');
    const health = page.getByRole('region', { name: 'Connections' });
    await health.getByText('Halted', { exact: true }).waitFor();
    await health.getByText('Other').waitFor();
    expect(await page.getByRole('heading', { name: 'Getting started' }).count()).toBe(0);
  });
});

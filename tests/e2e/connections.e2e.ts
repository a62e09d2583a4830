import { describe, expect, test } from 'vitest';
import { type Guest, newGuest, open } from './support/browser.ts';
import { CREDENTIALS, connected, liveService } from './support/live-service.ts';

const { guest: guestOf, show: showPage } = liveService({
  // No process runs the checks here; they could tighten a connection at any moment.
  ROLE: 'api',
});
const show = (guest: Guest) => showPage(guest, '/connections');

describe('connections', () => {
  test('connecting an account needs the password again, and its secrets are stored nowhere in the browser', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await show(guest);
    await page.getByText('No account at a venue is connected').waitFor();
    await page.getByRole('button', { name: 'New connection' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect an account' });
    await dialog.getByLabel('Venue').selectOption('Crypto');
    await dialog.getByLabel('Name').fill('Small account');
    await dialog.getByLabel('API key').fill(CREDENTIALS.apiKey);
    await dialog.getByLabel('Secret').fill(CREDENTIALS.secret);
    await dialog.getByText('Limits of this connection', { exact: true }).click();
    await dialog.getByLabel('Largest order').fill('25');
    await dialog.getByLabel('Your password').fill('not the password');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Your password').inputValue()).toBe('');
    await dialog.getByLabel('Your password').fill(guest.password);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('heading', { name: 'Small account' }).waitFor();
    await page.getByText('…x3Kq').waitFor();
    await page.getByText('$25.00 an order').waitFor();
    const stored = await page.evaluate(() => [
      document.documentElement.outerHTML,
      ...Object.values(localStorage),
      ...Object.values(sessionStorage),
    ]);
    expect(
      stored.filter((text) => text.includes(CREDENTIALS.secret) || text.includes(CREDENTIALS.apiKey)),
    ).toEqual([]);
  });

  test('halting takes one press and one confirmation, without typing; a person resumes it', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await connected(guest);
    await show(guest);
    await page.getByRole('button', { name: 'Stop entries…' }).click();
    await page.getByRole('button', { name: 'Stop entries now' }).click();
    await page.getByText('Entries stopped by a person.').waitFor();
    await page.getByRole('button', { name: 'Halt…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Halt “Small”?' });
    expect(await question.getByRole('textbox').count()).toBe(0);
    await question.getByRole('button', { name: 'Halt it now' }).click();
    await page.locator('[data-state=halted]').waitFor();
    await page.getByText('Halted by a person.').waitFor();
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('button', { name: 'Check it and resume' }).click();
    await page.locator('[data-state=halted]').waitFor({ state: 'detached' });
  });

  test('every connection is halted at once, also one that another tab added meanwhile', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await connected(guest, 'First');
    await show(guest);
    await page.locator('[data-connection=live]').first().waitFor();
    await connected(guest, 'Second');
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    await page.getByRole('button', { name: 'Halt all…' }).click();
    await page.getByRole('button', { name: 'Halt all now' }).click();
    await expect.poll(() => page.locator('[data-state=halted]').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Halt all…' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel everywhere…' }).click();
    await page.getByRole('alertdialog', { name: 'Cancel every order at 2 connections?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel every order everywhere' }).click();
    await page.getByText('Every order is being canceled at every venue.').waitFor();
  });

  test('canceling all says whose orders it ends; a removal requires typing the name', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await connected(guest);
    await show(guest);
    await page.getByRole('button', { name: 'Cancel all orders…' }).click();
    await page.getByText('orders that you or another program placed there').waitFor();
    await page.getByRole('button', { name: 'Cancel every order there' }).click();
    await page.getByText('Every order of “Small” is being canceled.').waitFor();
    await page.getByRole('button', { name: 'Remove…' }).click();
    const remove = page.getByRole('button', { name: 'Remove “Small”' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Type Small to confirm').fill('Small');
    await remove.click();
    await page.getByText('Removed (1)').waitFor();
    await page.getByText('No account at a venue is connected').waitFor();
  });

  test('limits are changed and removed; typed text is stored nowhere', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await connected(guest);
    await show(guest);
    const limits = async (day: string) => {
      await page.getByRole('button', { name: 'Name and limits…' }).click();
      await page.getByLabel('Buys a day').fill(day);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await limits('200');
    await page.getByText('$200.00 a day').waitFor();
    await limits('');
    await page.getByText('none of its own').waitFor();
  });
});

test('with live trading off, the page says so, and the operator’s steps', async () => {
  await using guest = await newGuest();
  await open(guest.page, '/connections');
  await guest.page.getByText('Live trading is off.').waitFor();
  await guest.page.getByText('LIVE_TRADING=on').waitFor();
});

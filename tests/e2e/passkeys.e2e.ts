import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';

test('a passkey is added on the account page, signs in without password, and is removed', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await open(page, '/settings/account');
  const panel = page.getByRole('region', { name: 'Passkeys' });
  await panel.getByLabel('Name of the passkey').fill('This laptop');
  await panel.getByLabel('Your password now').fill(guest.password);
  await panel.getByRole('button', { name: 'Add a passkey…' }).click();
  await panel.getByText('This laptop').waitFor();

  await page.evaluate(() =>
    fetch('/api/auth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }),
  );
  await page.goto(new URL('/sign-in', page.url()).href);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('link', { name: 'Overview' }).first().waitFor();

  await open(page, '/settings/account');
  await panel.getByRole('button', { name: 'Remove passkey “This laptop”' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
  await panel.getByText('This laptop').waitFor({ state: 'detached' });
  expect(await panel.getByRole('listitem').count()).toBe(0);
});

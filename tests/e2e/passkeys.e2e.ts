import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

// Passkeys are bound to the public address, so this service is opened at its own.
let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ CONSOLE_BUILD: '0', DEMO: '0', LOG_LEVEL: 'warn' });
});
afterAll(() => service.stop());

test('a passkey is added on the account page, signs in without password, and is removed', async () => {
  await using guest = await newGuest({}, service.base);
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
  await open(page, '/settings/account', service.base);
  const panel = page.getByRole('region', { name: 'Passkeys' });
  await panel.getByLabel('Name of the passkey').fill('This laptop');
  await panel.getByLabel('Your password now').fill(guest.password);
  await panel.getByRole('button', { name: 'Add a passkey…' }).click();
  await panel.getByText('This laptop', { exact: true }).waitFor();

  await page.evaluate(() =>
    fetch('/api/auth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }),
  );
  await page.goto(new URL('/sign-in', page.url()).href);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('link', { name: 'Overview' }).first().waitFor();

  await open(page, '/settings/account', service.base);
  await panel.getByRole('button', { name: 'Remove passkey “This laptop”' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
  await panel.getByText('This laptop', { exact: true }).waitFor({ state: 'detached' });
  expect(await panel.getByRole('listitem').count()).toBe(0);
});

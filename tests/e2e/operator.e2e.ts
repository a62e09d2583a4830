import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { codeAt } from '../support/totp-code.ts';
import { violations } from './support/axe.ts';
import { type Guest, newGuest, open } from './support/browser.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ CONSOLE_BUILD: '0', DEMO: '0', LOG_LEVEL: 'warn' });
}, 240_000);
afterAll(() => service.stop());

const grant = ({ email }: Guest) =>
  runCommand('users', ['grant-operator', '--email', email], {
    NODE_ENV: 'test',
    DATA_DIR: service.dataDir,
  });

async function turnOnTwoFactor({ api, password }: Guest): Promise<void> {
  const { totpURI } = await api<{ totpURI: string }>('POST', '/api/auth/two-factor/enable', { password });
  await api('POST', '/api/auth/two-factor/verify-totp', { code: codeAt(totpURI) });
}

test('an operator suspends and resumes an account, ends its sessions and sees the processes; the page exists for no other user', async () => {
  await using guest = await newGuest({ colorScheme: 'dark' }, service.base);
  await using customer = await newGuest({}, service.base);
  const { page } = guest;
  expect((await grant(guest)).stderr).toContain('no authenticator');
  await turnOnTwoFactor(guest);
  await page.goto(`${service.base}/operator`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();

  expect(await grant(guest)).toMatchObject({ code: 0, stdout: expect.stringContaining('/operator') });
  await open(page, '/operator', service.base);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Operator' }).waitFor();
  await page.getByRole('searchbox', { name: 'Beginning of an e-mail' }).fill(customer.email.slice(0, 14));
  await expect.poll(() => page.getByRole('button', { name: /^Suspend / }).count()).toBe(1);
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: `Suspend ${customer.email}…` }).click();
  const dialog = page.getByRole('alertdialog');
  expect(await dialog.getByRole('button', { name: 'Suspend the account' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('Unpaid since May');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Suspend the account' }).click();
  await page.getByRole('button', { name: `Resume ${customer.email}…` }).waitFor();
  await page.getByText('Suspended', { exact: true }).waitFor();

  await expect(
    customer.api('POST', '/api/api-keys', { name: 'New', scopes: ['portfolio:read'] }),
  ).rejects.toThrow('account_suspended');
  await open(customer.page, '/', service.base);
  await customer.page.getByRole('alert').getByText('Unpaid since May').waitFor();
  await open(customer.page, '/activity', service.base);
  const entry = customer.page.getByRole('listitem').filter({ hasText: 'Account suspended' });
  await entry.getByText('Unpaid since May').first().waitFor();
  await entry.getByText('by an operator').waitFor();
  await customer.page.goto(`${service.base}/operator`);
  await customer.page.getByRole('heading', { name: 'There is no such page' }).waitFor();

  await page.getByRole('button', { name: `Resume ${customer.email}…` }).click();
  await dialog.getByLabel('Reason').fill('Paid in June');
  await dialog.getByRole('button', { name: 'Resume the account' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.getByRole('button', { name: `End sessions of ${customer.email}…` }).click();
  await dialog.getByLabel('Reason').fill('A lost laptop');
  await dialog.getByRole('button', { name: 'End the sessions' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect(customer.api('GET', '/api/portfolio')).rejects.toThrow('401');

  await page.getByRole('button', { name: `Limits of ${customer.email}…` }).click();
  await dialog.getByLabel('Strategies').fill('1001');
  await dialog.getByText('A whole number from 0 to 1,000.').first().waitFor();
  await dialog.getByLabel('Strategies').fill('500');
  await dialog.getByLabel('Reason').fill('A larger plan');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Set the limits' }).click();
  await page.getByText('0 of 500', { exact: true }).waitFor();

  const processes = page.getByRole('region', { name: 'Processes' });
  await processes.getByText('Works', { exact: true }).waitFor();
  await processes.getByRole('button', { name: /^Drain the process on / }).click();
  await processes.getByText('Drains', { exact: true }).waitFor();
  await processes.getByRole('button', { name: /^End drain of the process on / }).click();
  await processes.getByText('Works', { exact: true }).waitFor();
}, 180_000);

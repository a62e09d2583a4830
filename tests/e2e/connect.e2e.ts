import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { base, browser, type Guest, newGuest, open, publicUrl } from './support/browser.ts';

const BACK = 'https://connector.test/callback';
const VERIFIER = 'v'.repeat(50);

/** Registers a program under this name, and returns the path of the page that its request leads to. */
async function ask(
  { context }: Pick<Guest, 'context'>,
  name: string,
): Promise<{ path: string; clientId: string }> {
  const registered = await context.request.post(`${base}/oauth/register`, {
    data: { client_name: name, redirect_uris: [BACK] },
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: BACK,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'orders:read blueprints:deploy',
    state: '1e5',
  });
  const page = await context.request.get(`${base}/oauth/authorize?${query}`, { maxRedirects: 0 });
  return { clientId, path: (page.headers()['location'] ?? '').replace(publicUrl, '') };
}

/** Answers for the program, and returns the address it was called with. */
async function returned({ page }: Pick<Guest, 'page'>, press: () => Promise<void>): Promise<URL> {
  await page.route(`${BACK}?**`, (route) => route.fulfill({ body: 'connected' }));
  await press();
  await page.waitForURL(`${BACK}?**`);
  return new URL(page.url());
}

describe('a program that asks for access', () => {
  test('gets what the user leaves it: fewer scopes, with limits, listed among the keys and revocable there', async () => {
    await using guest = await newGuest({ colorScheme: 'dark' });
    const { page } = guest;
    const { path, clientId } = await ask(guest, 'Claude');
    await open(page, path);
    await page.getByText('“Claude”').waitFor();
    await page.getByText('connector.test', { exact: true }).waitFor();
    await page.getByText(/This name is not verified/).waitFor();
    expect(await page.getByLabel('A person approves whatever it asks for').isChecked()).toBe(true);
    expect(await violations(page)).toEqual([]);

    await page.getByLabel('blueprints:deploy').uncheck();
    await page.getByLabel('Largest buy, USD').fill('20');
    const back = await returned(guest, () => page.getByRole('button', { name: 'Allow 1 scope' }).click());
    expect(back.searchParams.get('state')).toBe('1e5');

    const tokens = await guest.context.request.post(`${base}/oauth/token`, {
      form: {
        grant_type: 'authorization_code',
        client_id: clientId,
        code: back.searchParams.get('code') ?? '',
        code_verifier: VERIFIER,
        redirect_uri: BACK,
      },
    });
    expect(await tokens.json()).toMatchObject({ scope: 'orders:read', expires_in: 3_600 });
    expect(await guest.api('GET', '/api/agent-keys')).toMatchObject([
      { scopes: ['orders:read'], envelope: { maxOrder: 20, alwaysApprove: true } },
    ]);
    await open(page, '/keys');
    await page.getByText('connected program “Claude” at connector.test').waitFor();
    expect(await page.getByRole('button', { name: 'Rotate…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke…' }).waitFor();
  });

  test('is notified of a user who declines, after a sign-in on the way', async () => {
    const context = await (await browser()).newContext();
    await using guest = await newGuest();
    const page = await context.newPage();
    await open(page, (await ask(guest, 'Other')).path);
    await page.getByLabel('E-mail').fill(guest.email);
    await page.getByLabel('Password', { exact: true }).fill(guest.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const decline = page.getByRole('button', { name: 'Decline and go back to connector.test' });
    const back = await returned({ page }, () => decline.click());
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('code')).toBeNull();
    await context.close();
  });
});

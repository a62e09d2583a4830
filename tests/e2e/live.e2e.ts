import type { BrowserContext, Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, type Guest, newGuest, open } from './support/browser.ts';
import { isLive } from './support/live.ts';
import { buysAtOnce, deployed, orderIn } from './support/strategies.ts';

/** Streams of a context that are open now. */
function countStreams(context: BrowserContext): () => number {
  const open = new Set<Request>();
  const isStream = (url: string) => url.includes('/trpc/events');
  context.on('request', (request) => isStream(request.url()) && open.add(request));
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  return () => [...open].filter((request) => !request.frame().page().isClosed()).length;
}

async function signIn(page: Page, { email, password }: Guest): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('the live stream', () => {
  test('R23: two tabs share one stream, and the second takes over when the first closes', async () => {
    await using guest = await newGuest();
    const streams = countStreams(guest.context);
    await open(guest.page, '/orders');
    await isLive(guest.page);
    const second = await guest.context.newPage();
    await open(second, '/orders');
    await isLive(second);
    expect(streams()).toBe(1);

    await deployed(guest, buysAtOnce(30));
    const order = await orderIn(guest, 'filled');
    for (const page of [guest.page, second]) {
      await page.locator(`tr[data-row="${order.id}"]`).getByText('Filled', { exact: true }).waitFor();
    }

    await guest.page.close();
    await isLive(second);
    await deployed(guest, buysAtOnce(80), 'After the leader left');
    const pending = await orderIn(guest, 'pending');
    await second.getByText('Awaiting approval (1)').waitFor();
    expect(await second.locator(`tr[data-row="${pending.id}"]`).count()).toBe(2);
    expect(streams()).toBe(1);
  }, 90_000);

  test('a sign-out in one tab signs out the others, and another user in one is shown in all', async () => {
    await using guest = await newGuest();
    await using other = await newGuest();
    const { page } = guest;
    const second = await guest.context.newPage();
    await open(second, '/orders');
    await isLive(second);
    await open(page, '/');
    await page.getByRole('button', { name: 'You and settings' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.waitForURL(/\/sign-in\?next=%2Forders/);
    await signIn(second, guest);
    await second.waitForURL(`${base}/orders`);
    await isLive(second);

    await page.goto(`${base}/sign-in`);
    const again = second.waitForEvent('load');
    await signIn(page, other);
    await again;
    await second.getByRole('button', { name: 'You and settings' }).click();
    await second.getByText(other.email).waitFor();
    expect(new URL(second.url()).pathname).toBe('/orders');
  });

  test('two tabs with two blueprints both see their steps live, over the one stream', async () => {
    await using guest = await newGuest();
    const streams = countStreams(guest.context);
    const [one, two] = [
      await deployed(guest, buysAtOnce(5), 'One'),
      await deployed(guest, buysAtOnce(6), 'Two'),
    ];
    const { page } = guest;
    const second = await guest.context.newPage();
    await open(page, `/blueprints/${one.id}`);
    await isLive(page);
    await open(second, `/blueprints/${two.id}`);
    await isLive(second);
    for (const tab of [page, second]) await tab.route(/console\.blueprint\b/, (route) => route.abort());
    const price = (tab: Page) => tab.locator('[data-id=price] .node-value').textContent();
    const before = [await price(page), await price(second)];
    await expect
      .poll(async () => [await price(page), await price(second)].every((now, tab) => now !== before[tab]), {
        timeout: 30_000,
      })
      .toBe(true);
    expect(streams()).toBe(1);

    await page.close();
    await isLive(second);
    const last = await price(second);
    await expect.poll(() => price(second), { timeout: 20_000 }).not.toBe(last);
  }, 90_000);
});

import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { isLive } from './support/live.ts';
import { liveService } from './support/live-service.ts';

const { service, guest: guestOf, show } = liveService();

describe('the mode of a page', () => {
  test('the switch leads to the same page of the other mode and back, which words and the header show', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const head = () => page.locator('.topbar').evaluate((bar) => getComputedStyle(bar).backgroundColor);
    await show(guest, '/portfolio');
    const paper = await head();
    await page.locator('[data-mode=paper]').waitFor();
    await page.getByRole('link', { name: 'Go to live' }).click();
    await page.waitForURL(`${service().base}/live/portfolio`);
    await page.locator('[data-mode=live]').waitFor();
    expect(await page.locator('[data-mode=live]').textContent()).toBe('Live· real orders');
    expect(await head()).not.toBe(paper);
    await expect.poll(() => page.title()).toContain('live');
    await page.getByRole('link', { name: 'Go to paper' }).click();
    await page.waitForURL(`${service().base}/portfolio`);
    await page.locator('[data-mode=paper]').waitFor();
    expect(await head()).toBe(paper);
  });

  test('live pages call only live procedures, on every page, and paper pages never do', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const requested: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/\/trpc\//.test(pathname)) requested.push(pathname);
    });
    const walk = async () => {
      for (const name of [
        'Strategies',
        'Orders',
        'Portfolio',
        'Risk',
        'Connections',
        'Activity',
        'Overview',
      ]) {
        await page.getByRole('navigation').getByRole('link', { name }).click();
        await page.getByRole('heading', { name, level: 1 }).waitFor();
      }
    };
    await show(guest, '/live');
    await isLive(page);
    await walk();
    expect(new URL(page.url()).pathname).toMatch(/^\/live\/?$/);
    expect(requested.filter((path) => !path.startsWith('/live/trpc/'))).toEqual([]);
    requested.length = 0;
    await show(guest, '/');
    await isLive(page);
    await walk();
    expect(requested.filter((path) => path.startsWith('/live'))).toEqual([]);
  });

  test('two tabs show two books, each its own, and keep their mode over a reload', async () => {
    await using guest = await guestOf();
    const paper = guest.page;
    const live = await guest.context.newPage();
    const cash = (page: typeof paper) => page.getByText('$10,000.00').count();
    await open(paper, '/portfolio', service().base);
    await open(live, '/live/portfolio', service().base);
    for (const page of [paper, live]) await isLive(page);
    await expect.poll(() => cash(paper)).toBeGreaterThan(0);
    expect(await cash(live)).toBe(0);
    await live.reload();
    await live.locator('[data-mode=live]').waitFor();
    expect(await cash(live)).toBe(0);
  });

  test('a link to a live page still opens the live page after a sign-in', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    await guest.context.clearCookies();
    await page.goto(`${service().base}/live/orders?status=pending`);
    await page.waitForURL(/\/live\/sign-in/);
    await page.getByLabel('E-mail').fill(guest.email);
    await page.getByLabel('Password', { exact: true }).fill(guest.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${service().base}/live/orders?status=pending`);
    await page.locator('[data-mode=live]').waitFor();
  });
});

test('with live trading off, a live page says so, who can turn it on, and links back', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, '/live/orders');
  await page.getByRole('heading', { name: 'Live trading is off' }).waitFor();
  await page.getByRole('link', { name: 'Back to paper' }).click();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await page.locator('[data-mode=paper]').waitFor();
});

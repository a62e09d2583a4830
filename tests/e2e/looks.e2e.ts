import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, type Guest, newGuest, open } from './support/browser.ts';
import { buysAtOnce, deployed, drafted, pendingOrder } from './support/strategies.ts';

const search = (page: Page) => page.getByPlaceholder('Page, strategy or action');

/** Opens the search and takes the entry found by these words. */
async function take({ page }: Guest, words: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await search(page).fill(words);
  await page.getByRole('button', { name }).first().click();
  await search(page).waitFor({ state: 'detached' });
}

/** Waits for a dialog to open, and closes it. */
async function leave({ page }: Guest, name: string): Promise<void> {
  await page.getByRole('dialog', { name }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
}

describe('the search', () => {
  test.each(['dark', 'light'] as const)('is a panel in the upper middle, %s', async (colorScheme) => {
    await using guest = await newGuest({ colorScheme });
    const { page } = guest;
    await open(page, '/');
    await page.keyboard.press('Control+k');
    await search(page).waitFor();
    await page.waitForTimeout(300);
    const panel = page.getByRole('dialog', { name: 'Search' });
    const box = await panel.boundingBox();
    if (!box) throw new Error('The search is not shown.');
    expect(box.width).toBeLessThan(800);
    expect(box.y).toBeGreaterThan(20);
    expect(Math.abs(box.x + box.width / 2 - 720)).toBeLessThan(12);
    expect(await panel.evaluate((element) => getComputedStyle(element).borderRadius)).not.toBe('0px');
  });

  test('finds pages, blueprints and actions, and passes words on to the markets', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await drafted(guest, buysAtOnce(5), 'Slow and steady');
    await open(page, '/');
    await take(guest, 'portf', 'Portfolio');
    await page.waitForURL(`${base}/portfolio`);
    await take(guest, 'steady', /Slow and steady/);
    await page.waitForURL(/\/blueprints\/[\da-f-]{36}/);
    await take(guest, 'new strat', 'New strategy');
    await leave(guest, 'New strategy');
    expect(new URL(page.url()).search).toBe('');
    await take(guest, 'new api', 'New API key');
    await leave(guest, 'New API key');
    await take(guest, 'keyboard', 'Keyboard shortcuts');
    await leave(guest, 'Keyboard shortcuts');
    await take(guest, 'fed', 'Find “fed” in markets');
    await page.waitForURL(/\/markets\?find=fed/);
  });

  test('proposes before a word is typed what can be done now: approvals, and the open strategy', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await pendingOrder(guest);
    const [{ id } = { id: '' }] = await guest.api<{ id: string }[]>('GET', '/api/blueprints');
    await open(page, `/blueprints/${id}`);
    await page.getByRole('button', { name: 'Stop…' }).waitFor();
    await page.keyboard.press('Control+k');
    const entries = page.locator('.mantine-Spotlight-action');
    await entries.filter({ hasText: /^Approve buy/ }).waitFor();
    const first = (await entries.allTextContents()).slice(0, 3);
    expect(first.map((text) => text.split(' ')[0])).toEqual(['Approve', 'Stop', 'Backtest']);
    await search(page).press('ArrowDown');
    // As one who still holds Ctrl of Ctrl+K, and Enter too long: Ctrl+Enter confirms a dialog.
    await page.keyboard.down('Control');
    await page.keyboard.down('Enter');
    const dialog = page.getByRole('alertdialog', { name: /^Approve buy/ });
    await dialog.getByRole('button', { name: /^Approve/, disabled: false }).waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.up('Control');
    const [order] = await guest.api<{ status: string }[]>('GET', '/api/orders');
    expect(order?.status).toBe('pending');
    expect(await dialog.isVisible()).toBe(true);
  });

  test('a later result is selected once it arrives, unless the user has moved', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const chosen = page.locator('.mantine-Spotlight-action[data-selected]');
    await open(page, '/');
    await page.keyboard.press('Control+k');
    await search(page).fill('btcusdt');
    await expect.poll(() => chosen.textContent()).toContain('Find “btcusdt” in markets');
    await expect.poll(() => chosen.textContent(), { timeout: 15_000 }).toMatch(/^BTC\/USDT/);
    await page.keyboard.press('Escape');
    await search(page).waitFor({ state: 'detached' });

    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/trpc/console.instruments*', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await search(page).fill('ethusdt');
    await expect.poll(() => chosen.textContent()).toContain('Find “ethusdt” in markets');
    await page.keyboard.press('ArrowDown');
    answer();
    await page.getByRole('button', { name: /^ETH\/USDT/ }).waitFor();
    expect(await chosen.textContent()).toContain('Find “ethusdt” in orders');
  });
});

test('stopping all strategies comes before stopping one whose name has the word all', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await deployed(guest, buysAtOnce(5), 'All of the stops');
  await open(page, '/');
  await page.keyboard.press('Control+k');
  const entries = page.locator('.mantine-Spotlight-action');
  for (const words of ['stop', 'stop all', 'all stop']) {
    await search(page).fill(words);
    await entries.filter({ hasText: 'Stop “All of the stops”…' }).waitFor();
    const stops = (await entries.allTextContents()).filter((text) => text.startsWith('Stop '));
    expect([words, stops.map((text) => text.replace(/Running$/, ''))]).toEqual([
      words,
      ['Stop all…', 'Stop “All of the stops”…'],
    ]);
  }
  // The first is selected: Enter takes it.
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: /^Stop/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
});

test('a page looks the same whatever was open before it', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  const { id } = await drafted(guest, buysAtOnce(5), 'Opened before');
  await open(page, '/');
  const looks = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main *')].map((element) => {
        const { border, padding, margin, display, backgroundColor, fontSize } = getComputedStyle(element);
        return `${element.className} ${border} ${padding} ${margin} ${display} ${backgroundColor} ${fontSize}`;
      }),
    );
  const kpis = async () => {
    await page.locator('.sum dd').first().waitFor();
    await page.waitForTimeout(1_000);
    return (await looks()).filter((look) => /^(sum|strip|num|panel)/.test(look));
  };
  const before = await kpis();
  await page.getByRole('link', { name: 'Strategies', exact: true }).click();
  await page.getByRole('link', { name: 'Opened before' }).click();
  await page.locator('.react-flow__node').first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/blueprints/${id}`);
  await page.getByRole('link', { name: 'Overview' }).click();
  expect(await kpis()).toEqual(before);
});

test('each running strategy says on the overview what its next action waits for', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await deployed(guest, buysAtOnce(5), 'One');
  await open(page, '/');
  await page.locator('.strip', { hasText: 'One' }).getByText('Buy').waitFor();
});

test('everything is stopped by two presses, and nothing has to be typed', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  const one = await deployed(guest, buysAtOnce(5), 'One');
  await open(page, '/');
  await page.getByRole('button', { name: 'Stop all…' }).click();
  const dialog = page.getByRole('alertdialog');
  expect(await dialog.getByRole('textbox').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Stop 1 strategy' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { status } = await guest.api<{ status: string }>('GET', `/api/blueprints/${one.id}`);
  expect(status).toBe('stopped');
});

describe('on a phone', () => {
  const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

  test('a chosen market replaces the list, from its top, and the back link leads to the list', async () => {
    await using guest = await newGuest(PHONE);
    const { page } = guest;
    await open(page, '/markets');
    const row = page.locator('.market-list button').nth(6);
    await row.tap();
    await page.locator('table.ladder').waitFor();
    const title = await page.locator('.markets > .stack h2').first().boundingBox();
    expect(title?.y).toBeGreaterThan(48);
    expect(title?.y).toBeLessThan(300);
    expect(await row.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All markets' }).tap();
    await row.waitFor();
  });

  test('a blueprint is a row of two lines, and the header’s controls stay inside it', async () => {
    await using guest = await newGuest(PHONE);
    const { page } = guest;
    for (const name of ['One', 'Two']) await drafted(guest, buysAtOnce(5), name);
    await open(page, '/blueprints');
    const row = await page.locator('tr[data-row]').first().boundingBox();
    expect(row?.height).toBeLessThan(80);
    const header = await page.locator('.topbar').boundingBox();
    const search = await page.locator('.search-button').boundingBox();
    if (!header || !search) throw new Error('The header is not shown.');
    expect(search.y - header.y).toBeGreaterThanOrEqual(4);
    expect(header.y + header.height - search.y - search.height).toBeGreaterThanOrEqual(4);
    expect(search.width).toBeGreaterThanOrEqual(44);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBe(390);
  });
});

/** Texts that are wider than their element. */
const cut = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((elements) =>
      elements
        .filter((element) =>
          [element, ...element.querySelectorAll('*')].some(
            (part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth,
          ),
        )
        .map(({ textContent }) => textContent),
    );

test('no pill of the header and no button beside a field is cut', async () => {
  await using guest = await newGuest({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await open(guest.page, '/');
  await guest.page.locator('.topbar [data-connection=live]').waitFor();
  await guest.page.locator('.topbar [data-prices]').waitFor();
  expect(await cut(guest.page, '.topbar .chip')).toEqual([]);

  await using desk = await newGuest();
  const { id } = await drafted(desk, buysAtOnce(5), 'With a field');
  await open(desk.page, `/blueprints/${id}`);
  await desk.page.locator('.react-flow__node', { hasText: 'Buy' }).first().click();
  await desk.page.getByRole('button', { name: 'Find…' }).waitFor();
  expect(await cut(desk.page, '.inspector button')).toEqual([]);
});

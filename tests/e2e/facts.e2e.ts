import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, newGuest, open } from './support/browser.ts';
import { heldPosition, pendingOrder } from './support/strategies.ts';

/** Answers a query as the server would refuse it. */
const refuse =
  (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  async (route: Route) => {
    const count = (new URL(route.request().url()).pathname.split('/').pop() ?? '').split(',').length;
    const error = {
      error: {
        message,
        code: -32000,
        data: {
          code: 'X',
          httpStatus: status,
          path: 'x',
          error: { message, code, requestId: 'req-12345678' },
        },
      },
    };
    const batched = route.request().url().includes('batch=1');
    await route.fulfill({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(batched ? Array.from({ length: count }, () => error) : error),
    });
  };

/** Alone or in a batch. */
const ACCOUNT = /\/trpc\/[^?]*console\.account/;

describe('shown values', () => {
  test('R9: times name their zone, show the other zone and the age on hover, and are copied as ISO', async () => {
    await using guest = await newGuest({ timezoneId: 'Asia/Kolkata' });
    const { page } = guest;
    await pendingOrder(guest);
    await open(page, '/orders');
    const time = page.locator('td[data-label=Time] time').first();
    expect(await time.textContent()).toMatch(/^\d\d:\d\d:\d\d UTC$/);
    expect(await time.getAttribute('title')).toMatch(/UTC\n.*GMT\+5:30\n.*ago$/s);
    expect(await time.getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    await page.keyboard.press('t');
    expect(await time.textContent()).toMatch(/GMT\+5:30$/);
    const copied = await time.evaluate((element) => {
      const selection = getSelection();
      selection?.selectAllChildren(element);
      const data = new DataTransfer();
      element.dispatchEvent(
        new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData: data }),
      );
      return data.getData('text/plain');
    });
    expect(copied).toBe(await time.getAttribute('datetime'));
  });

  test('R10: numbers are grouped, aligned and tabular; an unknown one is a dash; buttons cover none', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    await open(page, '/orders');
    const price = page.locator('td[data-label=Notional]').first();
    expect(await price.textContent()).toMatch(/^\$\d{1,3}(,\d{3})*\.\d\d$/);
    const style = await price.evaluate((element) => {
      const { textAlign, fontVariantNumeric } = getComputedStyle(element);
      return `${textAlign} ${fontVariantNumeric}`;
    });
    expect(style).toMatch(/^right .*tabular-nums/);
    await guest.api('PUT', '/api/risk-rules', { maxOrderSize: 1 });
    await open(page, '/portfolio');
    expect(await page.locator('main').textContent()).not.toMatch(/NaN|N\/A|undefined|null/);
    const row = page.locator('tr', { has: page.locator('td[data-column=since]') }).first();
    for (const width of [1411, 1440, 1501, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const since = await row.locator('td[data-column=since] time').boundingBox();
      const buttons = await row.locator('td').last().boundingBox();
      expect(since && since.x + since.width, `${width} px`).toBeLessThanOrEqual(buttons?.x ?? 0);
    }
  });

  test('R11 and R12: outcomes are priced in cents by their tick, and Yes and No are one book', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/markets');
    const row = page.locator('.market-list button').first();
    expect(await row.textContent()).toMatch(/¢ (mid|last)/);
    await row.click();
    const headline = page.locator('.panel', { hasText: 'Instrument' }).first();
    await expect.poll(() => headline.textContent()).toMatch(/\d+(\.\d+)?¢(mid|last)/);
    expect(await headline.textContent()).toMatch(/bid [\d.]+¢ · ask [\d.]+¢ · spread [\d.]+¢/);
    const ladder = page.locator('table.ladder');
    await ladder.waitFor();
    const levels = async () => {
      const rows = await ladder
        .locator('tbody tr:not(.spread)')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
      const of = (side: string) =>
        rows.filter(([name]) => name === side).map(([, price]) => Number.parseFloat(price ?? ''));
      return { asks: of('ask'), bids: of('bid') };
    };
    const yes = await levels();
    expect(Math.min(...yes.asks)).toBeGreaterThan(Math.max(...yes.bids));
    expect(yes.asks.at(-1)).toBe(Math.min(...yes.asks));
    expect(yes.bids[0]).toBe(Math.max(...yes.bids));
    await page.getByRole('radiogroup', { name: 'Outcome' }).getByText(/^no$/i).click();
    await expect.poll(async () => page.locator('h2', { hasText: /^no book$/i }).count()).toBe(1);
    await ladder.waitFor();
    const no = await levels();
    expect(Math.abs((no.asks.at(-1) ?? 0) - (100 - (yes.bids[0] ?? 0)))).toBeLessThan(3);
  });

  test('R13: every id is short with a button that copies all of it; c copies the id of the row', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await guest.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    const order = await pendingOrder(guest);
    await open(page, '/orders');
    const id = page.locator('td[data-label=Order] .id').first();
    expect(await id.textContent()).toContain(order.id.slice(0, 8));
    await page
      .getByRole('button', { name: `Copy order id ${order.id}` })
      .first()
      .click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(order.id);
    await page.locator('[aria-live]', { hasText: 'Copied' }).first().waitFor({ state: 'attached' });
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(order.id);
  });

  test('R14: an empty page has its purpose, the reason, one button and the command with this address', async () => {
    await using guest = await newGuest();
    for (const [path, title] of [
      ['/blueprints', 'No strategies yet'],
      ['/orders', 'No orders here'],
      ['/portfolio', 'No positions'],
      ['/keys', 'No keys yet'],
    ] as const) {
      await open(guest.page, path);
      const empty = guest.page.locator('.empty', { hasText: title });
      await empty.waitFor();
      const command = (await empty.locator('.curl pre').textContent()) ?? '';
      expect(command, path).toContain('Bearer $API_KEY');
      expect(command, path).toContain(`${base}/api/`);
    }
  });

  test('R15: placeholders keep the space of loading rows, and rows stay while they are read again', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await pendingOrder(guest);
    let held: () => void = () => {};
    await page.route('**/trpc/console.orders*', async (route) => {
      await new Promise<void>((resolve) => {
        held = resolve;
      });
      await route.continue();
    });
    await page.goto(`${base}/orders`);
    await page.locator('.skeleton').first().waitFor();
    held();
    await page.unroute('**/trpc/console.orders*', undefined);
    await page.locator('tr[data-row]').first().waitFor();
    await page.route('**/trpc/**', () => new Promise<void>(() => {}));
    const again = page.waitForRequest(/console\.orders/);
    await comeBack(page);
    await again;
    await page.waitForTimeout(500);
    expect(await page.locator('tr[data-row]').count()).toBeGreaterThan(0);
    expect(await page.locator('.skeleton').count()).toBe(0);
  });

  test('R16: errors say what happened, the id to quote and when to retry', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const visit = async (handler: (route: Route) => Promise<void>) => {
      await page.route(ACCOUNT, handler);
      await page.goto(`${base}/portfolio`);
      const alert = page.getByRole('alert').first();
      await alert.waitFor();
      const text = await alert.textContent();
      await page.unroute(ACCOUNT);
      return text;
    };
    expect(await visit(refuse(500, 'internal', 'Unexpected server error.'))).toMatch(
      /Unexpected server error.*req-12345678/s,
    );
    await guest.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    await page.getByRole('button', { name: 'Copy request ID' }).first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('req-12345678');
    expect(
      await visit(refuse(403, 'insufficient_scope', 'This key lacks the scope portfolio:read.')),
    ).toContain('portfolio:read');
    expect(await visit(refuse(429, 'rate_limited', 'Too many requests.', { 'retry-after': '4' }))).toMatch(
      /Try again in [34] s/,
    );
    const positions = page.getByRole('region', { name: 'Positions' });
    const again = positions.getByRole('button', { name: 'Try again' });
    expect(await again.isEnabled()).toBe(false);
    await page
      .getByRole('alert')
      .first()
      .getByText(/Try again in [12] s/)
      .waitFor();
    await expect.poll(() => again.isEnabled(), { timeout: 8_000 }).toBe(true);
    await again.click();
    await positions.getByText('No positions').waitFor();
  });

  test('R16: a response with the message at its top level, or without one, is shown in words', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await guest.context.clearCookies();
    const visit = async (body: string) => {
      await page.route('**/sign-in/email', (route) =>
        route.fulfill({ status: 401, headers: { 'content-type': 'application/json' }, body }),
      );
      await page.goto(`${base}/sign-in`);
      await signIn(page, guest.email, 'wrong password');
      const said = await page.getByRole('alert').textContent();
      await page.unroute('**/sign-in/email');
      return said;
    };
    expect(await visit('{"message":"E-mail or password is wrong."}')).toBe('E-mail or password is wrong.');
    expect(await visit('{"error":{"message":"Nested."}}')).toBe('Nested.');
    expect(await visit('<html>')).toBe('The service answered 401.');
  });

  test('R16: a session that ends while a page is open leads to sign-in, and back to it', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/orders?side=buy');
    await guest.context.clearCookies();
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.waitForURL(/\/sign-in\?next=/, { timeout: 30_000 });
    await signIn(page, guest.email, guest.password);
    await page.waitForURL(`${base}/orders?side=buy`);
  });

  test('R16: a lost session leads to sign-in and back to the same page', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/risk');
    await guest.context.clearCookies();
    await page.goto(`${base}/portfolio?range=1d`);
    await page.waitForURL(/\/sign-in/);
    await signIn(page, guest.email, guest.password);
    await page.waitForURL(`${base}/portfolio?range=1d`);
  });

  test('R16: the last data stays on screen when the service fails', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    await open(page, '/portfolio');
    await page.getByText('BTC/USDT').first().waitFor();
    await page.route(
      '**/trpc/**',
      refuse(503, 'database_unavailable', 'The database does not answer.', { 'retry-after': '2' }),
    );
    await comeBack(page);
    const notice = page.locator('[data-outdated]');
    await notice.getByText(/The database does not answer\. What you see was read/).waitFor();
    const age = async () => Number(/(\d+)/.exec((await notice.locator('time').textContent()) ?? '')?.[1]);
    const before = await age();
    await expect.poll(age, { timeout: 10_000 }).toBeGreaterThan(before);
    expect(await notice.textContent()).toContain('req-12345678');
    expect(await page.getByText('BTC/USDT').count()).toBeGreaterThan(0);
    await page.unroute('**/trpc/**');
    await notice.waitFor({ state: 'detached', timeout: 20_000 });
  });
});

const STALE_MS = 10_500;

/** Returns as a user who was elsewhere until the page's data had become old. */
async function comeBack(page: Page): Promise<void> {
  await page.waitForTimeout(STALE_MS);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

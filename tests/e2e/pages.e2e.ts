import { describe, expect, test } from 'vitest';
import { codeAt } from '../support/totp-code.ts';
import { violations } from './support/axe.ts';
import { base, newGuest, open, visit } from './support/browser.ts';
import { showGraph } from './support/editor.ts';
import { PAGES } from './support/scenes.ts';
import { buysAtOnce, deployed, drafted, heldPosition, orderIn, pendingOrder } from './support/strategies.ts';

describe('every page', () => {
  test('R1: the console and /docs request nothing from another host', async () => {
    await using guest = await newGuest();
    const hosts = new Set<string>();
    guest.context.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith('http')) hosts.add(host);
    });
    const blocked: string[] = [];
    guest.page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) blocked.push(message.text());
    });
    const { id } = await drafted(guest, buysAtOnce(10));
    for (const path of [...PAGES, `/blueprints/${id}`, `/blueprints/${id}?tab=json`])
      await visit(guest.page, path);
    await guest.page.goto(`${base}/docs`);
    await guest.page.getByRole('link', { name: 'Open the playground' }).click();
    await guest.page.getByRole('button', { name: 'Search' }).first().waitFor();
    expect([...hosts]).toEqual([new URL(base).host]);
    expect(blocked).toEqual([]);
  }, 120_000);

  test('of the pages of settings and of the filters by status, the open one alone is marked, and it looks so', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await drafted(guest, buysAtOnce(10));
    for (const [path, nav, name] of [
      ['/settings', 'Settings', /^This browser$/],
      ['/settings/account', 'Settings', /^Your account$/],
      ['/blueprints', 'Status', /^all 1$/],
      ['/blueprints?status=draft', 'Status', /^draft 1$/],
      ['/blueprints?status=draft&find=o', 'Status', /^draft 1$/],
    ] as const) {
      await open(page, path);
      const links = page.getByRole('navigation', { name: nav }).getByRole('link');
      const marked = links.and(page.locator('[aria-current]'));
      await marked.filter({ hasText: name }).waitFor();
      expect([path, await marked.count()]).toEqual([path, 1]);
      const background = ([link]: Element[]) => link && getComputedStyle(link).backgroundColor;
      expect(await marked.evaluateAll(background)).not.toBe(
        await links.and(page.locator(':not([aria-current])')).evaluateAll(background),
      );
    }
  });

  test('the reference is searched by every word of an operation, and shows all of them again', async () => {
    await using guest = await newGuest();
    await guest.page.goto(`${base}/docs`);
    const operations = guest.page.locator('section > details:visible');
    const all = await operations.count();
    const field = guest.page.getByRole('searchbox', { name: 'Search operations' });
    await field.fill('POST approve orders/{id}/approve');
    await expect.poll(() => operations.first().getAttribute('id')).toBe('orders-approve');
    expect(await guest.page.getByRole('heading', { name: 'Sweeps' }).count()).toBe(0);
    await field.fill('');
    await expect.poll(() => operations.count()).toBe(all);
  });

  test('R7: a state has a word and an icon as well as its colour, and the palette is a choice', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    await open(page, '/orders');
    const status = page.locator('tbody .status').first();
    expect(await status.textContent()).toMatch(/\w/);
    expect(await status.locator('svg').count()).toBe(1);
    await open(page, '/portfolio');
    expect(
      await page.locator('td[data-label=Unrealized], td[data-label=Realized]').allTextContents(),
    ).toContainEqual(expect.stringMatching(/^[+−]\$[\d,.]+ [▲▼]$/));
    await open(page, '/blueprints');
    await expect
      .poll(() => page.locator('td[data-label="P&L"]').allTextContents())
      .toContainEqual(expect.stringMatching(/^[+−]\$[\d,.]+ [▲▼]$/));
    await open(page, '/settings');
    const up = () =>
      page
        .locator('.up')
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    const green = await up();
    await page.getByText('Blue and orange').click();
    expect(await up()).not.toBe(green);
  });

  test('the sign-in page offers this service’s providers, and shows the result of one', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await guest.context.clearCookies();
    await page.goto(`${base}/sign-in`);
    await page.getByRole('link', { name: 'Sign up' }).waitFor();
    expect(await page.getByRole('button', { name: /^Continue with/ }).count()).toBe(0);
    await page.route('**/trpc/console.entrance*', (route) =>
      route.fulfill({ json: [{ result: { data: { signUp: false, providers: ['github'] } } }] }),
    );
    await page.route('**/sign-in/social', (route) =>
      route.fulfill({ json: { url: `${base}/sign-in?error=signup_disabled`, redirect: true } }),
    );
    await page.goto(`${base}/sign-in?next=%2Frisk`);
    const signInRequest = page.waitForRequest('**/sign-in/social');
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    expect((await signInRequest).postDataJSON()).toMatchObject({ provider: 'github', callbackURL: '/risk' });
    await page.getByRole('alert').getByText('no account for this sign-in').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
  });

  test('sign-up shows only the present fault, not earlier ones', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await guest.context.clearCookies();
    await page.goto(`${base}/sign-up`);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill(guest.email);
    await page.getByLabel('Password', { exact: true }).fill(guest.password);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByText('this has 5').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a password is shown on request, and a lost one has a link to reset it', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await guest.context.clearCookies();
    await page.goto(`${base}/sign-in`);
    await page.getByText('Forgot the password?').waitFor();
    const password = page.getByLabel('Password', { exact: true });
    await password.fill(guest.password);
    expect(await password.getAttribute('type')).toBe('password');
    await page.getByLabel('Show password').check();
    expect(await password.getAttribute('type')).toBe('text');
  });

  test('two-factor is set up by a scanned key and asked for at sign-in; a session elsewhere is ended from the list', async () => {
    await using guest = await newGuest({ colorScheme: 'dark' });
    const { page } = guest;
    await open(page, '/settings/account');
    const panel = page.getByRole('region', { name: 'Two-factor sign-in' });
    await panel.getByLabel('Your password now').fill(guest.password);
    await panel.getByRole('button', { name: 'Set up two-factor…' }).click();
    const uri = `otpauth://totp/desk?secret=${await panel.locator('code').textContent()}`;
    const codes = (await panel.locator('[data-recovery-codes]').textContent())?.split('\n') ?? [];
    expect(codes).toHaveLength(10);
    expect(await violations(page)).toEqual([]);
    await panel.getByLabel('Code', { exact: true }).fill(codeAt(uri));
    await panel.getByRole('button', { name: 'Turn on two-factor' }).click();
    await panel.getByText('On', { exact: true }).waitFor();

    const signIn = async (recovery: string | null) => {
      await guest.context.clearCookies();
      await page.goto(`${base}/sign-in?next=%2Fsettings%2Faccount`);
      await page.getByLabel('E-mail').fill(guest.email);
      await page.getByLabel('Password', { exact: true }).fill(guest.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      if (recovery !== null) await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel(/ode$/).fill(recovery ?? codeAt(uri, Date.now() + 30_000));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
    };
    await signIn(codes[0] ?? '');
    await signIn(null);
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    await sessions.getByRole('button', { name: 'Sign out 2 other sessions' }).click();
    await expect.poll(() => sessions.locator('tbody tr').count()).toBe(1);
  }, 120_000);

  test('the first steps go when they are dismissed, and stay away', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const steps = page.getByRole('heading', { name: 'Getting started' });
    await open(page, '/');
    await steps.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await steps.waitFor({ state: 'detached' });
    await open(page, '/');
    await page.getByRole('heading', { name: 'Latest activity' }).waitFor();
    expect(await steps.count()).toBe(0);
  });

  test('an order says which blueprint and step it comes from', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await deployed(guest, buysAtOnce(40), 'Slow buyer');
    const order = await orderIn(guest, 'filled');
    await open(page, `/orders?order=${order.id}`);
    const drawer = page.getByRole('dialog', { name: 'Order' });
    const link = drawer.getByRole('link', { name: 'Slow buyer' });
    await link.waitFor();
    expect(await drawer.textContent()).toContain('Slow buyer, node “Buy” in release 1');
    expect(await drawer.textContent()).toContain('At the market, within the price band');
    expect(await drawer.textContent()).toMatch(/Price cap\$[\d,.]+/);
    await drawer.getByRole('row', { name: /^above true/ }).waitFor();
    await link.click();
    await page.waitForURL(new RegExp(`/blueprints/${id}`));
  });

  test('missing things say so: a mistyped address, and an empty history without a filter', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await page.goto(`${base}/blueprints/not-a-uuid`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await open(page, '/orders');
    await page.getByText('No orders here').waitFor();
    expect(await page.getByRole('link', { name: 'Show all' }).count()).toBe(0);
    await open(page, '/orders?side=buy');
    await page.getByRole('link', { name: 'Show all' }).waitFor();
  });

  test('blueprints are found, chosen and deleted together; a running one stays and says so; columns are chosen', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await drafted(guest, buysAtOnce(10), 'Old one');
    await drafted(guest, buysAtOnce(10), 'Old two');
    await deployed(guest, buysAtOnce(5), 'Old three');
    await drafted(guest, buysAtOnce(10), 'Another');
    await open(page, '/blueprints?find=old');
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('button', { name: 'Name' }).click();
    expect(await rows.locator('td[data-label=Name]').allTextContents()).toEqual([
      'Old two',
      'Old three',
      'Old one',
    ]);
    await page.getByLabel('Choose all rows shown').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('runs: stop it first').waitFor();
    await dialog.getByRole('button', { name: 'Delete 2 strategies' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').getByLabel('Updated').uncheck();
    await page.keyboard.press('Escape');
    await open(page, '/blueprints');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await page.locator('td[data-label=Updated]').count()).toBe(0);
  });

  test('each part of the portfolio that cannot be read says so alone, and appears once it can be read', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    const days = /\/trpc\/[^?]*console\.days/;
    await page.route(days, (route) => route.abort());
    await page.goto(`${base}/portfolio?part=days`);
    const calendar = page.getByRole('region', { name: 'Daily results, UTC' });
    await calendar.getByRole('alert').waitFor({ timeout: 30_000 });
    await page.unroute(days);
    await calendar.getByRole('button', { name: 'Try again' }).click();
    await calendar.getByRole('columnheader', { name: 'Mon' }).waitFor();
  });

  test('activity goes back page by page to the first change', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await guest.api('PUT', '/api/risk-rules', { maxDailyLoss: 123.45 });
    for (let changes = 0; changes < 110; changes++)
      await guest.api('PUT', '/api/risk-rules', { maxOrderSize: 10 + changes });
    await open(page, '/activity');
    const rows = page.locator('.list > li');
    await expect.poll(() => rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Older changes' }).click();
    await page.getByRole('button', { name: 'Older changes' }).waitFor({ state: 'detached' });
    const changes = rows.filter({ hasText: 'Risk rules changed' });
    await expect.poll(() => changes.count()).toBe(111);
    expect(await changes.last().textContent()).toMatch(/250.*123\.45/s);
  });

  test('activity says what each change is about, and leads to it', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const order = await pendingOrder(guest);
    await guest.api('POST', `/api/orders/${order.id}/reject`);
    const { id } = await deployed(guest, buysAtOnce(5), 'Slow buyer');
    await open(page, '/');
    await page
      .getByRole('region', { name: 'Latest activity' })
      .getByRole('link', { name: 'Slow buyer' })
      .waitFor();
    await open(page, '/activity');
    const row = page
      .locator('.list > li')
      .filter({ hasText: 'Strategy deployed' })
      .filter({ hasText: 'Slow buyer' });
    expect(await row.textContent()).toMatch(/Strategy deployed\s*Slow buyer\s*by you/);
    await page.locator('.list > li', { hasText: 'Rejected' }).locator('summary').click();
    await page.getByRole('link', { name: 'the order' }).click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await open(page, '/activity');
    await page.getByLabel('Category').selectOption('Trades and money');
    await expect.poll(() => row.count()).toBe(0);
    await page.locator('.list > li', { hasText: 'Rejected' }).waitFor();
    await open(page, '/activity?find=slow+buyer');
    await row.locator('summary').click();
    await row.getByRole('link', { name: 'Slow buyer' }).click();
    await page.waitForURL(`**/blueprints/${id}`);
  });

  test('the buttons of a row are visible, whatever its names are, at 1440, 1024 and 768 px', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    const { id } = await deployed(
      guest,
      buysAtOnce(80),
      'Larger buys of a name that is as long as names get',
    );
    await orderIn(guest, 'pending');
    await guest.api('POST', '/api/api-keys', {
      name: 'Reporting of the whole desk',
      scopes: ['portfolio:read'],
    });
    for (const [path, names] of [
      ['/orders', ['Reject…', 'Review…']],
      ['/portfolio', ['Close…']],
      ['/keys', ['Rotate…', 'Revoke…']],
      ['/blueprints', ['Duplicate']],
      [`/blueprints/${id}?tab=releases`, ['Restore…']],
    ] as const) {
      await open(page, path);
      for (const width of [1440, 1024, 768]) {
        await page.setViewportSize({ width, height: 900 });
        for (const name of names) {
          const button = page.getByRole('button', { name }).first();
          await button.waitFor();
          const { x, width: wide } = (await button.boundingBox()) ?? { x: 0, width: Number.NaN };
          expect(x + wide, `${name} on ${path} at ${width} px`).toBeLessThanOrEqual(width);
        }
      }
    }
  });

  test('at 390 px a long name and why nothing is saved stay on the screen', async () => {
    await using guest = await newGuest({ viewport: { width: 390, height: 844 } });
    const { page } = guest;
    const { id } = await drafted(
      guest,
      { nodes: [], edges: [] },
      'A draft whose name is as long as names can get',
    );
    await open(page, `/blueprints/${id}`);
    await page.route('**/trpc/blueprints.update*', (route) => route.abort());
    await page.getByRole('button', { name: 'Momentum on candles' }).click();
    const saving = page.locator('.page-head').getByText(/^not saved/);
    await saving.waitFor();
    for (const part of [saving, page.getByLabel('Name of the strategy')]) {
      const { x, width } = (await part.boundingBox()) ?? { x: 0, width: Number.NaN };
      expect(x + width).toBeLessThanOrEqual(390);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('R8: at 390 px nothing scrolls sideways; approvals and stop work, the graph pans', async () => {
    await using guest = await newGuest({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = guest;
    const order = await pendingOrder(guest);
    const { id } = await deployed(guest, buysAtOnce(20), 'To be stopped');
    for (const path of [...PAGES, `/blueprints/${id}`]) {
      await visit(page, path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wide, path).toBeLessThanOrEqual(0);
    }
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await page.getByRole('button', { name: 'Pages' }).tap();
    await pages.waitFor();
    await page.keyboard.press('Escape');
    await pages.waitFor({ state: 'hidden' });
    expect(await page.locator('.node-palette').count()).toBe(0);
    await showGraph(page);
    const before = await page.locator('.react-flow__viewport').getAttribute('style');
    await page.getByRole('button', { name: 'Zoom In' }).tap();
    await expect.poll(() => page.locator('.react-flow__viewport').getAttribute('style')).not.toBe(before);
    await page.getByRole('button', { name: 'Stop…' }).tap();
    await page.getByRole('button', { name: 'Stop strategy' }).tap();
    await page.getByText('Stopped').first().waitFor();
    await open(page, '/orders');
    const review = page.getByRole('button', { name: 'Review…' }).first();
    expect((await review.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await review.tap();
    const approve = page.getByRole('alertdialog').getByRole('button', { name: /^Approve/ });
    await expect.poll(() => approve.isEnabled(), { timeout: 10_000 }).toBe(true);
    await approve.tap();
    await expect
      .poll(async () => (await guest.api<{ status: string }>('GET', `/api/orders/${order.id}`)).status, {
        timeout: 15_000,
      })
      .not.toBe('pending');
  }, 120_000);
});

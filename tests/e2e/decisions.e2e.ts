import type { Page, Request, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, newGuest, open } from './support/browser.ts';
import { buysAtOnce, deployed, drafted, heldPosition, orderIn, pendingOrder } from './support/strategies.ts';

const dialog = (page: Page) => page.getByRole('alertdialog');
const confirmButton = (page: Page, verb: RegExp) => dialog(page).getByRole('button', { name: verb });
const enabled = (page: Page, verb: RegExp) =>
  expect.poll(() => confirmButton(page, verb).isEnabled(), { timeout: 15_000 });

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/** Requests that change something, as the page sends them. */
function sent(page: Page, procedure: string): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes(procedure)) requests.push(request);
  });
  return requests;
}

describe('decisions', () => {
  test('R21: the focus is on Cancel, Enter does not approve, Ctrl+Enter does, and it is sent once with a key', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const order = await pendingOrder(guest);
    await open(page, '/orders');
    const requests = sent(page, 'orders.approve');
    await page.getByRole('button', { name: 'Review…' }).first().click();
    await enabled(page, /^Approve/).toBe(true);
    expect(await focused(page)).toBe('Cancel');
    expect(await confirmButton(page, /^Approve/).textContent()).toMatch(
      /^Approve buy of [\d.]+ BTC\/USDT for up to \$[\d.]+$/,
    );
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    expect(requests).toHaveLength(0);

    await page.getByRole('button', { name: 'Review…' }).first().click();
    await enabled(page, /^Approve/).toBe(true);
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(async () => (await guest.api<{ status: string }>('GET', `/api/orders/${order.id}`)).status, {
        timeout: 15_000,
      })
      .toBe('filled');
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(requests[0]?.headers()['if-match']).toMatch(/^"v\d+"$/);
  });

  test('an Enter that is held since before a dialog opened confirms nothing', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const order = await pendingOrder(guest);
    await open(page, '/orders');
    const requests = sent(page, 'orders.approve');
    await page.getByRole('button', { name: 'Review…' }).first().focus();
    await page.keyboard.down('Enter');
    await enabled(page, /^Approve/).toBe(true);
    await page.keyboard.down('Control');
    // Each further press without a release is a repetition of a key that is held.
    for (let press = 0; press < 5; press += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.up('Control');
    expect(requests).toHaveLength(0);
    expect(await guest.api('GET', `/api/orders/${order.id}`)).toMatchObject({ status: 'pending' });
  });

  test('R21: the focus is on Cancel also in dialogs with a field, and in the one that stops all', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    const opened = async (button: string | RegExp) => {
      await page.getByRole('button', { name: button }).click();
      await dialog(page).waitFor();
      return focused(page);
    };
    const typing = () => dialog(page).getByRole('textbox').count();
    await open(page, '/portfolio');
    expect(await opened('Close…')).toBe('Cancel');
    expect(await typing()).toBe(1);
    await open(page, '/');
    expect(await opened('Stop all…')).toBe('Cancel');
    expect(await typing()).toBe(0);
    await open(page, '/risk');
    await page.getByLabel('Largest order').fill('500');
    expect(await opened(/Review 1 change/)).toBe('Cancel');
    expect(await typing()).toBe(1);
  });

  test('R21: loosening a rule requires a typed word, tightening none; nothing offers to skip it', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/risk');
    await page.getByLabel('Largest order').fill('500');
    await page.getByRole('button', { name: /Review 1 change/ }).click();
    expect(await confirmButton(page, /^Loosen/).isEnabled()).toBe(false);
    await dialog(page).getByLabel(/Type/).fill('loosen');
    await enabled(page, /^Loosen/).toBe(true);
    expect(
      await dialog(page)
        .getByText(/ask again|don’t show/i)
        .count(),
    ).toBe(0);
    await confirmButton(page, /^Loosen/).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await guest.api('GET', '/api/risk-rules')).toMatchObject({ maxOrderSize: 500 });

    await page.getByLabel('Largest order').fill('50');
    await guest.api('PUT', '/api/risk-rules', { maxDailyLoss: 99 });
    await expect.poll(() => page.getByLabel('Daily loss').inputValue()).toBe('99');
    expect(await page.getByLabel('Largest order').inputValue()).toBe('50');
    await page.getByRole('button', { name: /Review 1 change/ }).click();
    await enabled(page, /^Tighten/).toBe(true);
  });

  test('R22: an approval shows quote, estimated fill and rules, and waits while the quote is old', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await pendingOrder(guest);
    await open(page, '/orders');
    await page.getByRole('button', { name: 'Review…' }).first().click();
    await enabled(page, /^Approve/).toBe(true);
    const facts = (await dialog(page).textContent()) ?? '';
    for (const part of [
      /bid \$[\d,.]+ · ask \$[\d,.]+/,
      /on average/,
      /Largest order/,
      /Approval above \$[\d.]+ > \$50\.00 needs your approval/,
      /Free cash \$10,000\.00, needs \$[\d.]+/,
      /Daily loss/,
      /Open positions/,
    ]) {
      expect(facts).toMatch(part);
    }
    await page.route('**/trpc/console.market*', (route) => route.abort());
    await enabled(page, /^Approve/).toBe(false);
    expect(await dialog(page).textContent()).toMatch(/quote is \d+ s old/);
    await page.unroute('**/trpc/console.market*');
    await enabled(page, /^Approve/).toBe(true);
  });

  test('waiting orders are approved one after another, each by its own facts; skipped ones keep waiting', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    for (const name of ['First', 'Second', 'Third']) await deployed(guest, buysAtOnce(70), name);
    await open(page, '/orders');
    await page.getByText('Awaiting approval (3)').waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Review one by one…' }).click();
    const dialog = page.getByRole('alertdialog');
    const approve = dialog.getByRole('button', { name: /^Approve buy/ });
    for (const place of ['1 of 3', '2 of 3']) {
      await dialog.getByRole('heading', { name: place }).waitFor();
      await dialog.getByText('Risk rules now').waitFor();
      if (place === '2 of 3') {
        await dialog.getByRole('button', { name: 'Skip for now' }).click();
        continue;
      }
      await expect.poll(() => approve.isEnabled(), { timeout: 20_000 }).toBe(true);
      await approve.click();
    }
    await dialog.getByRole('heading', { name: '3 of 3' }).waitFor();
    await expect.poll(() => approve.isEnabled(), { timeout: 20_000 }).toBe(true);
    await approve.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Awaiting approval (1)').waitFor({ timeout: 30_000 });
    const orders = await guest.api<{ status: string }[]>('GET', '/api/orders?status=pending');
    expect(orders).toHaveLength(1);
  }, 120_000);

  test('R22: offline nothing is approved, and a press then has no later effect', async () => {
    await using guest = await newGuest();
    const { page, context } = guest;
    const order = await pendingOrder(guest);
    await open(page, '/orders');
    await page.getByRole('button', { name: 'Review…' }).first().click();
    await enabled(page, /^Approve/).toBe(true);
    await context.setOffline(true);
    await enabled(page, /^Approve/).toBe(false);
    expect(await dialog(page).textContent()).toContain('connection is lost');
    await context.setOffline(false);

    const { id } = await deployed(guest, buysAtOnce(5), 'Continues');
    await open(page, `/blueprints/${id}`);
    await page.getByRole('button', { name: 'Stop…' }).click();
    await enabled(page, /^Stop strategy/).toBe(true);
    await context.setOffline(true);
    const requests = sent(page, 'blueprints.stop');
    await confirmButton(page, /^Stop strategy/).click();
    await dialog(page).getByRole('alert').getByText('does not answer').waitFor();
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await page.waitForTimeout(3_000);
    expect(requests).toHaveLength(1);
    expect(await guest.api('GET', `/api/blueprints/${id}`)).toMatchObject({ status: 'running' });
    expect(await guest.api('GET', `/api/orders/${order.id}`)).toMatchObject({ status: 'pending' });
  });

  test('R22: a failed decision says so at once, also while no read succeeds', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await deployed(guest, buysAtOnce(5), 'Continues');
    await open(page, `/blueprints/${id}`);
    await page.getByRole('button', { name: 'Stop…' }).click();
    await enabled(page, /^Stop strategy/).toBe(true);
    // To the waiting page, a read that never ends is the same as a paused or retried one.
    const cut = (route: Route) => (route.request().method() === 'POST' ? route.abort() : undefined);
    await page.route('**/trpc/**', cut);
    await confirmButton(page, /^Stop strategy/).click();
    await dialog(page).getByRole('alert').getByText('does not answer').waitFor();
    expect(await confirmButton(page, /^Stop strategy/).isEnabled()).toBe(true);
  });

  test('R22: a close offers parts of the free amount, estimates the proceeds, and sells exactly the amount shown', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    await open(page, '/portfolio');
    await page.getByRole('button', { name: 'Close…' }).click();
    await dialog(page).getByRole('button', { name: '50 %' }).click();
    await enabled(page, /^Sell/).toBe(true);
    expect(await confirmButton(page, /^Sell/).textContent()).toMatch(
      /^Sell 0\.000\d+ BTC\/USDT for about \$\d+\.\d\d$/,
    );
    const half = Number(await page.locator('#close-amount').inputValue());
    await page.locator('#close-amount').fill('999');
    await enabled(page, /^Sell/).toBe(false);
    expect(await dialog(page).textContent()).toContain('is more than the');
    // An amount that cannot be sold appears in no title and on no button.
    await dialog(page)
      .getByRole('heading', { name: /^Close a part of 0\.000\d+ BTC\/USDT\?$/ })
      .waitFor();
    expect(await confirmButton(page, /^Sell/).textContent()).toBe('Sell');
    await page.locator('#close-amount').fill('0.000001');
    await dialog(page).getByText('sold in steps of 0.00001').waitFor();
    expect(await confirmButton(page, /^Sell/).isEnabled()).toBe(false);
    expect(await dialog(page).textContent()).not.toContain('no bids');
    await page.locator('#close-amount').fill(String(half));
    await enabled(page, /^Sell/).toBe(true);
    await confirmButton(page, /^Sell/).click();
    const sold = await orderIn(guest, 'filled');
    await expect
      .poll(
        async () =>
          (await guest.api<{ side: string; amount: number }[]>('GET', '/api/orders?side=sell'))[0]?.amount,
      )
      .toBe(half);
    expect(sold.id).toBeTruthy();
  });

  test('a sale that would leave an unsellable rest warns first, and the rest can be written off', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { amount } = await heldPosition(guest);
    await open(page, '/portfolio');
    await page.getByRole('button', { name: 'Close…' }).click();
    await enabled(page, /^Sell/).toBe(true);
    expect(await dialog(page).getByRole('button', { name: 'Write off…' }).count()).toBe(0);
    await page.locator('#close-amount').fill((amount - 0.00001).toFixed(5));
    await dialog(page).getByText('It would leave 0.00001, which could not be sold then.').waitFor();
    await confirmButton(page, /^Sell/).click();
    await expect
      .poll(async () => (await guest.api<{ amount: number }[]>('GET', '/api/portfolio/positions'))[0]?.amount)
      .toBe(0.00001);

    await open(page, '/portfolio');
    await page.getByRole('button', { name: 'Close…' }).click();
    await dialog(page).getByRole('button', { name: 'Write off…' }).click();
    await page.getByRole('heading', { name: 'Write off 0.00001 BTC/USDT?' }).waitFor();
    expect(await focused(page)).toBe('Cancel');
    expect(await confirmButton(page, /^Write off/).isEnabled()).toBe(false);
    await page.locator('#write-off-value').fill('999999999');
    await dialog(page).getByText('999999999 is more than the').waitFor();
    await page.locator('#write-off-value').fill('0');
    await page.keyboard.press('Enter');
    const requests = sent(page, 'portfolio.writeOff');
    await confirmButton(page, /^Write off 0\.00001 BTC\/USDT for \$0\.00$/).click();
    await page.getByText('No positions').waitFor();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('R17: a refusal by a rule names the rule, the limit and the value', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await pendingOrder(guest);
    await open(page, '/orders');
    await page.getByRole('button', { name: 'Review…' }).first().click();
    await enabled(page, /^Approve/).toBe(true);
    await guest.api('PUT', '/api/risk-rules', { maxOrderSize: 10 });
    await enabled(page, /^Approve/).toBe(true);
    await confirmButton(page, /^Approve/).click();
    const alert = dialog(page).getByRole('alert');
    await alert.waitFor();
    const text = (await alert.textContent()) ?? '';
    expect(text).toContain('Largest order is $10.00');
    // 80 USD, to the nearest whole step at the current price.
    expect(text).toMatch(/this order is \$(79|8\d)\.\d\d\b/);
    expect(text).toContain('request');
  });

  test('R24: a key is shown once, its dialog closes only after a tick, and it is nowhere afterwards', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/risk');
    await page.getByRole('link', { name: 'API keys' }).first().click();
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByLabel('Name').fill('Reporting');
    expect(await page.locator('input.tick:checked').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Create key/ }).isEnabled()).toBe(false);
    await page.getByLabel('portfolio:read').check();
    await page.getByRole('button', { name: 'Create key with 1 scope' }).click();
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    expect(secret).toMatch(/^tsk_\w{49}$/);
    expect(await page.locator('.curl pre').last().textContent()).toContain(`Bearer ${secret}`);
    const done = page.getByRole('button', { name: 'Done' });
    expect(await done.isEnabled()).toBe(false);
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('Escape');
      await page.getByText('Once this is closed, the key is not shown again.').waitFor();
    }
    await page.goBack();
    const leaving = page.getByRole('alertdialog', { name: 'Leave without the key?' });
    await leaving.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('[data-secret]').textContent()).toBe(secret);
    await page.getByLabel('I stored it somewhere safe').check();
    await done.click();
    await page.locator('[data-secret]').waitFor({ state: 'detached' });

    const row = page.locator('tbody tr').filter({ hasText: 'Reporting' });
    expect(await row.textContent()).toContain(`…${secret.slice(-4)}`);
    expect(await row.textContent()).toContain('Never used');
    const stored = await page.evaluate(
      () => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href + document.body.innerHTML,
    );
    expect(stored).not.toContain(secret);

    const asKey = () => fetch(`${base}/api/portfolio`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await asKey()).status).toBe(200);
    await row.getByRole('button', { name: 'Revoke…' }).click();
    await confirmButton(page, /^Revoke/).click();
    await row.getByText('revoked').waitFor();
    expect((await asKey()).status).toBe(401);
  });

  test('a deploy takes exactly the reviewed graph: an edit in another tab stops it, also an unreported one', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(5), 'Two tabs');
    await open(page, `/blueprints/${id}`);
    const requests = sent(page, 'blueprints.deploy');
    await page.getByRole('button', { name: 'Deploy…' }).click();
    await enabled(page, /^Deploy/).toBe(true);
    const other = await guest.context.newPage();
    await open(other, `/blueprints/${id}`);
    await other.locator('[data-id=amount]').click();
    await other.getByLabel('Notional (USD)', { exact: true }).fill('7');
    await other.getByText(/^saved \d/).waitFor();
    await dialog(page).getByText('It has changed meanwhile').waitFor();
    expect(await confirmButton(page, /^Deploy/).isEnabled()).toBe(false);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Deploy…' }).click();
    await enabled(page, /^Deploy/).toBe(true);
    await page.route(/console\.blueprint\b/, (route) => route.abort());
    await guest.api('PUT', `/api/blueprints/${id}`, { visual: buysAtOnce(9) });
    await confirmButton(page, /^Deploy/).click();
    const alert = dialog(page).getByRole('alert');
    await alert.getByText(/You reviewed version 2, but it is at version 3 now/).waitFor();
    expect(requests.map((request) => request.headers()['if-match'])).toEqual(['"v2"']);
    expect(await guest.api('GET', `/api/blueprints/${id}`)).toMatchObject({ status: 'draft' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

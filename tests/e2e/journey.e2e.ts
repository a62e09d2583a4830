import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openReceiver } from '../support/notifications.ts';
import { base, browser, newGuest, open, publicUrl } from './support/browser.ts';
import { layCable } from './support/cable.ts';
import { isLive, pill } from './support/live.ts';
import { buysAtOnce, deployed, orderIn, pendingOrder } from './support/strategies.ts';

const CUT_MS = 30_000;
const BEAT_SEC = '10';

const dialog = (page: Page) => page.getByRole('alertdialog');

/** Presses the confirming button of a decision, once it is enabled. */
async function confirm(page: Page, name: RegExp): Promise<void> {
  const button = dialog(page).getByRole('button', { name });
  await expect.poll(() => button.isEnabled(), { timeout: 20_000 }).toBe(true);
  await button.click();
  await dialog(page).waitFor({ state: 'detached' });
}

async function signUp(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/sign-up`);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('E-mail').fill(`journey-${Date.now()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  // The sample would trade in addition to the orders counted here.
  await page.getByLabel('Run a small sample').uncheck();
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
}

async function makeKey(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New key' }).first().click();
  await page.getByLabel('Name').fill('Journey');
  await page.getByRole('button', { name: 'Read-only' }).click();
  await page.getByRole('button', { name: /^Create key/ }).click();
  const key = (await page.locator('[data-secret]').textContent()) ?? '';
  await page.getByLabel('I stored it somewhere safe').check();
  await page.getByRole('button', { name: 'Done' }).click();
  return key;
}

/** Buys for 25 USD on every beat, each waiting for approval; half of one does not. */
async function drawFromTemplate(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Risk', exact: true }).click();
  await page.getByLabel('Approval above').fill('20');
  await page.getByRole('button', { name: /Review 1 change/ }).click();
  await confirm(page, /^Tighten/);
  await page.getByRole('link', { name: 'Strategies', exact: true }).click();
  await page.getByRole('button', { name: 'New strategy' }).first().click();
  await page.getByRole('dialog').getByText('Portfolio', { exact: true }).click();
  await page.getByLabel('Scheduled accumulation').check();
  await page.getByLabel('Name').fill('My accumulation');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.locator('[data-id=beat]').click();
  await page.getByLabel('Every (s)', { exact: true }).fill(BEAT_SEC);
  await page.locator('[data-id=hours]').click();
  await page.getByRole('textbox', { name: 'From', exact: true }).fill('00:00');
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('23:59');
  await page.getByText(/^saved \d/).waitFor();
  await page.getByText('No problems').waitFor();
}

type Order = { id: string; side: string; status: string; amount: number };

const ordersOf = async (key: string): Promise<Order[]> => {
  const response = await fetch(`${base}/api/orders`, { headers: { authorization: `Bearer ${key}` } });
  return (await response.json()) as Order[];
};

async function journey(page: Page, address: string, atTheMiddle: () => Promise<void>): Promise<void> {
  await signUp(page, address);
  const key = await makeKey(page);
  await drawFromTemplate(page);
  await page.getByRole('button', { name: 'Deploy…' }).click();
  await confirm(page, /^Deploy/);
  await page.getByText('Running', { exact: true }).waitFor();
  await page.locator('.react-flow__node [data-mark]').first().waitFor();
  await page.locator('.edge-value').first().waitFor();

  await page.getByRole('link', { name: /^Orders/ }).click();
  await page.getByText(/^Awaiting approval \(\d+\)/).waitFor({ timeout: 30_000 });
  await atTheMiddle();
  const [first] = (await ordersOf(key)).filter(({ status }) => status === 'pending').toReversed();
  if (!first) throw new Error('Nothing awaits.');
  await page.locator(`tr[data-row="${first.id}"]`).first().getByRole('button', { name: 'Review…' }).click();
  await confirm(page, /^Approve/);
  await page
    .locator(`tr[data-row="${first.id}"]`)
    .getByText('Filled', { exact: true })
    .waitFor({ timeout: 20_000 });

  await page.getByRole('link', { name: 'Portfolio' }).click();
  await page.getByText('BTC/USDT').first().waitFor();
  await page.getByRole('button', { name: 'Close…' }).click();
  await dialog(page).getByRole('button', { name: '50 %' }).click();
  await confirm(page, /^Sell/);
  await expect
    .poll(
      async () => (await ordersOf(key)).filter(({ side }) => side === 'sell').map(({ status }) => status),
      { timeout: 20_000 },
    )
    .toEqual(['filled']);

  await page.getByRole('link', { name: 'Overview' }).click();
  await expect
    .poll(() => page.locator('[data-sum="Total P&L"]').first().textContent(), { timeout: 15_000 })
    .toMatch(/^−\$\d+\.\d\d ▼$|^\+\$\d+\.\d\d ▲$/);
  await page.getByRole('link', { name: 'Strategies', exact: true }).click();
  await page.getByRole('link', { name: 'My accumulation' }).click();
  await page.getByRole('button', { name: 'Stop…' }).click();
  await confirm(page, /^Stop strategy/);
  await page.getByText('Stopped', { exact: true }).waitFor();

  const orders = await ordersOf(key);
  expect(orders.filter(({ side, status }) => side === 'buy' && status === 'filled')).toHaveLength(1);
  expect(orders.filter(({ status }) => status === 'pending')).toEqual([]);
  await page.getByRole('link', { name: /^Orders/ }).click();
  await expect
    .poll(
      () =>
        page
          .locator('table tr[data-row]')
          .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row'))),
      { timeout: 15_000 },
    )
    .toEqual(orders.map(({ id }) => id));
}

const rowIds = (page: Page) =>
  page.locator('table tr[data-row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));

async function withPage(task: (page: Page) => Promise<void>): Promise<void> {
  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(15_000);
  try {
    await task(await context.newPage());
  } finally {
    await context.close();
  }
}

describe('the journey', () => {
  test('from sign-up to a stopped strategy: draw, deploy, approve, see the fill, close half', async () => {
    await withPage((page) => journey(page, base, async () => {}));
  }, 180_000);

  test('the same with the network cut for 30 s in the middle: nothing lost, nothing doubled', async () => {
    await using cable = await layCable(publicUrl, base);
    await withPage((page) =>
      journey(page, publicUrl, async () => {
        cable.cut();
        await page.locator('[data-connection=reconnecting], [data-connection=stale]').first().waitFor();
        await page.waitForTimeout(CUT_MS);
        cable.mend();
        await page.locator('[role=status][data-connection=live]').waitFor({ timeout: 30_000 });
      }),
    );
  }, 240_000);
});

/** In this file, because cables can only be laid one after another. */
describe('the live stream', () => {
  test('events sent during an outage are in the log afterwards', async () => {
    const receiver = await openReceiver();
    await using guest = await newGuest();
    await using cable = await layCable(publicUrl, base);
    const { page } = guest;
    const hook = { kind: 'webhook', label: 'Desk', url: receiver.url };
    const { id } = await guest.api<{ id: string }>('POST', '/api/notification-channels', hook);
    await open(page, '/notifications', publicUrl);
    await isLive(page);
    await page.getByText('Nothing was sent yet').waitFor();

    cable.cut();
    await page.locator('[data-connection=reconnecting], [data-connection=stale]').first().waitFor();
    const test = `/api/notification-channels/${id}/test`;
    const { deliveryId } = await guest.api<{ deliveryId: string }>('POST', test);
    await expect.poll(() => receiver.deliveries.length, { timeout: 30_000 }).toBe(1);
    expect(await page.locator(`tr[data-row="${deliveryId}"]`).count()).toBe(0);

    cable.mend();
    await isLive(page);
    const row = page.locator(`tr[data-row="${deliveryId}"]`);
    await row.getByText('Arrived').waitFor({ timeout: 30_000 });
    await receiver.close();
  }, 120_000);

  test('R23: after the network was cut for 30 s nothing is lost and nothing doubled', async () => {
    await using guest = await newGuest();
    await using cable = await layCable(publicUrl, base);
    const { page } = guest;
    const order = await pendingOrder(guest);
    await open(page, '/orders', publicUrl);
    await isLive(page);
    await page.getByRole('button', { name: 'Review…' }).first().click();
    const approve = page.getByRole('alertdialog').getByRole('button', { name: /^Approve/ });
    await expect.poll(() => approve.isEnabled(), { timeout: 10_000 }).toBe(true);

    cable.cut();
    await expect.poll(() => approve.isEnabled(), { timeout: 15_000 }).toBe(false);
    expect(await page.getByRole('alertdialog').textContent()).toContain('connection is lost');
    await guest.api('POST', `/api/orders/${order.id}/reject`);
    await deployed(guest, buysAtOnce(70), 'Deployed behind the back');
    const second = await orderIn(guest, 'pending');
    await page.waitForTimeout(CUT_MS);
    expect(['reconnecting', 'stale']).toContain(await pill(page).getAttribute('data-connection'));
    cable.mend();

    await isLive(page);
    await page.getByRole('alertdialog').getByText('no longer awaits approval').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => rowIds(page), { timeout: 15_000 }).toEqual([second.id, second.id, order.id]);
  }, 150_000);
});

/** How fast adults read in silence (Brysbaert 2019, 190 studies), and how long finding and pressing something takes. */
const WORDS_PER_MIN = 238;
const PRESS_SEC = 2;

/** The cost of a first-time walk: each press, each field, and the words read on the way. */
function walkOf() {
  const cost = { presses: 0, words: [] as number[] };
  const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;
  return {
    cost,
    read: async (part: Locator) => {
      cost.words.push(wordsIn((await part.allInnerTexts()).join(' ')));
    },
    press: async (button: Locator) => {
      await expect.poll(() => button.isEnabled(), { timeout: 20_000 }).toBe(true);
      await button.click();
      cost.presses++;
    },
    type: async (field: Locator, text: string) => {
      await field.fill(text);
      cost.presses++;
    },
  };
}

/** How long a walk takes in which every word on the way is read. */
const secondsOf = ({ presses, words }: ReturnType<typeof walkOf>['cost']): number =>
  (words.reduce((sum, each) => sum + each, 0) / WORDS_PER_MIN) * 60 + presses * PRESS_SEC;

async function signUpByHand(page: Page, { read, press, type }: ReturnType<typeof walkOf>): Promise<void> {
  await page.goto(`${base}/sign-up`);
  await type(page.getByLabel('Name'), 'Ada');
  await type(page.getByLabel('E-mail'), `walk-${Date.now()}@example.com`);
  await type(page.getByLabel('Password', { exact: true }), 'correct horse battery');
  await read(page.locator('form'));
  await press(page.getByRole('button', { name: 'Create an account' }));
}

test('a first-time walk: from sign-up to a decision and why it was allowed, within a minute in which every word of it is read', async () => {
  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const walk = walkOf();
  await signUpByHand(page, walk);
  const running = page.getByText('A small sample runs already');
  await running.waitFor();
  await walk.read(running);
  await walk.press(running.getByRole('link'));
  const last = page.locator('.next-line > div', { hasText: 'Last' });
  // It buys every half minute.
  await last.waitFor({ timeout: 60_000 });
  await walk.read(last);
  await walk.press(last.getByRole('link'));
  const receipt = page.getByRole('dialog', { name: 'Order' });
  await receipt.getByText('Risk rules').waitFor();
  await walk.read(receipt);
  await context.close();
  expect(walk.cost.presses).toBeLessThanOrEqual(6);
  expect(secondsOf(walk.cost), JSON.stringify(walk.cost)).toBeLessThan(60);
}, 120_000);

test('a first-time walk: from sign-up to a running template that says what it does, within two minutes in which every word of it is read', async () => {
  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const walk = walkOf();
  const { cost, read, press, type } = walk;
  await signUpByHand(page, walk);

  const steps = page.locator('section.panel', {
    has: page.getByRole('heading', { name: 'Getting started' }),
  });
  await steps.getByText('You have $10,000 in paper dollars').waitFor();
  await steps.getByText('A small sample runs already').waitFor();
  await read(steps);
  await press(steps.getByRole('link', { name: 'Choose a template' }));

  const making = page.getByRole('dialog', { name: 'New strategy' });
  await making.getByLabel('Momentum').waitFor();
  // A list is read by its titles, then by the chosen entry.
  await read(making.locator('h2, summary, .choice strong'));
  await press(making.getByLabel('Momentum'));
  await making.getByText('BTC/USDT, Crypto').waitFor();
  // The graph is a picture: it is looked at.
  await read(
    making.locator('.choice:has(:checked), .template-preview > :not(.graph-picture), .template-columns ~ *'),
  );
  await press(making.getByRole('button', { name: 'Choose another…' }).first());
  await type(page.getByRole('combobox', { name: 'Name, coin or ID' }), 'ethereum');
  await press(page.getByRole('listbox').getByRole('option').first());
  await press(making.getByRole('button', { name: 'Create draft' }));

  await press(page.getByRole('button', { name: 'Deploy…' }));
  const deploying = page.getByRole('alertdialog');
  const confirming = deploying.getByRole('button', { name: /^Deploy/ });
  await expect.poll(() => confirming.isEnabled(), { timeout: 20_000 }).toBe(true);
  await read(deploying);
  await press(confirming);

  const reading = page.locator('details.reading');
  await reading.getByText('It acts when').first().waitFor();
  await read(reading);
  await page.locator('.react-flow__node [data-mark]').first().waitFor();
  await page.getByText('Running', { exact: true }).waitFor();
  await context.close();
  expect(cost.presses).toBeLessThanOrEqual(12);
  expect(secondsOf(cost), JSON.stringify(cost)).toBeLessThan(120);
}, 120_000);

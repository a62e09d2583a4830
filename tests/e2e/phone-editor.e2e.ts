import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { edges, nodes, SOON, showGraph } from './support/editor.ts';
import { buysAtOnce, deployed, drafted } from './support/strategies.ts';

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

type Stored = {
  status: string;
  visual: { nodes: { id: string; data: { disabled?: true; config: object } }[] };
};

const card = (page: Page, id: string) => page.locator(`[data-id=${id}] .node-card`);
const sheet = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });

/** Whether a step is wholly visible, above whatever overlays the graph. */
async function isInSight(page: Page, id: string): Promise<boolean> {
  const [step, over] = await Promise.all([card(page, id).boundingBox(), sheet(page).boundingBox()]);
  return step !== null && over !== null && step.y >= 0 && step.y + step.height <= over.y;
}

describe('on a phone', () => {
  test('a step is opened beside its drawing, changed, switched off, deployed and stopped', async () => {
    await using guest = await newGuest(PHONE);
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    const stored = () => guest.api<Stored>('GET', `/api/blueprints/${id}`);
    const stepOf = async (step: string) =>
      (await stored()).visual.nodes.find((each) => each.id === step)?.data;
    await open(page, `/blueprints/${id}`);
    await page.getByRole('list', { name: 'Nodes, in the order' }).waitFor();
    await showGraph(page);
    await card(page, 'amount').tap();
    await sheet(page).getByRole('heading', { name: 'Size' }).waitFor();
    await expect.poll(() => isInSight(page, 'amount'), SOON).toBe(true);
    expect(await sheet(page).getByRole('heading', { name: 'Size' }).isVisible()).toBe(true);
    await sheet(page).getByRole('textbox', { name: 'Notional' }).fill('12');
    await expect.poll(() => stepOf('amount'), SOON).toMatchObject({ config: { notional: 12 } });

    await sheet(page).getByRole('button', { name: 'Close' }).tap();
    await expect.poll(() => page.locator('.inspector.sheet').count()).toBe(0);
    await card(page, 'floor').tap();
    await sheet(page).getByRole('button', { name: 'Switch off' }).tap();
    await expect.poll(() => stepOf('floor'), SOON).toMatchObject({ disabled: true });
    await sheet(page).getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(async () => (await stepOf('floor'))?.disabled, SOON).toBeUndefined();

    await page.getByRole('button', { name: 'Deploy…' }).tap();
    const deploy = page.getByRole('alertdialog').getByRole('button', { name: /^Deploy/ });
    await expect.poll(() => deploy.isEnabled(), SOON).toBe(true);
    await deploy.tap();
    await page.getByRole('button', { name: 'Stop…' }).tap();
    await page.getByRole('button', { name: 'Stop strategy' }).tap();
    await expect.poll(async () => (await stored()).status, SOON).toBe('stopped');
  });

  test('a step is added and connected by lists, and it is said what needs a wider screen', async () => {
    await using guest = await newGuest(PHONE);
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await page.getByText('moving them by hand needs a wider screen').waitFor();
    await showGraph(page);
    await page.getByText('Add a node').tap();
    await page.getByLabel('Find a node').fill('notify');
    await page.getByRole('button', { name: 'Notify', exact: true }).tap();
    await expect.poll(() => nodes(page).count()).toBe(6);
    const before = await edges(page).count();
    await sheet(page).getByLabel('when (yes or no)').selectOption('Compare');
    await sheet(page).getByRole('button', { name: 'Connect', exact: true }).first().tap();
    await expect.poll(() => edges(page).count()).toBe(before + 1);
  });

  test('a running graph is a list: each node with its settings, its inputs and its value; its picture is a press away', async () => {
    await using guest = await newGuest(PHONE);
    const { page } = guest;
    const { id } = await deployed(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    const lines = page.getByRole('list', { name: 'Nodes, in the order' }).getByRole('listitem');
    await expect.poll(() => lines.count(), SOON).toBe(5);
    const size = lines.filter({ hasText: /^Size/ });
    const order = lines.filter({ hasText: 'at market' });
    await expect.poll(() => order.textContent(), SOON).toMatch(/(acted|×).*Buy .* BTC\/USDT at market/);
    expect(await order.textContent()).not.toMatch(/true|false/);
    await expect.poll(() => size.textContent(), SOON).toMatch(/\d.*notional · 10 USD.*reads /);
    const widest = await lines.evaluateAll((all) => Math.max(...all.map(({ scrollWidth }) => scrollWidth)));
    expect(widest).toBeLessThanOrEqual(390);
    await size.getByRole('button').tap();
    await sheet(page).getByRole('heading', { name: 'Size' }).waitFor();
    await sheet(page).getByRole('button', { name: 'Close' }).tap();
    await showGraph(page);
    await expect.poll(() => nodes(page).count()).toBe(5);
    await expect.poll(async () => (await nodes(page).first().boundingBox())?.width ?? 0).toBeGreaterThan(100);
  });

  test('names without a space are broken: neither the page nor the panel is wider than the screen', async () => {
    await using guest = await newGuest(PHONE);
    const { page } = guest;
    const visual = buysAtOnce(10);
    const [first, ...rest] = visual.nodes;
    const named = { ...first, data: { ...first?.data, label: 'x'.repeat(60) } };
    const { id } = await drafted(guest, { ...visual, nodes: [named, ...rest] }, 'H'.repeat(100));
    await open(page, `/blueprints/${id}?node=${first?.id}`);
    await page.locator('.inspector.sheet').waitFor();
    await showGraph(page);
    const beyond = (selector: string) =>
      page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(() => isInSight(page, first?.id ?? ''), SOON).toBe(true);
    expect(await beyond('.inspector.sheet')).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  test('a long name among the problems of steps far apart: the page is as wide as the screen, and the panel can be used', async () => {
    await using guest = await newGuest(PHONE);
    const { page } = guest;
    const label = `\u202e${'x'.repeat(50)}`;
    const unfinished = [
      { id: 'i'.repeat(64), type: 'compare', position: { x: -1e6, y: 5e5 }, data: { label } },
      { id: 'near', type: 'probability.edge', position: { x: 0, y: 0 }, data: { label: 'W'.repeat(60) } },
    ];
    const { id } = await drafted(guest, { nodes: unfinished, edges: [] });
    await open(page, `/blueprints/${id}?node=near`);
    await page.locator('.problems button', { hasText: label }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await sheet(page).getByRole('button', { name: 'Delete' }).tap();
    await showGraph(page);
    await expect.poll(() => nodes(page).count()).toBe(1);
  });
});

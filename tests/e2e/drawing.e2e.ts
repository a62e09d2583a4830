import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Guest, newGuest, open } from './support/browser.ts';
import { showGraph } from './support/editor.ts';
import { buysAtOnce, deployed, drafted } from './support/strategies.ts';

const SOON = { timeout: 15_000 };
const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

const nodes = (page: Page) => page.locator('.react-flow__node');
const withoutPlaces = () => {
  const { nodes: placed, edges } = buysAtOnce(10);
  return { nodes: placed.map(({ position: _, ...node }) => node), edges };
};

type Rect = { x: number; y: number; width: number; height: number };
const overlap = (one: Rect, other: Rect) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

async function rectsOf(page: Page, selector: string): Promise<Rect[]> {
  return page.locator(selector).evaluateAll((all) =>
    all.map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
}

/** Steps cut off by the canvas frame, or covered by its tools or by each other. */
async function notSeen(page: Page): Promise<number> {
  const [frame] = await rectsOf(page, '.canvas');
  if (!frame) throw new Error('There is no canvas.');
  const steps = await rectsOf(page, '.react-flow__node');
  const tools = await rectsOf(page, '.react-flow__panel.top.right');
  return steps.filter(
    (step, index) =>
      step.x < frame.x ||
      step.y < frame.y ||
      step.x + step.width > frame.x + frame.width ||
      step.y + step.height > frame.y + frame.height ||
      tools.some((tool) => overlap(step, tool)) ||
      steps.some((other, at) => at !== index && overlap(step, other)),
  ).length;
}

async function opened(guest: Guest, visual: unknown, isPhone = false): Promise<string> {
  const { id } = await drafted(guest, visual);
  await open(guest.page, `/blueprints/${id}`);
  if (isPhone) await showGraph(guest.page);
  await nodes(guest.page).first().waitFor();
  return id;
}

describe('the graph is visible', () => {
  test('a graph without positions is laid out when it opens, and viewing it is no edit', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const id = await opened(guest, withoutPlaces());
    await expect.poll(() => notSeen(page), SOON).toBe(0);
    await page.waitForTimeout(2_500);
    const { visual } = await guest.api<{ visual: unknown }>('GET', `/api/blueprints/${id}`);
    expect(visual).toEqual(withoutPlaces());
  });

  test('all steps are in view after tidying, after a stop, and while it runs', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { nodes: placed, edges } = buysAtOnce(10);
    const far = placed.map((node, index) => ({ ...node, position: { x: index * 900, y: index * 500 } }));
    const id = await opened(guest, { nodes: far, edges });
    await page.getByRole('button', { name: 'Tidy' }).click();
    await expect.poll(() => notSeen(page), SOON).toBe(0);
    await page.getByText(/^saved/).waitFor();
    await guest.api('POST', `/api/blueprints/${id}/deploy`);
    await page.getByRole('button', { name: 'Stop…' }).waitFor();
    await expect.poll(() => notSeen(page), SOON).toBe(0);
    await guest.api('POST', `/api/blueprints/${id}/stop`);
    await page.locator('.node-palette').waitFor();
    await expect.poll(() => notSeen(page), SOON).toBe(0);
  });

  test('a running graph is tidied on screen only, and its stored form is unchanged', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { nodes: placed, edges } = buysAtOnce(10);
    const visual = { nodes: placed.map((node) => ({ ...node, position: { x: 0, y: 0 } })), edges };
    const { id } = await deployed(guest, visual);
    await open(page, `/blueprints/${id}`);
    await nodes(page).first().waitFor();
    await page.getByRole('button', { name: 'Tidy' }).click();
    await expect.poll(() => notSeen(page), SOON).toBe(0);
    await page.waitForTimeout(2_000);
    const stored = await guest.api<{ visual: unknown }>('GET', `/api/blueprints/${id}`);
    expect(stored.visual).toEqual(visual);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('the first step dropped on an empty canvas stays under the pointer', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}`);
    const [frame] = await rectsOf(page, '.canvas');
    if (!frame) throw new Error('There is no canvas.');
    const at = { x: 30, y: 120 };
    await page
      .locator('.node-palette')
      .getByRole('button', { name: 'Constant', exact: true })
      .dragTo(page.locator('.canvas .react-flow'), { targetPosition: at });
    await nodes(page).first().waitFor();
    await page.waitForTimeout(600);
    const [step] = await rectsOf(page, '.react-flow__node');
    expect(Math.abs((step?.x ?? 0) - frame.x - at.x)).toBeLessThan(12);
    expect(Math.abs((step?.y ?? 0) - frame.y - at.y)).toBeLessThan(12);
  });

  test('on a phone a graph opens readable, says where more of it is, and is shown whole on request', async () => {
    await using guest = await newGuest(PHONE);
    const { page } = guest;
    await opened(guest, buysAtOnce(10), true);
    const more = page.getByRole('button', { name: /^More on the right/ });
    await more.waitFor();
    const [step] = await rectsOf(page, '.react-flow__node');
    expect(step?.width).toBeGreaterThan(120);
    await more.click();
    await expect.poll(() => notSeen(page), SOON).toBe(0);
  });

  test('values on the edges of a running graph cover no other value and no step', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await deployed(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await expect.poll(() => page.locator('.edge-value').count(), SOON).toBe(5);
    const values = await rectsOf(page, '.edge-value');
    expect(values.filter((one, at) => values.some((other, to) => at < to && overlap(one, other)))).toEqual(
      [],
    );
  });
});

describe('a graph shows the present state', () => {
  test('a running graph lists no issue of its deploy and has the whole canvas; a stopped one shows no values', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    const atDeploy = page.locator('.problems').getByText(/at once/);
    await atDeploy.waitFor({ state: 'attached' });
    await guest.api('POST', `/api/blueprints/${id}/deploy`);
    await page.locator('.node-value').first().waitFor();
    await page.waitForTimeout(1_500);
    expect(await atDeploy.count()).toBe(0);
    expect(await page.locator('.inspector').count()).toBe(0);
    await page.locator('[data-id=above]').click();
    await page.locator('.inspector').getByText('Compares two numbers').waitFor();
    await guest.api('POST', `/api/blueprints/${id}/stop`);
    await page.locator('.node-palette').waitFor();
    await expect.poll(() => page.locator('.node-value, .edge-value').count(), SOON).toBe(0);
    await page.reload();
    await nodes(page).first().waitFor();
    await page.waitForTimeout(1_500);
    expect(await page.locator('.node-value, .edge-value').count()).toBe(0);
  });
});

describe('a node that acts', () => {
  test('says what it does before a deploy, and with the amount of this moment and its last act while it runs', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    const buy = page.locator('[data-id=buy]');
    await buy.getByText('Buy 10 USD of BTC/USDT at market').waitFor();
    await guest.api('POST', `/api/blueprints/${id}/deploy`);
    await buy.getByText(/^Buy 0\.000\d+ BTC\/USDT at market$/).waitFor();
    await buy.getByText(/^acted \d+ s ago$/).waitFor();
    expect(await buy.locator('.node-value').count()).toBe(0);
  });
});

describe('beside a draft', () => {
  test('nothing covers its graph: the inspector comes with a selection, the parameters with their button', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await nodes(page).last().waitFor();
    const right = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().right);
    const inspector = page.locator('.inspector');
    expect(await inspector.count()).toBe(0);
    expect((await right('.workbench')) - (await right('.canvas'))).toBeLessThan(2);

    await page.locator('[data-id=buy]').click();
    await inspector.getByRole('heading', { name: 'Buy' }).waitFor();
    await expect
      .poll(async () => (await right('[data-id=buy]')) - (await right('.canvas')), SOON)
      .toBeLessThan(0);
    await page.locator('.react-flow__pane').click({ position: { x: 10, y: 10 } });
    await expect.poll(() => inspector.count(), SOON).toBe(0);

    await page.getByRole('button', { name: 'Parameters' }).click();
    await inspector.getByRole('button', { name: 'Add a parameter' }).waitFor();
  });
});

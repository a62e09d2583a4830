import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { type Guest, newGuest, open } from './support/browser.ts';
import { SOON } from './support/editor.ts';
import { daysAgo, storeCandles } from './support/history.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { buysAtOnce, deployed } from './support/strategies.ts';

const SCREEN = { viewport: { width: 1440, height: 1_300 }, colorScheme: 'dark' } as const;

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ CONSOLE_BUILD: '0', DEMO: '0', LOG_LEVEL: 'warn' });
  await storeCandles(service.dataDir, 10);
}, 120_000);
afterAll(() => service.stop());

/** A strategy that has bought on paper. */
async function bought(guest: Guest, visual: unknown = buysAtOnce(10)): Promise<string> {
  const { id } = await deployed(guest, visual);
  await expect
    .poll(
      async () => (await guest.api<{ fills: number }>('GET', `/api/blueprints/${id}/performance`)).fills,
      {
        timeout: 60_000,
      },
    )
    .toBe(1);
  return id;
}

const showChart = async (page: Page, path: string): Promise<Locator> => {
  await open(page, path, service.base);
  const frame = page.locator('.series-chart [data-visible]').first();
  await frame.waitFor(SOON);
  await page.locator('[data-pane="3"]').waitFor(SOON);
  await frame.scrollIntoViewIfNeeded();
  return frame;
};

const cursorOf = async (frame: Locator) => Number(await frame.getAttribute('data-cursor'));
const visibleOf = async (frame: Locator) =>
  ((await frame.getAttribute('data-visible')) ?? '').split(' ').map(Number);

test('price, volume, equity and drawdown stand on one axis of time, under one cursor that arrow keys move too', async () => {
  await using guest = await newGuest(SCREEN, service.base);
  const { page } = guest;
  const id = await bought(guest);
  const frame = await showChart(page, `/blueprints/${id}?tab=performance&range=1d`);
  const names = await page.locator('.readout .nowrap').allTextContents();
  expect(names).toEqual(['BTC/USDT', 'Volume', 'Paper', 'Drawdown']);

  const box = await frame.boundingBox();
  if (!box) throw new Error('The chart has no box.');
  // From the price down to the drawdown, over the panes of both.
  const heights = [40, 280, 380, 510];
  const cursorAt = async (x: number, y: number) => {
    await page.mouse.move(box.x + x, box.y + y);
    await frame.page().waitForTimeout(60);
    return cursorOf(frame);
  };
  const inPanes: number[] = [];
  for (const y of heights) inPanes.push(await cursorAt(400, y));
  expect(new Set(inPanes)).toEqual(new Set([inPanes[0]]));
  expect(inPanes[0]).toBeGreaterThan(0);
  const candle = await page.locator('[data-pane="0"] .figures').first().textContent();
  expect(candle).toMatch(/^O.\$[\d,.]+ H.\$[\d,.]+ L.\$[\d,.]+ C.\$[\d,.]+$/);

  // Equal stretches of the axis are equal minutes, to the width of a candle.
  const times: number[] = [];
  for (const x of [200, 400, 600, 800]) times.push(await cursorAt(x, heights[0] ?? 0));
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const CANDLE_SEC = 15 * 60;
  for (const step of steps) expect(Math.abs(step - (steps[0] ?? 0))).toBeLessThanOrEqual(CANDLE_SEC);

  await page.mouse.move(0, 0);
  await frame.focus();
  await page.keyboard.press('ArrowLeft');
  const last = await cursorOf(frame);
  await page.keyboard.press('ArrowLeft');
  expect(await cursorOf(frame)).toBe(last - CANDLE_SEC);
  const said = page.locator('.series-chart [role=status]').first();
  expect(await said.textContent()).toMatch(/UTC, BTC\/USDT O.*Volume .*Paper .*Drawdown /);
  await page.keyboard.press('Escape');
  expect(await frame.getAttribute('data-cursor')).toBeNull();
  expect(await violations(page)).toEqual([]);
});

test('a drawdown of next to nothing is next to nothing on the chart', async () => {
  await using guest = await newGuest(SCREEN, service.base);
  const { page } = guest;
  const id = await bought(guest);
  const frame = await showChart(page, `/blueprints/${id}?tab=performance&range=1d`);
  const box = await frame.boundingBox();
  const legend = await page.locator('[data-pane="3"]').boundingBox();
  if (!box || !legend) throw new Error('The chart has no box.');
  // Right of its legend, from a third of its height to its bottom.
  const clip = { x: legend.x + legend.width + 20, width: 700, y: legend.y - 20, height: legend.height + 20 };
  const { data } = PNG.sync.read(await page.screenshot({ clip }));
  let red = 0;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at] ?? 0) > (data[at + 1] ?? 0) + 40) red += 1;
  }
  expect(red).toBe(0);
});

test('a zoom outlives refreshes and a reload, and is in the address; another range shows the whole', async () => {
  await using guest = await newGuest(SCREEN, service.base);
  const { page } = guest;
  const id = await bought(guest);
  await page.clock.install();
  const frame = await showChart(page, `/blueprints/${id}?tab=performance&range=1d`);
  const [from = 0, to = 0] = await visibleOf(frame);
  await frame.focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press('+');
  await expect.poll(() => new URL(page.url()).searchParams.get('zoom')).toMatch(/^\d+-\d+$/);
  const zoomed = await visibleOf(frame);
  expect((zoomed[1] ?? 0) - (zoomed[0] ?? 0)).toBeLessThan((to - from) / 2);

  const refreshed = () => page.waitForResponse((response) => response.url().includes('console.curve'));
  for (let again = 0; again < 3; again++) {
    const answer = refreshed();
    await page.clock.fastForward(61_000);
    await answer;
  }
  expect(await visibleOf(frame)).toEqual(zoomed);

  await page.reload();
  await page.locator('[data-pane="3"]').waitFor(SOON);
  await expect.poll(() => visibleOf(frame)).toEqual(zoomed);
  await page.getByText('1W', { exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('zoom')).toBeNull();
  await expect.poll(async () => (await visibleOf(frame))[0] ?? 0).toBeLessThan(from);
});

test('the latest backtest is drawn over the paper curve, named, and its absence has words', async () => {
  await using guest = await newGuest(SCREEN, service.base);
  const { page } = guest;
  const id = await bought(guest);
  await showChart(page, `/blueprints/${id}?tab=performance&range=1w`);
  await page.getByLabel('Latest backtest').check();
  await page.getByText('Latest backtest: there is no result of this strategy yet.').waitFor();
  const { id: run } = await guest.api<{ id: string }>('POST', '/api/backtests', {
    blueprintId: id,
    from: daysAgo(3),
    to: daysAgo(0),
    checks: false,
  });
  await expect
    .poll(async () => (await guest.api<{ status: string }>('GET', `/api/backtests/${run}`)).status, {
      timeout: 90_000,
    })
    .toBe('done');
  await showChart(page, `/blueprints/${id}?tab=performance&range=1w&beside=backtest`);
  const curves = page.locator('[data-pane="2"] .nowrap');
  await expect.poll(() => curves.allTextContents(), { timeout: 15_000 }).toEqual(['Paper', 'Backtest']);
  await page.getByText('Latest backtest is scaled to the equity where both begin').waitFor();
}, 180_000);

test('on a phone the values at the cursor take three lines at most, and the candles stay visible', async () => {
  await using guest = await newGuest(
    { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
    service.base,
  );
  const { page } = guest;
  const id = await bought(guest);
  await showChart(page, `/blueprints/${id}?tab=performance&range=1d`);
  const legend = await page.locator('.readout[data-pane="0"]').boundingBox();
  expect(legend?.height).toBeLessThan(64);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
}, 120_000);

const withExit = ({ nodes, edges }: ReturnType<typeof buysAtOnce>) => ({
  nodes: [
    ...nodes,
    {
      id: 'exit',
      type: 'exit',
      position: { x: 576, y: 140 },
      data: { config: { instrument: 'BTCUSDT', stopLoss: 0.5, trailing: 0.4, takeProfit: 1 } },
    },
  ],
  edges,
});

test('an open position has lines at its cost and its exits, which go with it, and an order its values at the cursor', async () => {
  await using guest = await newGuest(SCREEN, service.base);
  const { page } = guest;
  const id = await bought(guest, withExit(buysAtOnce(10)));
  const frame = await showChart(page, `/blueprints/${id}?tab=performance&range=1d`);
  const levels = async () => (await frame.getAttribute('data-levels')) ?? '';
  await expect.poll(levels, { timeout: 30_000 }).toContain('Trailing stop');
  const drawn = /^Entry ([\d.]+), Stop ([\d.]+), Take profit ([\d.]+), Trailing stop [\d.]+$/.exec(
    await levels(),
  );
  const [entry = 0, stop, profit] = (drawn ?? []).slice(1).map(Number);
  expect(entry).toBeGreaterThan(0);
  expect((stop ?? 0) / entry).toBeCloseTo(0.5, 3);
  expect((profit ?? 0) / entry).toBeCloseTo(2, 3);

  const graph = page.locator('[data-graph-at]');
  await graph.waitFor(SOON);
  const shownAt = () => graph.getAttribute('data-graph-at');
  expect(await shownAt()).toBe('now');
  await frame.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(shownAt).toMatch(/^\d{4}-/);
  await expect.poll(() => page.locator('[data-id="above"] .node-card').textContent()).toContain('holds');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(shownAt).toBe('none');
  expect(await page.locator('[data-id="above"] .node-card').textContent()).not.toContain('holds');
  await page.keyboard.press('Escape');
  await expect.poll(shownAt).toBe('now');
  expect(await violations(page)).toEqual([]);

  await guest.api('POST', `/api/blueprints/${id}/stop`);
  await expect.poll(levels).toMatch(/^Entry [\d.]+$/);
  const [held] = await guest.api<{ amount: number }[]>('GET', '/api/portfolio/positions');
  await guest.api('POST', '/api/portfolio/positions/close', { tokenId: 'BTCUSDT', amount: held?.amount });
  await expect.poll(levels, { timeout: 30_000 }).toBe('');
}, 180_000);

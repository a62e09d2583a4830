import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { type Guest, newGuest, open, visit } from './support/browser.ts';
import { daysAgo, storeCandles } from './support/history.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { drafted } from './support/strategies.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess({ CONSOLE_BUILD: '0', DEMO: '0', LOG_LEVEL: 'warn' });
  await storeCandles(service.dataDir, 40);
}, 120_000);
afterAll(() => service.stop());

const guestOf = (options = {}) => newGuest(options, service.base);
const show = ({ page }: Guest, path: string) => open(page, path, service.base);

type TrpcResponse<Answer> = { result: { data: Answer } };
type Template = { key: string; visual: unknown };

/** A blueprint that trades on candles. */
async function momentum(guest: Guest): Promise<string> {
  const { result } = await guest.api<TrpcResponse<Template[]>>('GET', '/trpc/console.templates?input=%7B%7D');
  const visual = result.data.find(({ key }) => key === 'momentum')?.visual;
  return (await drafted(guest, visual, 'Momentum')).id;
}

type Created = { id: string };

/** A sweep of the two averages that has ended. */
async function swept(guest: Guest, blueprintId: string, more: object = {}): Promise<string> {
  const { visual } = await guest.api<{ visual: { nodes: { id: string }[] } }>(
    'GET',
    `/api/blueprints/${blueprintId}`,
  );
  const periodOf = (node: string) =>
    `/nodes/${visual.nodes.findIndex(({ id }) => id === node)}/data/config/period`;
  const { id } = await guest.api<Created>('POST', '/api/sweeps', {
    blueprintId,
    from: daysAgo(4),
    to: daysAgo(0),
    space: {
      dimensions: [
        { pointer: periodOf('fast'), values: [5, 9] },
        { pointer: periodOf('slow'), values: [21, 30, 45] },
      ],
    },
    objective: { statistic: 'totalReturn', minTrades: 0 },
    ...more,
  });
  await expect
    .poll(async () => (await guest.api<{ status: string }>('GET', `/api/sweeps/${id}`)).status, {
      timeout: 120_000,
    })
    .toBe('done');
  return id;
}

/** A run that has ended. */
async function ran(guest: Guest, blueprintId: string, more: object = {}): Promise<string> {
  const { id } = await guest.api<Created>('POST', '/api/backtests', {
    blueprintId,
    from: daysAgo(3),
    to: daysAgo(0),
    checks: false,
    ...more,
  });
  await expect
    .poll(async () => (await guest.api<{ status: string }>('GET', `/api/backtests/${id}`)).status, {
      timeout: 90_000,
    })
    .toBe('done');
  return id;
}

describe('backtests', () => {
  test('row 52: a run is requested by keyboard, left, reopened and read; the form remembers the request', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const id = await momentum(guest);
    await show(guest, `/blueprints/${id}?tab=backtest`);
    await page.getByText('No run yet').waitFor();
    await page.getByRole('region', { name: 'What was recorded' }).getByText('BTC/USDT').waitFor();
    await page.getByRole('button', { name: '7 days' }).press('Enter');
    const cash = page.getByLabel('Starting capital');
    await cash.fill('25000');
    await page.getByRole('checkbox', { name: /Ignore cached result/ }).press('Space');
    await cash.press('Enter');
    await page.getByRole('tab', { name: 'Runs, 1' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Backtests' }).click();
    const row = page.locator('tr[data-row]');
    await row.getByText('Done').waitFor({ timeout: 90_000 });
    await row.getByRole('link', { name: 'Momentum' }).click();
    await page.getByText('Final equity').waitFor();
    expect(await page.locator('[data-fidelity]').getAttribute('data-fidelity')).toMatch(/^[ABCD]$/);
    await page.getByRole('tab', { name: 'Result' }).press('ArrowRight');
    await page.waitForURL('**?part=trades');
    await page.getByRole('table', { name: 'Trades' }).locator('tr[data-row]').first().waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Trades' }).locator('tr[data-row]').first().waitFor();
    // Every part is printed, whichever is open.
    await page.emulateMedia({ media: 'print' });
    for (const name of ['Price, equity and drawdown', 'Statistics', 'Assumptions of this run'])
      await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Strategy', exact: true }).click();
    await page.getByRole('tab', { name: 'New run' }).click();
    await page.getByLabel('Starting capital').waitFor();
    expect(await page.getByLabel('Starting capital').inputValue()).toBe('25000');
    // The page of all runs links to the form of the next one.
    await page.getByRole('navigation').getByRole('link', { name: 'Backtests' }).click();
    await page.getByRole('button', { name: 'New backtest…' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Momentum' }).press('Enter');
    await page.waitForURL(`**/blueprints/${id}?tab=backtest&part=new`);
  }, 180_000);

  test('row 52: a canceled run shows its result until then as partial', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const blueprintId = await momentum(guest);
    const { id } = await guest.api<Created>('POST', '/api/backtests', {
      blueprintId,
      from: daysAgo(30),
      to: daysAgo(0),
    });
    await show(guest, `/backtests/${id}`);
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.locator('.page-head').getByText('Canceled').waitFor({ timeout: 20_000 });
    expect(await page.getByRole('progressbar').count()).toBe(0);
  }, 120_000);

  test('rows 52 and 53: three runs are compared; with other fees none is shown as the better one', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const blueprintId = await momentum(guest);
    await ran(guest, blueprintId);
    await ran(guest, blueprintId, { fills: { latencyMs: 8_000, slippageTicks: 5 } });
    const same = page.locator('[data-best]');
    await show(guest, '/backtests');
    for (const tick of await page.locator('tr[data-row] input[type=checkbox]').all())
      await tick.press('Space');
    await page.getByRole('button', { name: 'Compare 2' }).press('Enter');
    await page.getByText('fills, latency ms').waitFor();
    await same.first().waitFor();
    expect(await page.locator('[data-incomparable]').count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    const figure = await page.locator('table.compared tbody tr').first().locator('td').last().boundingBox();
    expect(figure === null ? null : figure.x + figure.width).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await ran(guest, blueprintId, { fees: 'none' });
    await show(guest, '/backtests');
    for (const tick of await page.locator('tr[data-row] input[type=checkbox]').all())
      await tick.press('Space');
    await page.getByRole('button', { name: 'Compare 3' }).press('Enter');
    await page.locator('[data-incomparable]').waitFor();
    expect(await page.locator('[data-incomparable]').textContent()).toContain('they paid other fees');
    expect(await same.count()).toBe(0);
  }, 240_000);

  test('row 52: a run is stepped through on its graph, each node with its value at the instant', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const id = await ran(guest, await momentum(guest));
    await show(guest, `/backtests/${id}/step?at=${daysAgo(2)}`);
    const stood = page.locator('[data-stood]');
    await stood.waitFor({ timeout: 40_000 });
    expect(await stood.getAttribute('data-stood')).toBe(daysAgo(2));
    await page.locator('.react-flow__node [data-mark]').first().waitFor();
    const values = await page.locator('[data-node-value]').allTextContents();
    expect(values.length).toBeGreaterThan(2);
    // The age of the last firing counts from that instant, not from today.
    expect(values.join(' ')).not.toMatch(/last [3-9] d ago/);
    await page.getByRole('button', { name: 'Next evaluation' }).press('Enter');
    await expect.poll(() => stood.getAttribute('data-stood'), { timeout: 40_000 }).not.toBe(daysAgo(2));
    await expect.poll(() => page.locator('[data-node-value]').allTextContents()).not.toEqual(values);
  }, 180_000);

  test('row 52: a sweep is requested by keyboard, its map walked, and a trial applied as a draft', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const blueprintId = await momentum(guest);
    await show(guest, `/blueprints/${blueprintId}?tab=backtest`);
    await page.getByRole('link', { name: 'Optimize parameters' }).press('Enter');
    const add = page.getByRole('button', { name: 'Add a parameter' });
    const start = page.getByRole('button', { name: 'Start sweep' });
    await add.waitFor();
    expect(await start.isDisabled()).toBe(true);
    for (const [place, name, values] of [
      [0, 'Fast average · period', '5, 9'],
      [1, 'Slow average · period', '21, 30, 45'],
    ] as const) {
      await add.press('Enter');
      const fields = page.locator('[data-dimension]').nth(place);
      await fields.getByLabel('Parameter').selectOption({ label: name });
      await fields.getByLabel('Tried with').selectOption('list');
      await fields.getByLabel('Values').fill(values);
    }
    await page.getByText('6 combinations, of at most 10,000.').waitFor();
    await page.getByRole('button', { name: '7 days' }).press('Enter');
    await page.getByLabel('Rank by').selectOption('totalReturn');
    await page.getByLabel('Min. trades').fill('0');
    await start.press('Enter');
    await page.locator('.page-head').getByText('Done').waitFor({ timeout: 120_000 });
    // The return is always shown with the share that luck explains.
    const kpis = page.locator('.kpi');
    for (const label of ['Return of the best trial', 'More than luck', 'Overfitted'])
      await kpis.filter({ hasText: label }).first().waitFor();
    await page.locator('[data-verdict]').first().waitFor();
    const map = page.getByRole('table', { name: /Total return by Fast average/ });
    const cell = map.locator('button[tabindex="0"]');
    await cell.waitFor();
    const walked = await cell.getAttribute('data-cell');
    await cell.press(walked?.startsWith('0') ? 'ArrowRight' : 'ArrowLeft');
    await expect.poll(() => cell.getAttribute('data-cell')).not.toBe(walked);
    await page.getByLabel('What the map shows').selectOption('maxDrawdown');
    await page.getByRole('table', { name: /Max. drawdown by/ }).waitFor();
    // Pressing a column again reverses its order; the first press puts the best or largest first.
    const trials = page.getByRole('region', { name: 'Trials' });
    const rows = () =>
      trials.locator('tr[data-row]').evaluateAll((all) => all.map((row) => row.dataset['row']));
    for (const name of ['Number', 'Max. drawdown']) {
      const head = trials.getByRole('columnheader', { name });
      await head.getByRole('button').press('Enter');
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
      await expect.poll(async () => (await rows())[0] === '5' || name !== 'Number').toBe(true);
      const down = await rows();
      await head.getByRole('button').press('Enter');
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
      await expect.poll(rows).not.toEqual(down);
    }
    await page.locator('tr[data-row="0"]').getByRole('button', { name: /Apply/ }).press('Enter');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('row', { name: /Fast average · period 9 5/ }).waitFor();
    await dialog.getByRole('button', { name: 'Write as draft' }).click();
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    const { visual } = await guest.api<{ visual: unknown }>('GET', `/api/blueprints/${blueprintId}`);
    expect(JSON.stringify(visual)).toContain('"period":5');
  }, 240_000);

  test('row 52: every page of a run fits 360 px and breaks no rule of access, dark or light', async () => {
    await using guest = await guestOf({
      viewport: { width: 360, height: 780 },
      colorScheme: 'dark',
    });
    const { page } = guest;
    const blueprintId = await momentum(guest);
    const found: string[] = [];
    const check = async (path: string) => {
      await visit(page, path, service.base);
      await page.waitForTimeout(1_500);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wide > 0) found.push(`${path} is ${wide} px too wide`);
      found.push(...(await violations(page)).map((fault) => `${path}: ${fault}`));
    };
    await check('/backtests');
    await check(`/blueprints/${blueprintId}?tab=backtest`);
    await check('/sweeps');
    const sweep = await swept(guest, blueprintId, { walkForward: { trainDays: 1, testDays: 1 } });
    const one = await ran(guest, blueprintId);
    const other = await ran(guest, blueprintId, { fills: { latencyMs: 0 } });
    await open(page, '/', service.base);
    for (const path of [
      '/backtests',
      `/backtests/${one}`,
      ...['trades', 'statistics', 'costs', 'details'].map((part) => `/backtests/${one}?part=${part}`),
      `/backtests/${one}/step?at=${daysAgo(2)}`,
      `/backtests/compare?ids=${one},${other}`,
      `/blueprints/${blueprintId}?tab=backtest`,
      `/blueprints/${blueprintId}?tab=performance`,
      `/blueprints/${blueprintId}?tab=trades`,
      '/portfolio',
      '/portfolio?part=statistics',
      '/portfolio?part=days',
      '/sweeps',
      `/sweeps/${sweep}`,
      `/sweeps/new?blueprint=${blueprintId}&like=${sweep}`,
    ])
      await check(path);
    expect(found).toEqual([]);
  }, 240_000);

  test('row 52: of 100,000 trades only the visible ones are rendered, at any scroll position', async () => {
    await using guest = await guestOf();
    const { page } = guest;
    const id = await ran(guest, await momentum(guest));
    const count = 100_000;
    // The report of a run of some hours, changed into one of a run of years.
    await page.route(/\/trpc\/.*backtests\.read/, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: text.replace(/"closed":\d+/, `"closed":${count}`) });
    });
    await show(guest, `/backtests/${id}?part=trades`);
    const table = page.getByRole('table', { name: 'Trades' });
    await table.waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe(String(count + 1));
    const renderedRows = () => table.locator('tr[data-row]').count();
    for (const part of [0.3, 1, 0]) {
      await page.locator('.virtual').evaluate((frame, share) => {
        frame.scrollTop = share * frame.scrollHeight;
      }, part);
      await page.waitForTimeout(300);
      expect(await renderedRows()).toBeLessThan(80);
    }
    await page.locator('.virtual').evaluate((frame) => {
      frame.scrollTop = frame.scrollHeight;
    });
    await expect
      .poll(() => table.locator('tr[data-row]').last().getAttribute('aria-rowindex'))
      .toBe(String(count + 1));
  }, 120_000);
});

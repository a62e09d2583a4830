import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRunFolder, removeWithServer } from '../support/test-server.ts';
import { newGuest, open } from './support/browser.ts';
import { layCable } from './support/cable.ts';
import { isLive, pill } from './support/live.ts';
import { freePort, type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { buysAtOnce, deployed, heldPosition, pendingOrder } from './support/strategies.ts';

/** A service behind one address that can be stopped, and started again on the same data. */
describe('a console whose service', () => {
  const dataDir = makeRunFolder();
  let publicUrl: string;
  let port: string;
  let service: ServiceProcess;
  const start = () =>
    startServiceProcess(
      {
        PORT: port,
        CONSOLE_BUILD: '0',
        DEMO: '0',
        LOG_LEVEL: 'warn',
        PUBLIC_URL: publicUrl,
        SIMULATOR_SPEED: '30',
      },
      dataDir,
    );

  beforeAll(async () => {
    port = String(await freePort());
    publicUrl = `http://localhost:${await freePort()}`;
    service = await start();
  });
  afterAll(async () => {
    await service.stop();
    await removeWithServer(dataDir);
  });

  const connection = (page: Page) => pill(page).getAttribute('data-connection');
  const notLive = (page: Page) => expect.poll(() => connection(page), { timeout: 20_000 }).not.toBe('live');
  const mark = (page: Page) => page.locator('td[data-label=Mark]').first().textContent();
  const price = (page: Page) => page.locator('[data-id=price] .node-value').textContent();

  async function venueServerOf(address: string) {
    const guest = await newGuest({}, address);
    await heldPosition(guest);
    const { id } = await deployed(guest, buysAtOnce(5), 'Watched');
    const graph = await guest.context.newPage();
    await open(guest.page, '/portfolio', address);
    await open(graph, `/blueprints/${id}`, address);
    for (const page of [guest.page, graph]) await isLive(page);
    return { guest, portfolio: guest.page, graph };
  }

  const closeButton = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: /^Sell/ });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends by %s is not called live, and hears of everything again when it is back',
    async (signal) => {
      await using cable = await layCable(publicUrl, service.base);
      expect(cable).toBeDefined();
      const { guest, portfolio, graph } = await venueServerOf(publicUrl);
      await using _ = guest;
      await portfolio.getByRole('button', { name: 'Close…' }).first().click();
      await expect.poll(() => closeButton(portfolio).isEnabled(), { timeout: 15_000 }).toBe(true);

      await service.stop(signal);
      await notLive(portfolio);
      await notLive(graph);
      expect(await closeButton(portfolio).isEnabled()).toBe(false);
      service = await start();

      await isLive(portfolio);
      await isLive(graph);
      await portfolio.keyboard.press('Escape');
      const before = [await mark(portfolio), await price(graph)];
      await expect
        .poll(async () => (await mark(portfolio)) !== before[0] && (await price(graph)) !== before[1], {
          timeout: 40_000,
        })
        .toBe(true);
      await pendingOrder(guest);
      await portfolio.getByRole('link', { name: /Orders.*1 awaiting/ }).waitFor();
    },
    150_000,
  );

  test('is away keeps what it shows, and a page not seen yet opens when it is back', async () => {
    await using cable = await layCable(publicUrl, service.base);
    await using guest = await newGuest({}, publicUrl);
    const { page } = guest;
    await heldPosition(guest);
    await open(page, '/portfolio', publicUrl);
    await isLive(page);
    cable.cut();
    await notLive(page);
    await page.getByRole('link', { name: 'Markets' }).click();
    await page.locator('[data-unreachable]').waitFor();
    await page.getByRole('link', { name: 'Portfolio' }).click();
    await page.getByText('BTC/USDT').first().waitFor();
    await page.getByRole('link', { name: 'Risk', exact: true }).click();
    await page.locator('[data-unreachable]').waitFor();
    cable.mend();
    await page.getByRole('heading', { name: 'Risk' }).waitFor();
    await isLive(page);
  }, 90_000);

  test('says nothing more while the line is open is not called live', async () => {
    await using cable = await layCable(publicUrl, service.base);
    const { guest, portfolio, graph } = await venueServerOf(publicUrl);
    await using _ = guest;
    cable.silence();
    await expect.poll(() => connection(portfolio), { timeout: 30_000 }).toBe('stale');
    await expect.poll(() => connection(graph), { timeout: 30_000 }).toBe('stale');
    cable.mend();
    for (const page of [portfolio, graph]) await isLive(page);
  }, 120_000);
});

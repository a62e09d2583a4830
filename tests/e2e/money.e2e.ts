import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { isLive } from './support/live.ts';
import { buysAtOnce, deployed, heldPosition, orderIn } from './support/strategies.ts';

const START_USD = 10_000;

const usd = (text: string | null): number =>
  Number((text ?? '').replace('−', '-').replaceAll(/[^\d.-]/g, ''));

/** Every number that the page states, read at one instant: by its `data-sum`, and the sums of columns. */
const numbers = async (page: Page) => {
  const texts = await page.evaluate(() => {
    const column = (label: string) =>
      [...document.querySelectorAll(`td[data-label="${label}"]`)].map(({ textContent }) => textContent);
    const pair = (each: Element) => [each.getAttribute('data-sum') ?? '', each.textContent] as const;
    return {
      sums: Object.fromEntries([...document.querySelectorAll('[data-sum]')].map(pair)),
      equity: document.querySelector('[data-equity]')?.textContent ?? null,
      today: [...document.querySelectorAll('.calendar td .num')]
        .map(({ textContent }) => textContent)
        .findLast(Boolean),
      worth: column('Market value'),
      unrealized: column('Unrealized'),
      strategies: document.querySelector('[data-all-strategies]')?.textContent ?? null,
      netProfit:
        [...document.querySelectorAll('.figure-grid > div')]
          .find(({ textContent }) => textContent.startsWith('Net profit'))
          ?.querySelector('dd .value')?.textContent ?? null,
      curveEnd:
        /Equity went from .* to (.*?\d\.\d\d)/.exec(
          document.querySelector('figcaption')?.textContent ?? '',
        )?.[1] ?? null,
    };
  });
  const sumOf = (cells: readonly (string | null)[]) => cells.map(usd).reduce((sum, each) => sum + each, 0);
  return {
    of: (name: string) => usd(texts.sums[name] ?? null),
    equity: usd(texts.equity),
    strategies: usd(texts.strategies),
    netProfit: usd(texts.netProfit),
    today: usd(texts.today ?? null),
    curveEnd: usd(texts.curveEnd),
    worth: sumOf(texts.worth),
    unrealized: sumOf(texts.unrealized),
  };
};

/** Half a cent for each of three rounded numbers. */
const ROUNDED = 0.015;
const near = (one: number, other: number) => expect(Math.abs(one - other)).toBeLessThan(ROUNDED);

/** Checks a page at three instants, with prices that moved between them. */
async function atThreeInstants(page: Page, moving: string, check: () => Promise<void>): Promise<void> {
  for (let instant = 0; instant < 3; instant += 1) {
    const before = await page.locator(moving).first().textContent();
    await check();
    await expect.poll(() => page.locator(moving).first().textContent(), { timeout: 30_000 }).not.toBe(before);
  }
}

test('every page adds up at three instants while prices move: its numbers are of one read', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  // A position so large that the smallest price move is more than a cent.
  await guest.api('PUT', '/api/risk-rules', { maxOrderSize: 6_000, requireApprovalAbove: 6_000 });
  const { id } = await deployed(guest, buysAtOnce(5_000));
  await orderIn(guest, 'filled');
  await open(page, '/');
  await isLive(page);
  await page.locator('[data-all-strategies]').waitFor();
  await atThreeInstants(page, '[data-equity]', async () => {
    const { of, equity, strategies, curveEnd } = await numbers(page);
    near(curveEnd, equity);
    near(equity, START_USD + of('Total P&L'));
    near(of('Cash') + of('Market value'), equity);
    near(of('Realized') + of('Unrealized'), of('Total P&L'));
    near(strategies, of('Total P&L'));
  });
  expect(await page.locator('[data-sum="Instruments held"]').textContent()).toBe('1 of 10');

  await page.getByRole('link', { name: 'Portfolio' }).click();
  await page.locator('td[data-label="Market value"]').first().waitFor();
  await atThreeInstants(page, '[data-equity]', async () => {
    const { of, equity, worth, curveEnd } = await numbers(page);
    near(of('Cash') + worth, equity);
    near(of('Market value'), worth);
    near(curveEnd, equity);
    near(START_USD + of('Total P&L'), equity);
  });
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByText('Net profit').waitFor();
  await atThreeInstants(page, '[data-equity]', async () => {
    const { equity, netProfit } = await numbers(page);
    near(START_USD + netProfit, equity);
  });
  await page.getByRole('tab', { name: 'Daily results' }).click();
  await page.locator('.calendar td .num').first().waitFor({ state: 'attached' });
  await atThreeInstants(page, '[data-equity]', async () => {
    const { of, equity, today } = await numbers(page);
    near(today, of('Total P&L'));
    near(START_USD + today, equity);
  });

  await open(page, `/blueprints/${id}?tab=performance`);
  await isLive(page);
  await page.locator('td[data-label="Unrealized"]').first().waitFor();
  await page.getByRole('figure', { name: /^Trades on the price of/ }).waitFor();
  await atThreeInstants(page, '[data-sum=Unrealized]', async () => {
    const { of, unrealized, curveEnd } = await numbers(page);
    near(of('Unrealized'), unrealized);
    near(of('Total P&L'), of('Realized') + of('Unrealized'));
    near(curveEnd, START_USD + of('Total P&L'));
  });
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByText('Net profit').waitFor();
  await atThreeInstants(page, '[data-sum=Unrealized]', async () => {
    const { of, netProfit } = await numbers(page);
    near(netProfit, of('Total P&L'));
  });
}, 180_000);

/** The prices of the market that a page shows, all read at once. */
const shownPrices = (page: Page, row: string) =>
  page.evaluate((rowSelector) => {
    const text = (selector: string) => document.querySelector(selector)?.textContent ?? '';
    const levels = [...document.querySelectorAll('table.ladder tbody tr')];
    const at = levels.findIndex((each) => each.className === 'spread');
    const priceAt = (index: number) => levels[index]?.querySelector('.num')?.textContent ?? '';
    return {
      onTop: text('.price-now'),
      inList: text(`${rowSelector} .num`).split(' ')[0],
      inTable: text('tr:has([aria-current]) .num'),
      ofCandle: text('.readout').split('C\u00a0')[1]?.trim() ?? '',
      quoted: [...document.querySelectorAll('.row.baseline > span')].at(-1)?.textContent ?? '',
      book: `bid ${priceAt(at + 1)} · ask ${priceAt(at - 1)}`,
    };
  }, row);

test('a market has one price on its page: on top, in the list, in its table, by its book, of the last candle', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await open(page, '/markets?venue=crypto&market=BTCUSDT');
  await page.locator('table.ladder').waitFor();
  await page.locator('.readout').first().waitFor();
  await atThreeInstants(page, '.price-now', async () => {
    const { onTop, inList, quoted, book } = await shownPrices(page, '[data-row=BTCUSDT]');
    expect([inList, quoted]).toEqual([onTop, book]);
    // A new candle is read half a minute after it began, at the latest.
    await expect
      .poll(
        async () => {
          const now = await shownPrices(page, '[data-row=BTCUSDT]');
          return now.ofCandle === now.onTop;
        },
        { timeout: 40_000 },
      )
      .toBe(true);
  });
  await open(page, '/markets');
  await page.locator('table.ladder').waitFor();
  await page.locator('tr:has([aria-current])').waitFor();
  await atThreeInstants(page, 'table.ladder tbody', async () => {
    const { onTop, inList, inTable, quoted, book } = await shownPrices(
      page,
      '.market-list [aria-pressed=true]',
    );
    expect([inList, inTable]).toEqual([onTop, onTop]);
    expect(quoted).toContain(book);
  });
}, 180_000);

test('a strategy’s actions are charted and listed: fills on the price, trades, and the acting step', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await heldPosition(guest);
  const [blueprint] = await guest.api<{ id: string }[]>('GET', '/api/blueprints');
  await open(page, `/blueprints/${blueprint?.id}?tab=performance`);
  await page.getByRole('figure', { name: /^Trades on the price of/ }).waitFor();
  await page.getByRole('tab', { name: 'Trades' }).click();
  await page.getByText('No closed trades yet', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('heading', { name: 'Node log' }).waitFor();
  await page.locator('td[data-label=Node]').first().waitFor();
  expect(await page.locator('td[data-label=Node]').allTextContents()).toEqual(['Buy']);
});

test('what a strategy page could not read of its trades is said, with a retry, and is back after it', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await heldPosition(guest);
  const [blueprint] = await guest.api<{ id: string }[]>('GET', '/api/blueprints');
  await page.route(/console\.trading/, (route) => route.abort());
  await open(page, `/blueprints/${blueprint?.id}?tab=log`);
  const missing = page.getByText('The nodes to choose from could not be read');
  await missing.waitFor();
  await page.getByRole('tab', { name: 'Performance' }).click();
  await page.getByText('The trades could not be read: only the equity is drawn.').waitFor();
  await page.unroute(/console\.trading/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('figure', { name: /^Trades on the price of/ }).waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.locator('td[data-label=Node]').first().waitFor();
  expect(await missing.count()).toBe(0);
});

test('a new account shows a line from its starting equity, in every range', async () => {
  await using guest = await newGuest();
  await heldPosition(guest);
  for (const range of ['1d', '1w', '1m', 'all']) {
    const points = await guest.api<{ equity: number }[]>('GET', `/api/portfolio/history?range=${range}`);
    expect(points[0], range).toMatchObject({ equity: START_USD, cash: START_USD });
  }
});

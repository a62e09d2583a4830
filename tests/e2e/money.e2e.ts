import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { isLive } from './support/live.ts';
import { buysAtOnce, deployed, heldPosition, orderIn } from './support/strategies.ts';

const START_USD = 10_000;

const usd = (text: string | null): number =>
  Number((text ?? '').replace('−', '-').replaceAll(/[^\d.-]/g, ''));

/** All numbers of one instant: numbers read one after another may be of two. */
const numbers = async (page: Page) => {
  const texts = await page.evaluate(() => ({
    equity: document.querySelector('[data-equity]')?.textContent ?? null,
    cash: document.querySelector('[data-cash], [data-sum=Cash]')?.textContent ?? null,
    pnl: document.querySelector('[data-sum="Total P&L"]')?.textContent ?? null,
    worth: [...document.querySelectorAll('td[data-label="Market value"]')].map(
      ({ textContent }) => textContent,
    ),
  }));
  return {
    equity: usd(texts.equity),
    cash: usd(texts.cash),
    pnl: usd(texts.pnl),
    worth: texts.worth.map(usd).reduce((sum, each) => sum + each, 0),
  };
};

test('the money on a page adds up: equity is cash plus positions, and the start plus the result', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  // A position so large that the smallest price move is more than a cent.
  await guest.api('PUT', '/api/risk-rules', { maxOrderSize: 6_000, requireApprovalAbove: 6_000 });
  await deployed(guest, buysAtOnce(5_000));
  await orderIn(guest, 'filled');
  await open(page, '/');
  await isLive(page);
  await page.locator('[data-equity]').waitFor();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const { equity, pnl, cash } = await numbers(page);
    expect(Math.abs(equity - START_USD - pnl)).toBeLessThan(0.015);
    expect(cash).toBeLessThan(equity);
    const sums = await page.evaluate(() =>
      Object.fromEntries([
        ['Equity', document.querySelector('[data-equity]')?.textContent ?? null],
        ...[...document.querySelectorAll('[data-sum]')].map((each) => [
          each.getAttribute('data-sum'),
          each.textContent,
        ]),
      ]),
    );
    const sum = (name: string) => usd(sums[name] ?? null);
    expect(Math.abs(sum('Cash') + sum('Market value') - sum('Equity'))).toBeLessThan(0.015);
    expect(Math.abs(sum('Realized') + sum('Unrealized') - sum('Total P&L'))).toBeLessThan(0.015);
    await page.waitForTimeout(1_500);
  }
  // Two reads of a moving price: they agree once the price is unchanged between them.
  await expect
    .poll(
      async () => {
        const [all, total] = await page.evaluate(() => [
          document.querySelector('[data-all-strategies]')?.textContent ?? null,
          document.querySelector('[data-sum="Total P&L"]')?.textContent ?? null,
        ]);
        return all !== null && all === total;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  const before = await page.locator('[data-equity]').textContent();
  await expect.poll(() => page.locator('[data-equity]').textContent(), { timeout: 30_000 }).not.toBe(before);
  expect(await page.locator('[data-sum="Open positions"]').textContent()).toBe('1 of 10');

  await page.getByRole('link', { name: 'Portfolio' }).click();
  await page.locator('[data-equity]').waitFor();
  await page.locator('td[data-label="Market value"]').first().waitFor();
  await expect
    .poll(async () => {
      const { equity, cash, worth } = await numbers(page);
      return Math.abs(equity - cash - worth) < 0.015;
    })
    .toBe(true);
});

test('a strategy’s actions are charted and listed: fills on the price, trades, and the acting step', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await heldPosition(guest);
  const [blueprint] = await guest.api<{ id: string }[]>('GET', '/api/blueprints');
  await open(page, `/blueprints/${blueprint?.id}?tab=performance`);
  await page.getByRole('figure', { name: /^Trades on the price of/ }).waitFor();
  await page.getByText('No closed trades yet', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Node log' }).waitFor();
  await page.locator('td[data-label=Node]').first().waitFor();
  expect(await page.locator('td[data-label=Node]').allTextContents()).toEqual(['buy']);
});

test('a new account shows a line from its starting equity, in every range', async () => {
  await using guest = await newGuest();
  await heldPosition(guest);
  for (const range of ['1d', '1w', '1m', 'all']) {
    const points = await guest.api<{ equity: number }[]>('GET', `/api/portfolio/history?range=${range}`);
    expect(points[0], range).toMatchObject({ equity: START_USD, cash: START_USD });
  }
});

import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, newGuest, open } from './support/browser.ts';
import { fromMenu } from './support/editor.ts';
import { buysAtOnce, deployed, drafted, heldPosition } from './support/strategies.ts';

const SLOW_MS = 1_500;
const dialog = (page: Page) => page.getByRole('alertdialog');
const confirmButton = (page: Page, verb: RegExp) => dialog(page).getByRole('button', { name: verb });

describe('what runs', () => {
  test('R19: a running blueprint says why it cannot be edited, and both ways out work', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await deployed(guest, buysAtOnce(5), 'Runs now');
    await open(page, `/blueprints/${id}`);
    await page.getByText('Running, so it cannot be edited').waitFor();
    expect(await page.locator('.node-palette').count()).toBe(0);
    await page.locator('.react-flow__node').first().click();
    expect(await page.locator('.inspector input:not([disabled])').count()).toBe(0);
    await page.getByRole('button', { name: 'Stop…' }).click();
    await dialog(page).getByText('Positions stay, and no exit').waitFor();
    await confirmButton(page, /^Stop strategy “Runs now”$/).click();
    await page.getByRole('button', { name: 'Deploy…' }).waitFor();
    await fromMenu(page, 'Duplicate as draft');
    await expect.poll(() => page.getByLabel('Name of the strategy').inputValue()).toBe('Runs now copy');
  });

  test('a strategy that holds shows its result above every tab, and its weight is its part of the equity', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    const [{ id } = { id: '' }] = await guest.api<{ id: string }[]>('GET', '/api/blueprints');
    await open(page, `/blueprints/${id}?tab=log`);
    const strip = page.locator('.next-line');
    await strip.getByText('holds BTC/USDT').waitFor();
    expect(await strip.locator('.strip-result').textContent()).toMatch(/^[+−]<?\$\d/);
    await open(page, '/portfolio');
    const weight = await page.locator('td[data-label="Weight"]').first().textContent();
    expect(await page.getByRole('list', { name: 'Allocation' }).textContent()).toContain(
      `BTC/USDT ${weight?.trim()}`,
    );
  });

  test('the list deploys a draft and stops what runs, each by its dialog', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await drafted(guest, buysAtOnce(5), 'Kept as a draft');
    await open(page, '/blueprints');
    await page.getByRole('button', { name: 'Deploy “Kept as a draft”…' }).click();
    await confirmButton(page, /^Deploy/).click();
    await page.getByRole('button', { name: 'Stop…' }).waitFor();
    await page.getByRole('link', { name: 'Strategies', exact: true }).click();
    await page.getByRole('button', { name: 'Stop “Kept as a draft”…' }).click();
    await confirmButton(page, /^Stop strategy “Kept as a draft”$/).waitFor();
  });

  test('the list opens the dialog of what a strategy is now, also if its page was last read in another state', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(5), 'Changes elsewhere');
    await open(page, `/blueprints/${id}`);
    await page.getByRole('button', { name: 'Deploy…' }).waitFor();
    await page.getByRole('link', { name: 'Strategies', exact: true }).click();
    await page.getByRole('button', { name: 'Deploy “Changes elsewhere”…' }).waitFor();
    await guest.api('POST', `/api/blueprints/${id}/deploy`);
    const stop = page.getByRole('button', { name: 'Stop “Changes elsewhere”…' });
    await stop.waitFor();
    // The page shows what it last read until this answers.
    await page.route(/console\.blueprint(?!s)/, async (route) => {
      await sleep(SLOW_MS);
      await route.continue();
    });
    await stop.click();
    await confirmButton(page, /^Stop strategy “Changes elsewhere”$/).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('R18: an error of a blueprint has a banner and is listed, also when no step carries it', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(5));
    const message =
      'The venue refused three orders in a row: market closed. Check the instrument, then deploy again.';
    await rewrite(page, { '"status":"draft"': '"status":"error"', '"error":null': said(message) });
    await page.goto(`${base}/blueprints/${id}`);
    await page.getByRole('alert').getByText('refused three orders').waitFor();
    expect(await page.getByText('Entries are halted; exits continue').count()).toBe(1);
    await page.locator('.problems button', { hasText: 'refused three orders' }).waitFor();
    expect(await page.getByRole('link', { name: /Show node/ }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('R18: errors of a step are grouped, and lead to it from the banner and the list', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(5));
    const failed = {
      buy: { status: 'error', value: null, reason: { code: 'x', message: 'No quote.' }, firedCount: 0 },
    };
    const issue = {
      nodeId: 'amount',
      path: '/nodes/3',
      code: 'odd',
      severity: 'warning',
      message: 'Odd size.',
    };
    await rewrite(page, {
      '"status":"draft"': '"status":"error"',
      '"error":null': said('Step buy has no quote.'),
      '"nodeStates":null': `"nodeStates":${JSON.stringify(failed)}`,
      '"issues":[': `"issues":[${JSON.stringify([issue, issue, issue]).slice(1, -1)},`,
    });
    await page.route('**/trpc/events*', (route) => route.abort());
    await page.goto(`${base}/blueprints/${id}`);
    await page.getByText('Problems (5)').waitFor();
    const problems = page.locator('.problems button');
    expect(await problems.filter({ hasText: 'Odd size.' }).textContent()).toMatch(/×3$/);
    expect(await page.locator('[data-id=buy] .node-card').getAttribute('data-mark')).toBe('failed');
    const chosen = () => page.locator('.react-flow__node.selected').getAttribute('data-id');
    await problems.filter({ hasText: 'Odd size.' }).click();
    await expect.poll(chosen).toBe('amount');
    await page.getByRole('link', { name: 'Show node buy' }).click();
    await expect.poll(chosen).toBe('buy');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

const said = (message: string) => `"error":${JSON.stringify(message)}`;

/** Replaces words in the service's responses, for states that a test cannot cause. */
const rewrite = (page: Page, words: Record<string, string>) =>
  page.route(/\/trpc\/(?!events)/, async (route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [from, to] of Object.entries(words)) body = body.replaceAll(from, to);
    await route.fulfill({ response, body });
  });

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newGuest, visit } from './support/browser.ts';
import { fromMenu } from './support/editor.ts';
import { buysAtOnce, deployed, drafted, orderIn } from './support/strategies.ts';

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
/** The longest allowed name, with no position for a line break. */
const LONG = 'W'.repeat(120);

/** How many pixels the page, and any dialog on it, is wider than the screen it is on. */
const excessPx = (page: Page) =>
  page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('dialog[open]')];
    const beyond = dialogs.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    return Math.max(document.documentElement.scrollWidth - screen.width, ...beyond);
  });

test('the longest names without a space: no page and no dialog is wider than a phone', async () => {
  await using guest = await newGuest(PHONE);
  const { page } = guest;
  const visual = buysAtOnce(10);
  const labelled = visual.nodes.map((node) => ({ ...node, data: { ...node.data, label: LONG } }));
  const running = await deployed(guest, { ...visual, nodes: labelled }, LONG);
  await orderIn(guest, 'filled');
  await deployed(guest, buysAtOnce(80), LONG);
  await orderIn(guest, 'pending');
  const draft = await drafted(guest, { nodes: labelled, edges: [] }, LONG);
  await guest.api('POST', '/api/api-keys', { name: LONG.slice(0, 100), scopes: ['portfolio:read'] });
  await guest.api('POST', '/api/venue-connections', {
    venue: 'crypto',
    environment: 'demo',
    label: LONG,
    credentials: { apiKey: 'apiKeyOfTheTestsx3Kq', secret: 'theSecretNobodyMaySeeAgain' },
    password: guest.password,
  });
  const url = `http://127.0.0.1:9/${'h'.repeat(1_500)}`;
  await guest.api('POST', '/api/notification-channels', { kind: 'webhook', label: LONG, url });

  /** The dialogs of each page that show such a name. */
  const questions: Record<string, readonly string[]> = {
    '/': ['Stop all…'],
    '/blueprints': [],
    '/orders': ['Review…'],
    '/portfolio': ['Close…'],
    '/keys': ['Rename…', 'Revoke…'],
    '/connections': ['Name and limits…', 'Halt…', 'Remove…'],
    '/notifications': ['Edit…', 'Remove…'],
    '/activity': [],
    [`/blueprints/${running.id}`]: ['Stop…'],
    [`/blueprints/${running.id}?tab=orders`]: [],
    [`/blueprints/${running.id}?tab=releases`]: [],
    [`/blueprints/${draft.id}?node=buy`]: [],
    [`/blueprints/${draft.id}`]: ['Deploy…', 'Tags…', 'Delete…'],
  };
  const inMenu = new Set(['Tags…', 'Delete…']);
  const wide: string[] = [];
  for (const [path, names] of Object.entries(questions)) {
    await visit(page, path);
    await expect.poll(() => page.getByText('WWWWWWWW').count(), { message: path }).toBeGreaterThan(0);
    if ((await excessPx(page)) > 0) wide.push(path);
    for (const name of names) {
      if (inMenu.has(name)) {
        await fromMenu(page, name);
      } else await page.getByRole('button', { name, exact: true }).first().click();
      await page.locator('dialog[open]').waitFor();
      if ((await excessPx(page)) > 0) wide.push(`${path} ${name}`);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
  }
  expect(wide).toEqual([]);
}, 120_000);

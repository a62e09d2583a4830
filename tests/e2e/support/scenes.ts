import type { Page } from 'playwright-core';
import { base, type Guest, open, visit } from './browser.ts';
import { showEditorScenes } from './craft-scenes.ts';
import { buysAtOnce, deployed, drafted, heldPosition, pendingOrder } from './strategies.ts';

/** Every page with an address that needs no id. */
export const PAGES = [
  '/',
  '/blueprints',
  '/orders',
  '/portfolio',
  '/backtests',
  '/markets',
  '/markets?venue=crypto',
  '/markets?venue=watchlist',
  '/risk',
  '/keys',
  '/connections',
  '/notifications',
  '/activity',
  '/settings',
  '/settings/account',
] as const;

type CheckScene = (scene: string) => Promise<void>;

/** Shows every page, empty and full, and every dialog and menu, and checks each. */
export async function showAll(guest: Guest, check: CheckScene): Promise<void> {
  const { page } = guest;
  for (const path of ['/sign-in', '/sign-up', '/reset-password']) {
    await page.goto(base + path);
    await page.locator('h1').waitFor();
    await check(path);
  }
  for (const path of ['/', '/blueprints', '/orders', '/portfolio', '/keys', '/connections', '/nowhere']) {
    await visit(page, path);
    await check(`${path}, empty`);
  }
  await open(page, '/live/orders');
  await check('/live/orders, off');
  await heldPosition(guest);
  await pendingOrder(guest);
  await deployed(guest, buysAtOnce(80), 'Waits too');
  const draft = await drafted(guest, buysAtOnce(10), 'A draft');
  const running = await deployed(guest, buysAtOnce(5), 'Runs');
  await guest.api('POST', '/api/api-keys', { name: 'Reporting', scopes: ['portfolio:read'] });
  await page.goto(base);
  for (const path of PAGES) {
    await visit(page, path);
    await check(path);
  }
  await showBlueprints(page, draft.id, running.id, check);
  await guest.api('POST', `/api/blueprints/${running.id}/stop`);
  await showRestoring(page, running.id, check);
  await showDecisions(page, check);
  await showMarkets(page, check);
  await showPicker(page, check);
  await showKeys(page, check);
  await showConnections(guest, check);
  await showNotifications(guest, check);
  await showMenus(page, check);
  await showSmall(page, check);
  await showEditorScenes(guest, check);
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

/** Checks what a button opens, and closes it. */
async function opened(page: Page, name: string | RegExp, role: 'dialog' | 'alertdialog', check: CheckScene) {
  await button(page, name).click();
  await page.getByRole(role).waitFor();
  await page.waitForTimeout(300);
  await check(`${page.url()} ${name}`);
  await page.keyboard.press('Escape');
  await page.getByRole(role).waitFor({ state: 'detached' });
}

async function showBlueprints(page: Page, draft: string, running: string, check: CheckScene): Promise<void> {
  await visit(page, '/blueprints');
  await opened(page, 'New strategy', 'dialog', check);
  await visit(page, `/blueprints/${draft}`);
  const node = page.locator('.react-flow__node, .node-line').first();
  await node.waitFor();
  await check('a draft with nothing chosen');
  await node.click();
  await check('a step of a draft');
  await showTags(page, check);
  await opened(page, 'Deploy…', 'alertdialog', check);
  for (const tab of ['json', 'orders', 'trades', 'log', 'performance', 'releases']) {
    await open(page, `/blueprints/${draft}?tab=${tab}`);
    await page.waitForTimeout(300);
    await check(tab);
  }
  await open(page, `/blueprints/${running}`);
  await page.locator('.react-flow__node [data-mark], .node-line').first().waitFor();
  await check('a running blueprint');
  await opened(page, 'Stop…', 'alertdialog', check);
  await open(page, `/blueprints/${running}?tab=releases`);
  await page.getByText('Runs').first().waitFor();
  await check('releases');
}

async function showTags(page: Page, check: CheckScene): Promise<void> {
  await button(page, 'More actions').click();
  const tags = page.getByRole('menuitem', { name: 'Tags…' });
  await tags.waitFor();
  await page.waitForTimeout(300);
  await check('the menu of a blueprint');
  await tags.click();
  await page.getByRole('dialog').waitFor();
  await check('tags');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function showRestoring(page: Page, stopped: string, check: CheckScene): Promise<void> {
  await open(page, `/blueprints/${stopped}?tab=releases`);
  await opened(page, 'Restore…', 'alertdialog', check);
  await button(page, 'Restore…').click();
  await button(page, 'Restore release 1').click();
  await page.getByText('Release 1 is the draft now.').waitFor();
  await check('what says that it is done');
}

async function showDecisions(page: Page, check: CheckScene): Promise<void> {
  await visit(page, '/orders');
  await opened(page, 'Review one by one…', 'alertdialog', check);
  await button(page, 'Review…').click();
  await page.getByText('Book now').waitFor();
  await check('review');
  await page.keyboard.press('Escape');
  await button(page, 'Reject…').click();
  await page.waitForTimeout(300);
  await check('decline');
  await page.keyboard.press('Escape');
  await page.locator('tr[data-row]').last().click();
  await page.getByText('Timeline').waitFor();
  await check('an order');
  await visit(page, '/portfolio');
  await opened(page, 'Close…', 'alertdialog', check);
  await visit(page, '/risk');
  await page.getByLabel('Largest order').fill('500');
  await opened(page, /Review 1 change/, 'alertdialog', check);
  await visit(page, '/settings/account');
  await opened(page, 'Reset the paper account…', 'alertdialog', check);
  await visit(page, '/');
  await opened(page, 'Stop all…', 'alertdialog', check);
}

async function showMarkets(page: Page, check: CheckScene): Promise<void> {
  for (const path of ['/markets', '/markets?venue=crypto']) {
    await visit(page, path);
    await page.locator('.market-list button').first().click();
    await page.locator('table.ladder').waitFor();
    await check(`${path}, a market`);
    await button(page, 'Use in a strategy…').click();
    await page.getByRole('menuitem', { name: 'New strategy' }).waitFor();
    await check(`${path}, its menu`);
    await page.keyboard.press('Escape');
  }
}

async function showPicker(page: Page, check: CheckScene): Promise<void> {
  await open(page, '/markets?venue=watchlist');
  await button(page, 'Add a market…').click();
  await page.getByRole('option').first().waitFor();
  await check('the picker');
  await page.getByRole('option').first().click();
  await page.locator('svg.sparkline').waitFor();
  await check('the watchlist');
}

async function showKeys(page: Page, check: CheckScene): Promise<void> {
  await visit(page, '/keys');
  await opened(page, 'Rename…', 'dialog', check);
  await opened(page, 'Rotate…', 'alertdialog', check);
  await opened(page, 'Revoke…', 'alertdialog', check);
  await button(page, 'New key').click();
  await page.getByLabel('Name').fill('Shown once');
  await check('a new key');
  await page.getByLabel('portfolio:read').check();
  await button(page, 'Create key with 1 scope').click();
  await page.locator('[data-secret]').waitFor();
  await check('a key, shown once');
  await page.getByLabel('I stored it somewhere safe').check();
  await button(page, 'Done').click();
}

async function showConnections(guest: Guest, check: CheckScene): Promise<void> {
  const { page } = guest;
  for (const label of ['Small', 'Other'])
    await guest.api('POST', '/api/venue-connections', {
      venue: 'crypto',
      environment: 'demo',
      label,
      credentials: { apiKey: 'apiKeyOfTheTestsx3Kq', secret: 'theSecretNobodyMaySeeAgain' },
      password: guest.password,
    });
  await visit(page, '/connections');
  await page.getByText('…x3Kq').first().waitFor();
  await check('connections');
  await button(page, 'New connection').click();
  for (const venue of ['Venue A', 'Venue B', 'Crypto']) {
    await page.getByLabel('Venue').selectOption(venue);
    await check(`connecting ${venue}`);
  }
  await page.keyboard.press('Escape');
  for (const name of ['Name and limits…', 'Replace key…']) await opened(page, name, 'dialog', check);
  for (const name of ['Halt…', 'Halt all…', 'Stop entries…', 'Cancel all orders…', 'Remove…'])
    await opened(page, name, 'alertdialog', check);
  await button(page, 'Halt…').click();
  await button(page, 'Halt it now').click();
  await opened(page, 'Resume…', 'alertdialog', check);
}

async function showNotifications(guest: Guest, check: CheckScene): Promise<void> {
  const { page } = guest;
  const hook = { kind: 'webhook', label: 'Hook', url: 'http://127.0.0.1:9/hook' };
  const { id } = await guest.api<{ id: string }>('POST', '/api/notification-channels', hook);
  await guest.api('POST', `/api/notification-channels/${id}/test`);
  await visit(page, '/notifications');
  await page.locator('tr[data-row]').first().waitFor();
  await check('notifications');
  await button(page, 'New channel').click();
  await page.getByText('What it receives, and when').click();
  for (const kind of ['Slack', 'Telegram', 'Webhook']) {
    await page.getByRole('radio', { name: kind }).check();
    await check(`a new channel, ${kind}`);
  }
  await page.getByRole('dialog').getByLabel('Name').fill('Other');
  await page.getByLabel('Address').fill(hook.url);
  await button(page, 'Add channel').click();
  await page.locator('[data-secret]').waitFor();
  await check('a secret, shown once');
  await page.getByLabel('I stored it somewhere safe').check();
  await button(page, 'Done').click();
  await opened(page, 'Edit…', 'dialog', check);
  await opened(page, 'Send again…', 'dialog', check);
  await opened(page, 'New secret…', 'alertdialog', check);
  await opened(page, 'Remove…', 'alertdialog', check);
}

async function showMenus(page: Page, check: CheckScene): Promise<void> {
  await visit(page, '/');
  await button(page, 'You and settings').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await check('the menu of a person');
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'detached' });
  await button(page, /^What happened last/).click();
  await page.getByRole('link', { name: 'Notification settings' }).waitFor();
  await check('what happened last');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Page, strategy or action').waitFor();
  await page.waitForTimeout(300);
  await check('search');
  await page.keyboard.press('Escape');
  await page.getByPlaceholder('Page, strategy or action').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByText('Keyboard shortcuts').waitFor();
  await check('the list of keys');
}

async function showSmall(page: Page, check: CheckScene): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/', '/orders', '/connections']) {
    await visit(page, path);
    await check(`${path}, on a phone`);
  }
  await button(page, 'Pages').click();
  await check('the pages, on a phone');
  if (before) await page.setViewportSize(before);
}

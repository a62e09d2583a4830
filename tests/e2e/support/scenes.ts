import type { Page } from 'playwright-core';
import { base, type Guest, open } from './browser.ts';
import { showCraft } from './craft-scenes.ts';
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

type FiresAtDeploy = (scene: string) => Promise<void>;

/** Shows every page, empty and full, and every dialog and menu, and checks each. */
export async function showAll(guest: Guest, look: FiresAtDeploy): Promise<void> {
  const { page } = guest;
  for (const path of ['/sign-in', '/sign-up', '/reset-password']) {
    await page.goto(base + path);
    await page.locator('h1').waitFor();
    await look(path);
  }
  for (const path of [
    '/',
    '/blueprints',
    '/orders',
    '/portfolio',
    '/keys',
    '/connections',
    '/live/orders',
    '/nowhere',
  ]) {
    await open(page, path);
    await look(`${path}, empty`);
  }
  await heldPosition(guest);
  await pendingOrder(guest);
  await deployed(guest, buysAtOnce(80), 'Waits too');
  const draft = await drafted(guest, buysAtOnce(10), 'A draft');
  const running = await deployed(guest, buysAtOnce(5), 'Runs');
  await guest.api('POST', '/api/api-keys', { name: 'Reporting', scopes: ['portfolio:read'] });
  for (const path of PAGES) {
    await open(page, path);
    await look(path);
  }
  await showBlueprints(page, draft.id, running.id, look);
  await guest.api('POST', `/api/blueprints/${running.id}/stop`);
  await showRestoring(page, running.id, look);
  await showDecisions(page, look);
  await showMarkets(page, look);
  await showPicker(page, look);
  await showKeys(page, look);
  await showConnections(guest, look);
  await showNotifications(guest, look);
  await showMenus(page, look);
  await showSmall(page, look);
  await showCraft(guest, look);
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

/** Checks what a button opens, and closes it. */
async function opened(
  page: Page,
  name: string | RegExp,
  role: 'dialog' | 'alertdialog',
  look: FiresAtDeploy,
) {
  await button(page, name).click();
  await page.getByRole(role).waitFor();
  await page.waitForTimeout(300);
  await look(`${page.url()} ${name}`);
  await page.keyboard.press('Escape');
  await page.getByRole(role).waitFor({ state: 'detached' });
}

async function showBlueprints(
  page: Page,
  draft: string,
  running: string,
  look: FiresAtDeploy,
): Promise<void> {
  await open(page, '/blueprints');
  await opened(page, 'New strategy', 'dialog', look);
  await open(page, `/blueprints/${draft}`);
  await page.locator('.react-flow__node').first().waitFor();
  await look('a draft with nothing chosen');
  await page.locator('.react-flow__node').first().click();
  await look('a step of a draft');
  await opened(page, 'Tags…', 'dialog', look);
  await opened(page, 'Deploy…', 'alertdialog', look);
  for (const tab of ['json', 'orders', 'performance', 'releases']) {
    await open(page, `/blueprints/${draft}?tab=${tab}`);
    await page.waitForTimeout(300);
    await look(tab);
  }
  await open(page, `/blueprints/${running}`);
  await page.locator('.react-flow__node [data-mark]').first().waitFor();
  await look('a running blueprint');
  await opened(page, 'Stop…', 'alertdialog', look);
  await open(page, `/blueprints/${running}?tab=releases`);
  await page.getByText('Runs').first().waitFor();
  await look('releases');
}

async function showRestoring(page: Page, stopped: string, look: FiresAtDeploy): Promise<void> {
  await open(page, `/blueprints/${stopped}?tab=releases`);
  await opened(page, 'Restore…', 'alertdialog', look);
  await button(page, 'Restore…').click();
  await button(page, 'Restore release 1').click();
  await page.getByText('Release 1 is the draft now.').waitFor();
  await look('what says that it is done');
}

async function showDecisions(page: Page, look: FiresAtDeploy): Promise<void> {
  await open(page, '/orders');
  await opened(page, 'Review one by one…', 'alertdialog', look);
  await button(page, 'Review…').click();
  await page.getByText('Book now').waitFor();
  await look('review');
  await page.keyboard.press('Escape');
  await button(page, 'Reject…').click();
  await page.waitForTimeout(300);
  await look('decline');
  await page.keyboard.press('Escape');
  await page.locator('tr[data-row]').last().click();
  await page.getByText('Timeline').waitFor();
  await look('an order');
  await open(page, '/portfolio');
  await opened(page, 'Close…', 'alertdialog', look);
  await open(page, '/risk');
  await page.getByLabel('Largest order').fill('500');
  await opened(page, /Review 1 change/, 'alertdialog', look);
  await open(page, '/settings/account');
  await opened(page, 'Reset the paper account…', 'alertdialog', look);
  await open(page, '/');
  await opened(page, 'Stop all…', 'alertdialog', look);
}

async function showMarkets(page: Page, look: FiresAtDeploy): Promise<void> {
  for (const path of ['/markets', '/markets?venue=crypto']) {
    await open(page, path);
    await page.locator('.market-list button').first().click();
    await page.locator('table.ladder').waitFor();
    await look(`${path}, a market`);
    await button(page, 'Use in a strategy…').click();
    await page.getByRole('menuitem', { name: 'New strategy' }).waitFor();
    await look(`${path}, its menu`);
    await page.keyboard.press('Escape');
  }
}

async function showPicker(page: Page, look: FiresAtDeploy): Promise<void> {
  await open(page, '/markets?venue=watchlist');
  await button(page, 'Add a market…').click();
  await page.getByRole('option').first().waitFor();
  await look('the picker');
  await page.getByRole('option').first().click();
  await page.locator('svg.sparkline').waitFor();
  await look('the watchlist');
}

async function showKeys(page: Page, look: FiresAtDeploy): Promise<void> {
  await open(page, '/keys');
  await opened(page, 'Rename…', 'dialog', look);
  await opened(page, 'Rotate…', 'alertdialog', look);
  await opened(page, 'Revoke…', 'alertdialog', look);
  await button(page, 'New key').click();
  await page.getByLabel('Name').fill('Shown once');
  await look('a new key');
  await page.getByLabel('portfolio:read').check();
  await button(page, 'Create key with 1 scope').click();
  await page.locator('[data-secret]').waitFor();
  await look('a key, shown once');
  await page.getByLabel('I stored it somewhere safe').check();
  await button(page, 'Done').click();
}

async function showConnections(guest: Guest, look: FiresAtDeploy): Promise<void> {
  const { page } = guest;
  for (const label of ['Small', 'Other'])
    await guest.api('POST', '/api/venue-connections', {
      venue: 'crypto',
      environment: 'demo',
      label,
      credentials: { apiKey: 'apiKeyOfTheTestsx3Kq', secret: 'theSecretNobodyMaySeeAgain' },
      password: guest.password,
    });
  await open(page, '/connections');
  await page.getByText('…x3Kq').first().waitFor();
  await look('connections');
  await button(page, 'New connection').click();
  for (const venue of ['Venue A', 'Venue B', 'Crypto']) {
    await page.getByLabel('Venue').selectOption(venue);
    await look(`connecting ${venue}`);
  }
  await page.keyboard.press('Escape');
  for (const name of ['Name and limits…', 'Replace key…']) await opened(page, name, 'dialog', look);
  for (const name of ['Halt…', 'Halt all…', 'Stop entries…', 'Cancel all orders…', 'Remove…'])
    await opened(page, name, 'alertdialog', look);
  await button(page, 'Halt…').click();
  await button(page, 'Halt it now').click();
  await opened(page, 'Resume…', 'alertdialog', look);
}

async function showNotifications(guest: Guest, look: FiresAtDeploy): Promise<void> {
  const { page } = guest;
  const hook = { kind: 'webhook', label: 'Hook', url: 'http://127.0.0.1:9/hook' };
  const { id } = await guest.api<{ id: string }>('POST', '/api/notification-channels', hook);
  await guest.api('POST', `/api/notification-channels/${id}/test`);
  await open(page, '/notifications');
  await page.locator('tr[data-row]').first().waitFor();
  await look('notifications');
  await button(page, 'New channel').click();
  await page.getByText('What it receives, and when').click();
  for (const kind of ['Slack', 'Telegram', 'Webhook']) {
    await page.getByLabel('Where').selectOption(kind);
    await look(`a new channel, ${kind}`);
  }
  await page.getByRole('dialog').getByLabel('Name').fill('Other');
  await page.getByLabel('Address').fill(hook.url);
  await button(page, 'Add channel').click();
  await page.locator('[data-secret]').waitFor();
  await look('a secret, shown once');
  await page.getByLabel('I stored it somewhere safe').check();
  await button(page, 'Done').click();
  await opened(page, 'Edit…', 'dialog', look);
  await opened(page, 'Send again…', 'dialog', look);
  await opened(page, 'New secret…', 'alertdialog', look);
  await opened(page, 'Remove…', 'alertdialog', look);
}

async function showMenus(page: Page, look: FiresAtDeploy): Promise<void> {
  await open(page, '/');
  await button(page, 'You and settings').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await look('the menu of a person');
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'detached' });
  await button(page, /^What happened last/).click();
  await page.getByRole('link', { name: 'Notification settings' }).waitFor();
  await look('what happened last');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Page, strategy or action').waitFor();
  await page.waitForTimeout(300);
  await look('search');
  await page.keyboard.press('Escape');
  await open(page, '/');
  await page.keyboard.press('?');
  await page.getByText('Keyboard shortcuts').waitFor();
  await look('the list of keys');
}

async function showSmall(page: Page, look: FiresAtDeploy): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/', '/orders', '/connections']) {
    await open(page, path);
    await look(`${path}, on a phone`);
  }
  await button(page, 'Pages').click();
  await look('the pages, on a phone');
  if (before) await page.setViewportSize(before);
}

import { expect, test } from 'vitest';
import { base, browser, newGuest, open } from './support/browser.ts';
import { fromMenu } from './support/editor.ts';
import { drafted } from './support/strategies.ts';

const TEXT = '<img src=x onerror="window.pwned = 1">';
const GRAPH = {
  nodes: [
    {
      id: 'constructor',
      type: 'crypto.price',
      position: { x: 0, y: 0 },
      data: { config: { symbol: 'BTCUSDT' } },
    },
    { id: '__proto__', type: 'note', position: { x: 0, y: 120 }, data: { label: TEXT } },
    { id: 'say', type: 'notify', position: { x: 300, y: 0 }, data: { label: TEXT, config: { text: TEXT } } },
  ],
  edges: [],
};

test('a strategy shared by link is read without signing in, copied by another user, and gone once the link is revoked', async () => {
  await using owner = await newGuest();
  const { id } = await drafted(owner, GRAPH, 'Dip buyer of Ada');
  await open(owner.page, `/blueprints/${id}`);
  await fromMenu(owner.page, 'Share…');
  const dialog = owner.page.getByRole('dialog', { name: 'Share “Dip buyer of Ada”' });
  await dialog.getByLabel('Expires after').selectOption('30');
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const link = (await dialog.locator('[data-link]').textContent()) ?? '';
  expect(link).toMatch(new RegExp(`^${base}/shared#tsh_[\\w-]{43}$`));
  const [, token = ''] = link.split('#');

  const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 } });
  const visitor = await context.newPage();
  const addresses: string[] = [];
  visitor.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''));
  const page = await visitor.goto(link);
  expect(page?.headers()['x-robots-tag']).toBe('noindex');
  await visitor.getByRole('heading', { name: 'Dip buyer of Ada' }).waitFor();
  await visitor.getByText('Another person shares this strategy with you').waitFor();
  const nodes = visitor.locator('.react-flow__node');
  await expect.poll(() => nodes.count()).toBe(3);
  await nodes.filter({ hasText: 'BTC/USDT' }).click();
  await visitor.getByLabel('Inspector').getByText('Crypto price').first().waitFor();
  // An instrument's name is for signed-in users: its id is shown, and nothing leads to the sign-in.
  await visitor.waitForTimeout(600);
  expect(new URL(visitor.url()).pathname).toBe('/shared');
  expect(await visitor.evaluate(() => 'pwned' in window)).toBe(false);
  expect(addresses.filter((address) => address.replace(/#.*$/, '').includes(token))).toEqual([]);
  await visitor.getByRole('link', { name: 'Sign in to take a copy' }).click();
  await visitor.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(visitor.url()).not.toContain(token);
  await visitor.reload();
  expect(addresses.filter((address) => address.replace(/#.*$/, '').includes(token))).toEqual([]);

  await using other = await newGuest();
  await other.page.goto(link);
  await other.page.getByRole('button', { name: 'Take a copy' }).click();
  await other.page.waitForURL('**/blueprints/*');
  const [copy] = await other.api<{ id: string; name: string; visual: unknown }[]>('GET', '/api/blueprints');
  expect(copy).toMatchObject({ name: 'Dip buyer of Ada', visual: GRAPH });
  expect(copy?.id).not.toBe(id);

  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByText(/^Made /).waitFor({ state: 'detached' });
  await visitor.goto(link);
  await visitor.getByRole('heading', { name: 'This link shows nothing' }).waitFor();
  await context.close();
}, 120_000);

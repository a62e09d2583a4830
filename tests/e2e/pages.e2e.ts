import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, newGuest, open } from './support/browser.ts';
import { buysAtOnce, deployed, drafted, heldPosition, pendingOrder } from './support/strategies.ts';

const PAGES = [
  '/',
  '/blueprints',
  '/orders',
  '/portfolio',
  '/markets',
  '/markets?venue=crypto',
  '/risk',
  '/keys',
  '/activity',
  '/settings',
];

/** What axe finds on the whole page, each with where it is. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${page.url()}: ${id} at ${target.join(' ')}`),
  );
}

describe('every page', () => {
  test('R1: nothing is asked of another host, on the console and on /docs', async () => {
    await using guest = await newGuest();
    const hosts = new Set<string>();
    guest.context.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith('http')) hosts.add(host);
    });
    const blocked: string[] = [];
    guest.page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) blocked.push(message.text());
    });
    const { id } = await drafted(guest, buysAtOnce(10));
    for (const path of [...PAGES, `/blueprints/${id}`, `/blueprints/${id}?tab=json`])
      await open(guest.page, path);
    await guest.page.goto(`${base}/docs`);
    await guest.page.getByText('Blueprints').first().waitFor();
    expect([...hosts]).toEqual([new URL(base).host]);
    expect(blocked).toEqual([]);
  }, 120_000);

  test.each(['dark', 'light'] as const)(
    'R4: axe finds nothing on any page or open dialog, %s',
    async (colorScheme) => {
      await using guest = await newGuest({ colorScheme, reducedMotion: 'reduce' });
      const { page } = guest;
      const found: string[] = [];
      const look = async () => found.push(...(await violations(page)));
      for (const path of ['/sign-in', '/sign-up']) {
        await page.goto(base + path);
        await page.locator('h1').waitFor();
        await look();
      }
      await open(page, '/');
      await look();
      await pendingOrder(guest);
      const draft = await drafted(guest, buysAtOnce(10), 'A draft');
      for (const path of PAGES) {
        await open(page, path);
        await look();
      }
      await open(page, `/blueprints/${draft.id}`);
      await page.locator('.react-flow__node').first().click();
      await look();
      await page.getByRole('button', { name: 'Deploy…' }).click();
      await page.getByRole('alertdialog').waitFor();
      await look();
      for (const tab of ['json', 'orders', 'performance', 'releases']) {
        await open(page, `/blueprints/${draft.id}?tab=${tab}`);
        await page.waitForTimeout(300);
        await look();
      }
      await open(page, '/orders');
      await page.getByRole('button', { name: 'Review…' }).first().click();
      await page.getByText('Book now').waitFor();
      await look();
      await page.keyboard.press('Escape');
      await page.locator('tr[data-row]').last().click();
      await page.getByText('Timeline').waitFor();
      await look();
      await open(page, '/keys');
      await page.getByRole('button', { name: 'New key' }).first().click();
      await page.getByRole('dialog').waitFor();
      await look();
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByText('Keyboard shortcuts').waitFor();
      await look();
      expect(found).toEqual([]);
    },
    240_000,
  );

  test.each([
    ['with a mouse', 24, {}],
    ['on touch', 44, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }],
  ] as const)('R6: nothing to press is too small: %s, %d px', async (_kind, least, options) => {
    await using guest = await newGuest(options);
    await pendingOrder(guest);
    const small: string[] = [];
    for (const path of ['/', '/blueprints', '/orders', '/keys', '/risk', '/settings']) {
      await open(guest.page, path);
      small.push(...(await tooSmall(guest.page, least)));
    }
    expect(small).toEqual([]);
  });

  test('R7: a state is a word and an icon besides its colour, and the palette is a choice', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await heldPosition(guest);
    await open(page, '/orders');
    const status = page.locator('tbody .status').first();
    expect(await status.textContent()).toMatch(/\w/);
    expect(await status.locator('svg').count()).toBe(1);
    await open(page, '/portfolio');
    expect(
      await page.locator('td[data-label=Unrealized], td[data-label=Realized]').allTextContents(),
    ).toContainEqual(expect.stringMatching(/^[+−]\$[\d,.]+ [▲▼]$/));
    await open(page, '/settings');
    const up = () =>
      page
        .locator('.up')
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    const green = await up();
    await page.getByText('Blue and orange').click();
    expect(await up()).not.toBe(green);
  });

  test('R8: at 390 px nothing scrolls sideways; approvals and stop work, the graph pans', async () => {
    await using guest = await newGuest({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = guest;
    const order = await pendingOrder(guest);
    const { id } = await deployed(guest, buysAtOnce(20), 'To be stopped');
    for (const path of [...PAGES, `/blueprints/${id}`]) {
      await open(page, path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wide, path).toBeLessThanOrEqual(0);
    }
    expect(await page.locator('.palette').count()).toBe(0);
    const before = await page.locator('.react-flow__viewport').getAttribute('style');
    await page.getByRole('button', { name: 'Zoom In' }).tap();
    await expect.poll(() => page.locator('.react-flow__viewport').getAttribute('style')).not.toBe(before);
    await page.getByRole('button', { name: 'Stop…' }).tap();
    await page.getByRole('button', { name: 'Stop blueprint' }).tap();
    await page.getByText('Stopped').first().waitFor();
    await open(page, '/orders');
    const review = page.getByRole('button', { name: 'Review…' }).first();
    expect((await review.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await review.tap();
    const approve = page.getByRole('alertdialog').getByRole('button', { name: /^Approve/ });
    await expect.poll(() => approve.isEnabled(), { timeout: 10_000 }).toBe(true);
    await approve.tap();
    await expect
      .poll(async () => (await guest.api<{ status: string }>('GET', `/api/orders/${order.id}`)).status, {
        timeout: 15_000,
      })
      .not.toBe('pending');
  }, 120_000);
});

/** Visible controls below the least size. A link inside a line of text may be as high as the line. */
const tooSmall = (page: Page, least: number) =>
  page.evaluate((px) => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>('button, select, input, [role=button], nav a'),
    ];
    return controls
      .filter((control) => control.checkVisibility() && !control.hidden)
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < px || box.height < px))
      .filter(({ control }) => !control.closest('.react-flow__panel, label, .mantine-SegmentedControl-root'))
      .map(({ control, box }) => `${control.outerHTML.slice(0, 120)}: ${box.width} × ${box.height}`);
  }, least);

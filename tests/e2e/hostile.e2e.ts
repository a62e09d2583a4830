import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, newGuest, open } from './support/browser.ts';
import { drafted } from './support/strategies.ts';

const HOSTILE = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '"><svg onload=window.pwned=1>',
];

/** A graph whose ids, labels and texts are all this text. */
const drawnWith = (text: string) => ({
  nodes: [
    { id: text, type: 'note', position: { x: 0, y: 0 }, data: { text, label: text } },
    { id: 'say', type: 'notify', position: { x: 0, y: 160 }, data: { label: text, config: { text } } },
  ],
  edges: [],
});

const isPwned = (page: Page) => page.evaluate(() => 'pwned' in window);

describe('X25: in a browser', () => {
  test('names, labels, node ids and texts are plain text, on every page that shows them', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    for (const text of HOSTILE) {
      const { id } = await drafted(guest, drawnWith(text), text);
      for (const path of ['/blueprints', `/blueprints/${id}`, `/blueprints/${id}?tab=json`, '/activity']) {
        await open(page, path);
        await expect.poll(async () => (await page.locator('body').textContent())?.length).toBeGreaterThan(20);
        expect(await isPwned(page), path).toBe(false);
      }
      await open(page, '/blueprints');
      await page.getByText(text).first().waitFor();
      await guest.api('POST', '/api/venue-connections', {
        venue: 'crypto',
        environment: 'demo',
        label: text,
        credentials: { apiKey: 'apiKeyOfTheTestsx3Kq', secret: 'theSecretNobodyMaySeeAgain' },
        password: guest.password,
      });
      await open(page, '/connections');
      await page.getByRole('heading', { name: text }).waitFor();
      expect(await isPwned(page)).toBe(false);
      await open(page, `/nowhere/${encodeURIComponent(text)}`);
      expect(await isPwned(page)).toBe(false);
    }
  }, 120_000);

  test('an inline script does not run, no other page frames this one, and no link sends a user to another site', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/risk');
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.pwned = 1';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.pwned = 1">');
    });
    await page.waitForTimeout(200);
    expect(await isPwned(page)).toBe(false);

    const framer = await guest.context.newPage();
    await framer.setContent(`<iframe src="${base}/risk"></iframe>`);
    await framer.waitForTimeout(500);
    const [, framed] = framer.frames();
    expect(await framed?.evaluate(() => location.protocol)).toBe('chrome-error:');

    await page.goto(`${base}/sign-in?next=${encodeURIComponent('//evil.example/')}`);
    await page.waitForTimeout(500);
    expect(new URL(page.url()).host).toBe(new URL(base).host);
  });
});

import { describe, expect, test } from 'vitest';
import { base, browser, open } from './support/browser.ts';
import { startServiceProcess } from './support/service-process.ts';

describe('the demo on the sign-in page', () => {
  test('one press signs in as the demo user, whose password stays on the server', {
    timeout: 150_000,
  }, async () => {
    const service = await startServiceProcess({ CONSOLE_BUILD: '0', DEMO: '1', LOG_LEVEL: 'warn' });
    const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 } });
    try {
      const page = await context.newPage();
      const answers: Promise<string>[] = [];
      page.on('response', (response) => {
        if (/entrance|sign-in\/demo/.test(response.url())) answers.push(response.text());
      });
      await open(page, '/sign-in', service.base);
      await page.getByRole('img', { name: /A strategy as a graph/ }).waitFor();
      await page.getByRole('button', { name: 'Try the demo' }).waitFor();
      const overflow = () => document.documentElement.scrollHeight - innerHeight;
      expect(await page.evaluate(overflow), 'pixels to scroll').toBe(0);
      await page.getByRole('button', { name: 'Try the demo' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const session = await context.request.get(`${service.base}/api/auth/get-session`);
      expect(await session.json()).toMatchObject({ user: { email: 'demo@example.com' } });
      expect((await Promise.all(answers)).join()).not.toMatch(/password|"token"/);

      const elsewhere = await context.request.post(`${service.base}/api/auth/sign-in/demo`, {
        headers: { origin: 'https://evil.example' },
        data: {},
      });
      expect(elsewhere.status()).toBe(403);
    } finally {
      await context.close();
      await service.stop();
    }
  });

  test('without a demo there is neither the button nor the route', async () => {
    const context = await (await browser()).newContext();
    const page = await context.newPage();
    await open(page, '/sign-in');
    await page.getByText(/^Paper trading: /).waitFor();
    expect(await page.getByRole('button', { name: 'Try the demo' }).count()).toBe(0);
    const answer = await context.request.post(`${base}/api/auth/sign-in/demo`, {
      headers: { origin: base },
      data: {},
    });
    expect(answer.status()).toBe(404);
    await context.close();
  });
});

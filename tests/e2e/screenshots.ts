/**
 * Takes the README's pictures of the console and the docs, from the demo account, into `docs/screenshots`. With DATA_DIR set, the
 * demo of that folder is used: the longer it has run, the more its curves show. `pages.json` beside them states which looks of the pages
 * they show; a test fails once a page looks different.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './support/launch.ts';
import { digestsOfPages, README_PICTURES } from './support/readme-pictures.ts';
import { startServiceProcess } from './support/service-process.ts';
import { buysAtOnce } from './support/strategies.ts';

const SIZE = { width: 1440, height: 900 };
const WAIT_MS = 60_000;
const SETTLE_MS = 1_500;

const service = await startServiceProcess({ DEMO: '1', LOG_LEVEL: 'warn' }, process.env['DATA_DIR']);
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: 'dark', deviceScaleFactor: 2 });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await signIn(page);
  await raiseApproval(context);
  await shootAll(page);
  await context.close();
  await writeFile(path.join(README_PICTURES, 'pages.json'), `${JSON.stringify(digestsOfPages(), null, 2)}\n`);
} finally {
  await browser.close();
  await service.stop();
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${service.base}/sign-in`);
  await page.getByLabel('E-mail').fill('demo@example.com');
  await page
    .getByLabel('Password', { exact: true })
    .fill(readFileSync(path.join(service.dataDir, 'demo-password'), 'utf8').trim());
  await page.getByRole('button', { name: 'Sign in' }).click({ timeout: WAIT_MS });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** Creates an order that waits, so that the queue and the dialog have content. */
async function raiseApproval(context: BrowserContext): Promise<void> {
  const call = (at: string, data?: unknown) =>
    context.request.post(service.base + at, {
      headers: { origin: service.base },
      ...(data !== undefined && { data }),
    });
  const created = await call('/api/blueprints', { name: 'Larger buy', visual: buysAtOnce(80) });
  const { id } = (await created.json()) as { id: string };
  await call(`/api/blueprints/${id}/deploy`);
}

async function shootAll(page: Page): Promise<void> {
  const shoot = async (name: string) => {
    await page.mouse.move(0, 0);
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: path.join(README_PICTURES, `${name}.png`) });
  };
  await page
    .getByText(/^Approve buy/)
    .first()
    .waitFor();
  await shoot('overview');
  await page.goto(`${service.base}/blueprints?status=running`);
  await page.getByRole('link', { name: 'First trades' }).click();
  await page.locator('.edge-value').first().waitFor();
  await shoot('graph-running');
  await page.goto(`${service.base}/orders`);
  await page.getByRole('button', { name: 'Review…' }).first().click();
  await page.getByText('on average').waitFor();
  await shoot('approval');
  await page.keyboard.press('Escape');
  await page.goto(`${service.base}/docs#tag/blueprints/POST/api/blueprints/{id}/deploy`);
  await page.getByText('Test Request').first().waitFor();
  // The section of the address has the focus, and a ring around it.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await shoot('docs');
}

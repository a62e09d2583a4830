import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';
import { launchBrowser } from './launch.ts';

export const base = inject('base');
/** The service's public address, where nothing listens until a test does. */
export const publicUrl = inject('publicUrl');

let launched: Promise<Browser> | null = null;

/** One browser per worker, which ends with it. */
export function browser(): Promise<Browser> {
  launched ??= launchBrowser();
  return launched;
}

const PASSWORD = 'correct horse battery';

export type Guest = {
  context: BrowserContext;
  page: Page;
  email: string;
  password: string;
  /** Calls the REST API with the session of this browser. */
  api: <Answer = unknown>(method: string, path: string, body?: unknown) => Promise<Answer>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** A new user, signed in, in a separate context. The shared service is at `origin` by default, the worker's browser is `own`. */
export async function newGuest(
  options: BrowserContextOptions = {},
  origin = base,
  own?: Browser,
): Promise<Guest> {
  const context = await (own ?? (await browser())).newContext({
    viewport: { width: 1440, height: 900 },
    // Frames of motion are most of the browser's work.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(15_000);
  const email = `${randomUUID()}@example.com`;
  const joined = await context.request.post(`${origin}/api/auth/sign-up/email`, {
    headers: { origin },
    data: { name: 'Ada', email, password: PASSWORD },
  });
  if (!joined.ok()) throw new Error(`Sign-up answered ${joined.status()}: ${await joined.text()}`);
  const page = await context.newPage();
  const api = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await context.request.fetch(origin + path, {
      method,
      headers: { origin },
      ...(body !== undefined && { data: body }),
    });
    if (!response.ok())
      throw new Error(`${method} ${path} answered ${response.status()}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  return {
    context,
    page,
    email,
    password: PASSWORD,
    api,
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Opens a page and waits until its content is there. */
export async function open(page: Page, path: string, origin = base): Promise<void> {
  await page.goto(origin + path);
  await page.locator('h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/**
 * Goes to another page of the console as a link does: the document stays, with the code that it has compiled, which saves three
 * quarters of the processor time. The same page, or one without what an API call changed, has to be opened again.
 */
export async function visit(page: Page, path: string, origin = base): Promise<void> {
  const [from, to] = [new URL(page.url()), new URL(path, origin)];
  if (from.origin !== to.origin || from.pathname === to.pathname) return open(page, path, origin);
  await page.evaluate((address) => {
    document.querySelector('h1')?.setAttribute('data-left', '');
    history.pushState(null, '', address);
  }, path);
  await page.locator('h1:not([data-left])').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

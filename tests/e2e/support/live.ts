import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const pill = (page: Page) => page.locator('[data-connection][role=status]');
export const isLive = (page: Page) =>
  expect.poll(() => pill(page).getAttribute('data-connection'), { timeout: 25_000 }).toBe('live');

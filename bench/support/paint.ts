/** The paint figures of one cold visit to a page, over a slow network and on a slow processor. */

import type { CDPSession, Page } from 'playwright-core';

const MBIT = 1_000_000 / 8;

export type Conditions = {
  offline: boolean;
  /** Added to every request, ms. */
  latency: number;
  /** Bytes per second. */
  downloadThroughput: number;
  uploadThroughput: number;
  /** How many times slower the processor is. */
  slowdown: number;
};

export const SLOW: Conditions = {
  offline: false,
  latency: 40,
  downloadThroughput: 10 * MBIT,
  uploadThroughput: 5 * MBIT,
  slowdown: 4,
};
export const FAST_3G: Conditions = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6 * MBIT,
  uploadThroughput: 0.75 * MBIT,
  slowdown: 1,
};

export type Paint = {
  /** Largest contentful paint, in ms after the visit began. */
  lcpMs: number;
  /** Cumulative layout shift, a share of the view without unit. */
  layoutShift: number;
};

const SETTLE_MS = 3_000;

const READ_PAINT = `new Promise((resolve) => {
  const paint = { lcpMs: 0, layoutShift: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) paint.lcpMs = Math.max(paint.lcpMs, startTime);
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) paint.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(paint), 300);
})`;

/** Visits a page with an empty cache and waits until its last expected paint. */
export async function visitCold(
  page: Page,
  cdp: CDPSession,
  url: string,
  { slowdown, ...line }: Conditions,
): Promise<Paint> {
  await cdp.send('Network.clearBrowserCache');
  await cdp.send('Network.emulateNetworkConditions', line);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(url);
  await page.locator('h1').first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  const paint = await page.evaluate<Paint>(READ_PAINT);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return paint;
}

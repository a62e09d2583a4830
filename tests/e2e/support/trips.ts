import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { DIST } from '../../../web/fingerprint.ts';

/** After this long without another request, a page waits for those it has made. */
const QUIET_MS = 3_000;

export type Trip = {
  /** The paths requested together, after the responses of the previous trip. */
  paths: readonly string[];
  /** Bytes of the built files among them, compressed with gzip. */
  bytes: number;
};

/**
 * Counts the sequential round trips of a page until a text appears. Requests are held until the page makes none, then answered
 * together. That is the cost of a connection with unlimited bandwidth and high latency.
 */
export async function tripsUntil(page: Page, url: string, selector: string): Promise<Trip[]> {
  const held: Route[] = [];
  let askedAt = performance.now();
  await page.route('**', (route) => {
    held.push(route);
    askedAt = performance.now();
  });
  const trips: Trip[] = [];
  let isShown = false;
  const visit = page.goto(url, { waitUntil: 'commit' });
  const wait = page
    .locator(selector)
    .first()
    .waitFor()
    .finally(() => {
      isShown = true;
    });
  while (!isShown) {
    await sleep(50);
    if (held.length === 0 || performance.now() - askedAt < QUIET_MS) continue;
    const batch = held.splice(0);
    const paths = batch.map((route) => new URL(route.request().url()).pathname);
    trips.push({ paths, bytes: paths.reduce((sum, each) => sum + bytesOf(each), 0) });
    await Promise.all(batch.map((route) => route.continue()));
  }
  await Promise.all([visit, wait]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return trips;
}

const bytesOf = (pathname: string): number =>
  pathname.startsWith('/assets/')
    ? gzipSync(readFileSync(path.join(DIST, pathname)), { level: 9 }).length
    : 0;

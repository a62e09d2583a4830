import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { DIST } from '../../../web/fingerprint.ts';

/** After so long without another request, a page waits for those it has made. */
const QUIET_MS = 3_000;

export type Trip = {
  /** What was asked for together, after the answers of the trip before. */
  paths: readonly string[];
  /** Bytes of the built files among them, as gzip would send them. */
  bytes: number;
};

/**
 * The round trips one after another that a page makes until something stands there. Requests are held until the page
 * makes no more, and answered together: what a line costs that has all the width one could want, and no speed.
 */
export async function tripsUntil(page: Page, url: string, shown: string): Promise<Trip[]> {
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
    .locator(shown)
    .first()
    .waitFor()
    .finally(() => {
      isShown = true;
    });
  while (!isShown) {
    await sleep(50);
    if (held.length === 0 || performance.now() - askedAt < QUIET_MS) continue;
    const asked = held.splice(0);
    const paths = asked.map((route) => new URL(route.request().url()).pathname);
    trips.push({ paths, bytes: paths.reduce((sum, each) => sum + bytesOf(each), 0) });
    await Promise.all(asked.map((route) => route.continue()));
  }
  await Promise.all([visit, wait]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return trips;
}

const bytesOf = (asked: string): number =>
  asked.startsWith('/assets/') ? gzipSync(readFileSync(path.join(DIST, asked)), { level: 9 }).length : 0;

/**
 * Largest contentful paint of a new user's first page: cold, over two slow networks, on a slow machine. Then processor time of
 * the thread of two large pages: 200 strategies listed, and a node dragged among 500.
 *
 *   node bench/web.ts [--rounds 5]
 *
 * Needs Chromium, at /usr/bin/chromium or at `CHROMIUM`; measures nothing without it. The last line is JSON: { bench, figures,
 * targets, ok }.
 */

import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildWhereStale } from './support/built-console.ts';
import { dragCost, listCost } from './support/large-pages.ts';
import { FAST_3G, type Paint, SLOW, visitCold } from './support/paint.ts';
import { startService } from './support/service.ts';

const PROJECT = path.join(import.meta.dirname, '..');
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
];
const VIEWPORT = { width: 1440, height: 900 };

/** Upper bounds of the median, in ms: a good page over a usual and over a poor mobile network; two frames for a move. */
const TARGETS = { slowMs: 2_000, fast3gMs: 3_500, listMs: 1_000, dragMs: 33 };
type Figures = Record<keyof typeof TARGETS, number>;
const NETWORKS = {
  slowMs: { name: '10 Mbit/s, 40 ms, a processor four times slower', conditions: SLOW },
  fast3gMs: { name: '1.6 Mbit/s, 150 ms', conditions: FAST_3G },
} as const;
type Network = keyof typeof NETWORKS;
const NAMES = Object.keys(NETWORKS) as Network[];
const FIGURES = Object.keys(TARGETS) as (keyof Figures)[];
const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
if (existsSync(CHROMIUM)) report(await measure(Number(values.rounds)));
else {
  console.log(`Left out: there is no Chromium at ${CHROMIUM}; CHROMIUM names another place.`);
  console.log(JSON.stringify({ bench: 'web', figures: {}, targets: TARGETS, ok: true }));
}

async function measure(rounds: number): Promise<Figures> {
  await using opened = new AsyncDisposableStack();
  await buildWhereStale();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'web-bench-'));
  chmodSync(dataDir, 0o711);
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startService(PROJECT, {
    DATA_DIR: dataDir,
    CONSOLE_BUILD: '0',
    DEMO: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  });
  opened.defer(async () => void (await service.stop()));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  opened.defer(() => browser.close());
  // Browsers trust `localhost` without TLS, as on a fresh installation.
  const origin = service.origin.replace('127.0.0.1', 'localhost');
  const page = await signedUp(browser, origin);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  // The first visit also warms the service.
  await visitCold(page, cdp, origin, SLOW);
  const paints: Record<Network, Paint[]> = { slowMs: [], fast3gMs: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of NAMES)
      paints[name].push(await visitCold(page, cdp, origin, NETWORKS[name].conditions));
  }
  printPaints(paints);
  await cdp.send('Network.emulateNetworkConditions', UNLIMITED);
  return {
    slowMs: medianOf(paints.slowMs),
    fast3gMs: medianOf(paints.fast3gMs),
    listMs: await listCost(page, cdp, origin),
    dragMs: await dragCost(page, cdp, origin),
  };
}

/** Opens the page of a new user without strategies. */
async function signedUp(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const answer = await context.request.post(`${origin}/api/auth/sign-up/email`, {
    headers: { origin },
    data: { name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' },
  });
  if (!answer.ok()) throw new Error(`Sign-up answered ${answer.status()}: ${await answer.text()}`);
  return context.newPage();
}

function printPaints(paints: Record<Network, Paint[]>): void {
  console.table(
    Object.fromEntries(
      NAMES.map((name) => {
        const all = paints[name].map(({ lcpMs }) => Math.round(lcpMs));
        const range = `${Math.min(...all)} to ${Math.max(...all)}`;
        const median = medianOf(paints[name]);
        return [NETWORKS[name].name, { 'LCP, ms': median, range, target: `<= ${TARGETS[name]}` }];
      }),
    ),
  );
}

function report(figures: Figures): void {
  const ok = FIGURES.every((name) => figures[name] <= TARGETS[name]);
  console.log(JSON.stringify({ bench: 'web', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}

function medianOf(paints: readonly Paint[]): number {
  const sorted = paints.map(({ lcpMs }) => lcpMs).toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return Math.round(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2);
}

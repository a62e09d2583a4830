import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, type Simulator, startSimulator } from '../../simulator/index.ts';
import type { OpenedMarketData } from '../../simulator/market-data.ts';
import { type Figures, figuresOf, median, printFigures } from '../support/fault-figures.ts';
import type { Report } from '../support/market-child.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

/** How long venues fail; the promise about memory is about ten minutes. */
const MINUTES = Number(process.env['FAULT_MINUTES'] ?? 10);
const WINDOW_SEC = 20;
const GROWTH_MAX_MB = 30;
/** V8 resizes the space for short-lived objects by up to forty megabytes. Kept small, so that growth shows retained memory. */
const YOUNG_SPACE = '--max-semi-space-size=4';
/** One deadline, whatever the venue does; the rest is for a busy machine. */
const CALL_MAX_MS = 3_000;
/** A recovered venue is called again in this time: the longest pause, and the venue's own retry-after. */
const RECOVERY_SEC = 45;
/** Maximum of requests per second to a failing host, or this share of the calls if larger: many calls ask for new values. */
const STORM = { perSec: 40, share: 0.1 };

const HOSTS = ['kalshi', 'gamma', 'clob', 'binance'] as const;
const VENUE_OF = { kalshi: 'venue-a', gamma: 'venue-b', clob: 'venue-b', binance: 'crypto' } as const;
const FAULTS: readonly Fault[] = [
  { kind: 'freeze' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429 },
  { kind: 'reset' },
  { kind: 'garbage' },
  { kind: 'truncate' },
  { kind: 'latency', latencyMs: 1_500 },
  { kind: 'latency', latencyMs: 2_200 },
  { kind: 'body', body: { some: ['thing', 'else'] } },
  { kind: 'body', body: 'x'.repeat(6_000_000) },
  { kind: 'status', status: 429, retryAfterSec: 30 },
];

describe('market data while a venue fails, freezes or lies', () => {
  let simulator: Simulator;
  let child: ChildProcess;
  const reports: Report[] = [];
  const history: Report[] = [];
  const figures: Figures[] = [];

  beforeAll(async () => {
    simulator = await startSimulator();
    const program = fileURLToPath(new URL('../support/market-child.ts', import.meta.url));
    child = fork(program, [simulator.url], { execArgv: ['--expose-gc', YOUNG_SPACE] });
    child.on('message', (report: Report) => {
      reports.push(report);
      history.push(report);
    });
    await once(child, 'message');
  });
  afterAll(async () => {
    child.kill();
    await simulator.close();
  });

  test(
    `answers in one deadline, floods no venue, and grows by at most ${GROWTH_MAX_MB} MB in ${MINUTES} minutes`,
    async () => {
      const startedAt = performance.now();
      const elapsedSec = () => (performance.now() - startedAt) / 1_000;
      for (let window = 0; elapsedSec() < MINUTES * 60; window += 1) {
        // Eleven faults and four hosts: all faults come early, and all pairs in the end.
        const host = HOSTS[window % HOSTS.length] ?? 'kalshi';
        await misbehave(host, FAULTS[window % FAULTS.length] ?? { kind: 'freeze' });
      }
      printFigures(figures, history);
      const rssMb = history.map((report) => report.rssMb);
      const [minuteOneMb, minuteTenMb] = [median(rssMb.slice(30, 90)), median(rssMb.slice(-60))];
      expect(minuteTenMb - minuteOneMb, `from ${minuteOneMb} MB`).toBeLessThanOrEqual(GROWTH_MAX_MB);
    },
    (MINUTES + 2) * 60_000,
  );

  async function misbehave(host: (typeof HOSTS)[number], fault: Fault): Promise<void> {
    const about = `${host} with ${JSON.stringify(fault).slice(0, 60)}`;
    simulator.faults.set(`/${host}`, fault);
    simulator.faults.resetCounts();
    reports.length = 0;
    await sleep(WINDOW_SEC * 1_000);
    const seen = [...reports];
    const requests = simulator.faults.requests(`/${host}`);
    simulator.faults.clear();
    figures.push(figuresOf(host, fault, seen, requests / WINDOW_SEC));
    expect(seen.length, about).toBeGreaterThan(WINDOW_SEC / 2);
    for (const { venues } of seen) {
      for (const { longestMs, other } of Object.values(venues)) {
        expect(other, about).toBe(0);
        expect(longestMs, about).toBeLessThan(CALL_MAX_MS);
      }
    }
    const calls = seen.reduce((sum, report) => sum + report.calls, 0);
    const storm = Math.max(STORM.perSec * WINDOW_SEC, STORM.share * calls);
    if (fault.kind !== 'latency') expect(requests, about).toBeLessThan(storm);
    for (const [venue, { fine, unavailable }] of Object.entries(total(seen))) {
      expect(fine, `${venue}, ${about}`).toBeGreaterThan(0);
      if (venue !== VENUE_OF[host]) expect(unavailable, `${venue}, ${about}`).toBe(0);
    }
    const clearedAt = reports.length;
    await expect
      .poll(() => isCalm(reports.slice(clearedAt).slice(-CALM_SEC)), {
        timeout: RECOVERY_SEC * 1_000,
        interval: 500,
        message: `recovered: ${about}`,
      })
      .toBe(true);
  }
});

/** Waits for some seconds in a row without a refusal: longer than a call that hangs, which would hide one. */
const CALM_SEC = 5;
const isCalm = (last: readonly Report[]): boolean =>
  last.length === CALM_SEC && Object.values(total(last)).every(({ unavailable }) => unavailable === 0);

function total(reports: readonly Report[]): Record<string, { fine: number; unavailable: number }> {
  const sums: Record<string, { fine: number; unavailable: number }> = {};
  for (const { venues } of reports) {
    for (const [venue, { fine, unavailable }] of Object.entries(venues)) {
      const sum = sums[venue] ?? { fine: 0, unavailable: 0 };
      sums[venue] = { fine: sum.fine + fine, unavailable: sum.unavailable + unavailable };
    }
  }
  return sums;
}

describe('the endpoints while a venue is in trouble', () => {
  let world: World;
  let account: Account;
  const faults = () => (world.market as OpenedMarketData).simulator?.faults;

  beforeAll(async () => {
    world = await openWorld();
    account = await world.account('market_data:read');
  });
  afterAll(() => world.close());

  /** Symbols not requested before, one each: no cached answer can replace them. */
  const SYMBOLS = [
    'BTCUSDT',
    'ETHUSDT',
    'SOLUSDT',
    'BNBUSDT',
    'XRPUSDT',
    'DOGEUSDT',
    'ADAUSDT',
    'BTCUSDC',
    'ETHBTC',
  ];
  const failing = FAULTS.filter(({ kind }) => kind !== 'latency');

  test.each(
    failing.map((fault, index) => [JSON.stringify(fault).slice(0, 70), fault, SYMBOLS[index] ?? ''] as const),
  )(
    '%s: 503 with Retry-After, in time',
    async (_, fault, symbol) => {
      const path = `/api/crypto?symbol=${symbol}&type=trades`;
      faults()?.set('/binance', fault);
      const startedAt = performance.now();
      const { status, headers, body } = await account.http('GET', path);
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      expect(status).toBe(503);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(body).toMatchObject({ error: { code: 'upstream_unavailable' } });
      expect(JSON.stringify(body)).not.toMatch(/simulated|moment/);
      expect((await account.http('GET', '/api/venue-a?ticker=KXELONMARS-99')).status).toBe(200);
      faults()?.clear();
      const isWell = async () => {
        const answer = await account.http('GET', path);
        return answer.status === 200 && (answer.body as { source: string }).source === 'simulator';
      };
      await expect.poll(isWell, { timeout: RECOVERY_SEC * 1_000, interval: 500 }).toBe(true);
    },
    90_000,
  );

  test('a cached answer is returned, marked stale', async () => {
    const path = '/api/venue-a?ticker=KXPRESPARTY-2028-D';
    const good = (await account.http('GET', path)).body as { asOf: string };
    await sleep(5_500);
    faults()?.set('/kalshi', { kind: 'reset' });
    expect((await account.http('GET', path)).body).toEqual({ ...good, source: 'stale' });
    faults()?.clear();
  });
});

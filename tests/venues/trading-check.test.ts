import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { checkTargets } from '../../server/cli/trading-check/check-targets.ts';
import { credentialsIn } from '../../server/cli/trading-check/credentials.ts';
import { checkTrading, type TradingCheck } from '../../server/cli/trading-check/index.ts';
import type { Row } from '../../server/cli/trading-check/rows.ts';
import { type Simulator, startSimulator, TICK_MS } from '../../simulator/index.ts';
import { LIVE_URLS } from '../../simulator/market-data.ts';
import { createDemoAccount, registerDemoAccount } from '../../venues/demo-accounts.ts';

const PROGRAM = fileURLToPath(new URL('../../server/cli/venues-check.ts', import.meta.url));

async function check(simulator: Simulator, changes: Partial<TradingCheck> = {}): Promise<Row[]> {
  const members = VENUE_IDS.map((venue) => [venue, createDemoAccount(venue)] as const);
  for (const [venue, member] of members) await registerDemoAccount(simulator.url, venue, member);
  const given = members.map(([venue, { credentials }]) => [venue, Buffer.from(JSON.stringify(credentials))]);
  return checkTrading({
    simulatorUrl: simulator.url,
    given: Object.fromEntries(given),
    isMeasured: false,
    onRow: () => undefined,
    signal: new AbortController().signal,
    clock: simulator.clock,
    hold: async (ms) => simulator.clock.advance(Math.ceil(ms / TICK_MS)),
    ...changes,
  });
}

/** Orders that any account has at any of the simulated venues. */
const orders = (simulator: Simulator) =>
  [...simulator.simulatedVenues.values()].flatMap(({ venue }) => [...venue.exchange.orders.values()]);

test('places nothing, and finds all well where it is', async () => {
  await using simulator = await startSimulator();
  const rows = await check(simulator);
  expect(rows.filter(({ result }) => result !== 'ok')).toEqual([]);
  expect(new Set(rows.map(({ venue }) => venue))).toEqual(new Set(['Venue A', 'Venue B', 'Crypto']));
  for (const wanted of ['clock', 'signed read', 'a spoiled signature', 'an unknown key']) {
    expect(rows.filter(({ check: name }) => name === wanted)).toHaveLength(3);
  }
  expect(orders(simulator)).toEqual([]);
});

test('a wrong clock and a blocked region are not ok', async () => {
  await using simulator = await startSimulator();
  for (const { venue } of simulator.simulatedVenues.values()) venue.exchange.offsetMs = 4_000;
  simulator.simulatedVenues.get('clob')?.venue.commands?.['behavior']?.({ isBlocked: true });
  const rows = await check(simulator);
  const bad = rows
    .filter(({ result }) => result === 'not ok')
    .map(({ venue, check: name }) => `${venue}: ${name}`);
  expect(bad).toEqual(
    expect.arrayContaining([
      'Venue A: clock',
      'Venue B: clock',
      'Crypto: clock',
      'Venue B: whether it accepts this region',
    ]),
  );
});

test('measures the last arrival of an order and whether ids are free again, and leaves no resting order', async () => {
  await using simulator = await startSimulator();
  const rows = await check(simulator, { isMeasured: true });
  const noteOf = (venue: string, name: string) =>
    rows.find((row) => row.venue === venue && row.check === name)?.note ?? '';
  expect(noteOf('Venue A', 'delay from signing to arrival')).toMatch(/^20 s: taken, .*80 s: refused/);
  expect(noteOf('Crypto', 'delay from signing to arrival')).toMatch(/^2 s: taken, 4 s: taken, 6 s: refused/);
  expect(noteOf('Venue A', 'reuse of an id, once canceled')).toBe('the same id again: exists');
  expect(noteOf('Crypto', 'reuse of an id, once canceled')).toBe('the same id again: taken');
  expect(rows.filter(({ result }) => result === 'not ok')).toEqual([]);
  expect(orders(simulator).length).toBeGreaterThan(5);
  expect(orders(simulator).filter(({ states }) => states.at(-1)?.status === 'open')).toEqual([]);
});

test('stopped while it measures, it cancels the orders that it placed', async () => {
  await using simulator = await startSimulator();
  const stopping = new AbortController();
  const hold = async () => {
    if (orders(simulator).length === 0) return simulator.clock.advance(20);
    stopping.abort();
    stopping.signal.throwIfAborted();
  };
  await expect(check(simulator, { isMeasured: true, signal: stopping.signal, hold })).rejects.toThrow();
  expect(orders(simulator).length).toBeGreaterThan(0);
  expect(orders(simulator).filter(({ states }) => states.at(-1)?.status === 'open')).toEqual([]);
});

test('no environment that receives orders is one with real money', () => {
  const real = checkTargets(null);
  expect(real.map(({ venue, environment }) => [venue, environment])).toEqual([
    ['venue-a', 'demo'],
    ['venue-b', null],
    ['crypto', 'testnet'],
  ]);
  for (const { environment, host, listing } of real) {
    if (environment === null) expect(listing).toBeNull();
    else expect(Object.values(LIVE_URLS).some((url) => url.startsWith(host))).toBe(false);
  }
});

test('keys are read from a file, PEM included; a file without keys is refused, and the error repeats nothing of it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'check-'));
  const file = path.join(folder, 'demo.env');
  try {
    const { keyId, privateKey } = createDemoAccount('venue-a').credentials;
    writeFileSync(file, `VENUE_A_KEY_ID=${keyId}\nVENUE_A_PRIVATE_KEY="${privateKey}"\n`);
    expect(JSON.parse(String(credentialsIn(file)['venue-a']))).toEqual({
      keyId,
      privateKey: String(privateKey).trim(),
    });
    writeFileSync(file, 'OTHER=secret-of-somebody\n');
    expect(() => credentialsIn(file)).toThrow(/VENUE_A_KEY_ID/);
    writeFileSync(file, 'CRYPTO_API_KEY=short-secret\nCRYPTO_SECRET=x\n');
    expect(() => credentialsIn(file)).toThrow(/^(?!.*short-secret)/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function run(...args: string[]): Promise<{ printed: string; code: number }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [PROGRAM, '--trading', ...args],
      { timeout: 60_000 },
      (error, stdout, stderr) => resolve({ printed: stdout + stderr, code: Number(error?.code ?? 0) }),
    );
  });
}

test('the command prints its results and exits accordingly', async () => {
  const { printed, code } = await run('--simulator');
  expect(printed).toContain('Orders can be sent from here');
  expect(code).toBe(0);
}, 60_000);

test('orders are not placed without an account for them', async () => {
  const { printed, code } = await run('--measure');
  expect(printed).toContain('--credentials');
  expect(code).toBe(1);
}, 60_000);

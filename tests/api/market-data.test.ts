import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OpenedMarketData } from '../../simulator/market-data.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;
const faults = () => {
  const { simulator } = world.market as OpenedMarketData;
  return simulator?.faults ?? expect.unreachable();
};
const ask = (path: string) => account.http('GET', path);

beforeAll(async () => {
  account = await world.account('market_data:read');
});
beforeEach(() => faults().resetCounts());

const LONG = 'A'.repeat(300);
/** Texts that no ticker, slug, token or symbol can be, as they stand in a URL. */
const TRICKS = [
  '..',
  '.',
  '../x',
  '..%2fx',
  '%2e%2e%2fx',
  '%252e%252e',
  'a%2fb%2fc',
  '%5c..',
  '%00',
  'A%00',
  '%0d%0aHost:%20evil.test',
  '//evil.test',
  'http:%2f%2fevil.test',
  'user@evil.test',
  'A%3fb=c',
  'A%23b',
  'A%26limit=1',
  '%E6%97%A5%E6%9C%AC',
  '%EF%BC%A1',
  'A%20B',
  LONG,
];
const NAMES = [
  '/api/venue-a?ticker',
  '/api/venue-a?ref',
  '/api/venue-b?slug',
  '/api/venue-b?token',
  '/api/venue-b?raw',
  '/api/venue-b?book',
  '/api/venue-b?ref',
  '/api/crypto?symbol',
];

describe('an impossible value is 400, and no venue is queried', () => {
  test.each(NAMES)('%s, with every trick', async (name) => {
    for (const trick of TRICKS) {
      const refusal = expectRefusal(await ask(`${name}=${trick}`), 400, 'validation_failed');
      expect(refusal.message, trick).toContain(name.slice(name.indexOf('?') + 1));
    }
    expect(faults().requests()).toBe(0);
  });

  test.each([
    // Out of range, or no count at all.
    ...['0', '51', '-1', '1.5', '1e1', 'five', ''].flatMap((count) => [
      `/api/venue-a?top=${count}`,
      `/api/venue-a?search=fed&limit=${count}`,
      `/api/venue-b?top=${count}`,
      `/api/venue-b?trending=${count}`,
      `/api/venue-b?search=fed&limit=${count}`,
    ]),
    ...['0', '101', '2.5'].map((count) => `/api/crypto?symbol=BTC&type=trades&limit=${count}`),
    // Two selectors.
    '/api/venue-a?top=5&search=fed',
    '/api/venue-a?ticker=A&ref=A',
    '/api/venue-b?token=123456&raw=123456',
    '/api/venue-b?slug=a&trending=5',
    '/api/venue-b?book=123456&ref=123456',
    '/api/crypto?symbol=BTC&search=eth',
    '/api/crypto?symbol=BTC&search=eth&type=symbols',
    // One parameter twice.
    '/api/venue-a?ticker=A&ticker=B',
    '/api/venue-b?expand=markets&expand=markets&top=5',
    // Unknown names.
    '/api/venue-a?slug=a',
    '/api/venue-a?Ticker=A',
    '/api/venue-b?ticker=A',
    '/api/crypto?symbols=BTC',
    // Words that are not of the enum.
    '/api/venue-a?ref=A&interval=1M',
    '/api/venue-a?ref=A&interval=2w',
    '/api/venue-b?ref=123456&interval=max',
    '/api/venue-b?trending=5&expand=events',
    '/api/crypto?symbol=BTC&type=summary',
    '/api/crypto?symbol=BTC&type=klines&interval=1s',
    '/api/crypto?symbol=BTC&type=klines&interval=1H',
    // Texts to search for.
    '/api/venue-a?search=%20',
    `/api/venue-a?search=${LONG}`,
    `/api/venue-b?search=a%00b`,
    `/api/crypto?type=symbols&search=${LONG}`,
    // Nothing to look for.
    '/api/crypto',
    '/api/crypto?type=klines',
    '/api/crypto?search=eth',
  ])('%s', async (path) => {
    const { message } = expectRefusal(await ask(path), 400, 'validation_failed');
    expect(message.length).toBeGreaterThan(20);
    expect(faults().requests()).toBe(0);
  });
});

describe('without a selector', () => {
  test.each(['/api/venue-a', '/api/venue-b'])('%s returns the 20 top markets', async (path) => {
    const [bare, limited] = [expectOk(await ask(path)), expectOk(await ask(`${path}?top=20`))];
    expect(bare).toMatchObject({ kind: 'top', source: 'simulator' });
    expect(limited).toMatchObject({ kind: 'top' });
    expect((bare as { markets: unknown[] }).markets).toHaveLength(20);
  });
});

describe('a venue in trouble', () => {
  test('is 503 with Retry-After and our message, and does not affect other venues', async () => {
    faults().set('/binance', { kind: 'status', status: 500 });
    const { status, headers, body } = await ask('/api/crypto?symbol=SOLUSDT');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(body).toMatchObject({ error: { code: 'upstream_unavailable' } });
    expect(JSON.stringify(body)).not.toContain('simulated');
    const warnings = world.logged.filter((line) => line.includes('upstream_unavailable'));
    expect(warnings).toEqual([expect.stringContaining('"level":"warn"')]);
    expectOk(await ask('/api/venue-a?ticker=KXELONMARS-99'));
    expectOk(await ask('/api/venue-b?top=1'));
    faults().clear();
  });

  test('that names a time has it passed on', async () => {
    faults().set('/kalshi', { kind: 'status', status: 429, retryAfterSec: 40 });
    const { status, headers } = await ask('/api/venue-a?ticker=KXPRESPARTY-2028-R');
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(30);
    faults().clear();
  });
});

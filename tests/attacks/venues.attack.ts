import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bearer } from '../support/api.ts';
import { expectWithstood } from './support/expect-withstood.ts';
import { type Fortress, openFortress, shortOrFull } from './support/fortress.ts';

let fortress: Fortress;
beforeAll(async () => {
  fortress = await openFortress();
});
afterAll(() => fortress.close());

/** A graph that reads this number of markets that no venue has. */
const madeUp = (count: number, from: number) => ({
  nodes: Array.from({ length: count }, (_, n) => ({
    id: `n${n}`,
    type: 'market.price',
    data: { config: { instrument: `KXNOPE-${from + n}:yes`, field: 'mid' } },
  })),
  edges: [],
});

test('X12: checking graphs full of made-up markets blocks no venue for other accounts', async () => {
  const [attacker, neighbour] = [await fortress.account(), await fortress.account()];
  const { id } = (await attacker.http('POST', '/api/blueprints', { name: 'x' })).body as { id: string };
  const seen: number[] = [];
  let from = 0;
  await expectWithstood(fortress, async () => {
    for (let round = 0; round < shortOrFull(4, 20); round++) {
      const sizes = [200, 30, 30, 30];
      const checks = sizes.map((count) => {
        from += count;
        return attacker.http('POST', `/api/blueprints/${id}/validate`, { visual: madeUp(count, from) });
      });
      for (const path of ['/api/venue-a?ticker=KXELONMARS-99', '/api/crypto?symbol=BTCUSDT'])
        seen.push((await neighbour.http('GET', path)).status);
      await Promise.all(checks);
      await sleep(500);
    }
  });
  expect(new Set(seen)).toEqual(new Set([200]));
});

test('S28: no text of a caller makes a venue’s client call another address', async () => {
  const values = [
    'http://169.254.169.254/',
    '//evil',
    '@evil',
    'a#b',
    'a?x=',
    'a\r\nHost: evil',
    '../../admin',
    'x'.repeat(300),
  ];
  for (const value of values) {
    const account = await fortress.account();
    for (const where of ['venue-a?ticker=', 'venue-b?slug=', 'venue-b?token=', 'crypto?symbol=']) {
      const answer = await account.http('GET', `/api/${where}${encodeURIComponent(value)}`);
      expect([400, 404], `${where}${value}`).toContain(answer.status);
    }
  }
});

test('X17: a batch is counted call by call, and has at most twenty', async () => {
  const { key } = await fortress.account();
  const batch = (count: number, joint: string) =>
    fortress.send('GET', `/trpc/${Array(count).fill('riskRules.get').join(joint)}?batch=1`, {
      headers: bearer(key),
    });
  for (const joint of [',', '%2C']) expect((await batch(21, joint)).status).toBe(400);
  const answers = await Promise.all(Array.from({ length: 6 }, () => batch(20, ',')));
  const answered = answers.flatMap(({ text }) => text.match(/"result"/g) ?? []);
  expect(answered.length).toBeLessThanOrEqual(80);
});

test('X18: a key and an account get the documented number of answers, and stop-all works beyond that', async () => {
  const { http } = await fortress.account();
  const answers = await Promise.all(Array.from({ length: 120 }, () => http('GET', '/api/risk-rules')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await http('POST', '/api/blueprints/stop')).status).toBe(200);
});

const UPSTREAM = 'words of the upstream';
const RUBBISH: Record<string, (response: ServerResponse) => void> = {
  html: (response) => response.end(`<html>${UPSTREAM}</html>`),
  deep: (response) => response.end(`{"markets":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  types: (response) => response.end(JSON.stringify({ markets: UPSTREAM, market: [1], symbol: {} })),
  nan: (response) => response.end('{"market":NaN}'),
  redirect: (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(UPSTREAM),
  bomb: (response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(100_000_000, ' '))),
  huge: (response) => void stream(response),
  drip: (response) => {
    response.write('{');
    const dripping = setInterval(() => response.write(' '), 500);
    response.once('close', () => clearInterval(dripping));
  },
};
/** Timeout of a venue that answers piece by piece, for all calls of one answer together. */
const ANSWERED_WITHIN_MS = 5_000;

/** Streams 200 MB, as long as the client reads. */
async function stream(response: ServerResponse): Promise<void> {
  const chunk = Buffer.alloc(1_000_000, UPSTREAM);
  for (let sent = 0; sent < 200 && !response.destroyed; sent++) {
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

test.each(Object.keys(RUBBISH))(
  'S36: rubbish of a venue (%s) is a 503 in our words, bounded in bytes and time, and asked for at the venue alone',
  async (kind) => {
    let askedVenue = 0;
    const venue = createServer((_request, response) => {
      askedVenue += 1;
      RUBBISH[kind]?.(response);
    }).listen(0, '127.0.0.1');
    await once(venue, 'listening');
    const url = `http://127.0.0.1:${(venue.address() as AddressInfo).port}`;
    const urls = { KALSHI_URL: url, KALSHI_SEARCH_URL: url, GAMMA_URL: url, CLOB_URL: url, BINANCE_URL: url };
    const facing = await fortress.another({ MARKET_DATA: 'live', ROLE: 'api', ...urls });
    try {
      const { key } = await fortress.account();
      const sendRequests = async () => {
        for (const path of ['/api/venue-a?ticker=KXELONMARS-99', '/api/crypto?symbol=BTCUSDT']) {
          const startedMs = performance.now();
          const response = await fetch(facing.base + path, { headers: bearer(key) });
          const text = await response.text();
          expect(performance.now() - startedMs).toBeLessThan(ANSWERED_WITHIN_MS);
          expect({ kind, path, status: response.status }).toEqual({ kind, path, status: 503 });
          expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
          expect(text).not.toContain(UPSTREAM);
        }
      };
      const { grownMb } = await expectWithstood({ ...fortress, ...facing }, sendRequests);
      expect(grownMb).toBeLessThan(128);
      expect(askedVenue).toBeGreaterThanOrEqual(2);
    } finally {
      await facing.stop();
      venue.closeAllConnections();
      venue.close();
    }
  },
);

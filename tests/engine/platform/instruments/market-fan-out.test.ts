import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Conflation } from '../../../../engine/platform/events/conflation.ts';
import { MarketFanOut, type MarketUpdate } from '../../../../engine/platform/instruments/market-fan-out.ts';
import { type OrderBook, type Quote, VenueError } from '../../../../venues/port.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const quoteOf = (tokenId: string, bid: number, asOf = ''): Quote => ({
  tokenId,
  bid: String(bid),
  bidSize: '1',
  ask: null,
  askSize: null,
  last: null,
  volume24h: null,
  openInterest: null,
  change24h: null,
  asOf,
  marketStatus: 'open',
  settlementValue: null,
});

/** Venues whose bid is the test's, with the requests they got. `UNLISTEDX` is no instrument of theirs. */
class Venues {
  bid = 1;
  isDown = false;
  requests: string[] = [];

  async quotes(tokenIds: readonly string[]): Promise<Quote[]> {
    this.requests.push(`prices ${tokenIds.join()}`);
    if (this.isDown) throw VenueError.unavailable('is down');
    const asOf = String(this.requests.length);
    return tokenIds.filter((id) => id !== 'UNLISTEDX').map((id) => quoteOf(id, this.bid, asOf));
  }

  async orderBook(tokenId: string): Promise<OrderBook> {
    this.requests.push(`book ${tokenId}`);
    if (tokenId === 'UNLISTEDX') throw VenueError.notFound('not listed');
    return { tokenId, bids: [], asks: [], asOf: '' };
  }
}

function open() {
  const venues = new Venues();
  const defects: unknown[] = [];
  const fanOut = new MarketFanOut(venues, (error) => defects.push(error));
  const over = new AbortController();
  const follow = (tokenIds: readonly string[], of: 'price' | 'book' = 'price', accountId = 'one') => {
    const updates: MarketUpdate[] = [];
    const subjects = tokenIds.map((tokenId) => ({ of, tokenId }));
    const read = (_key: string, update: MarketUpdate) => updates.push(update);
    fanOut.follow(subjects, { accountId, read, over: over.signal });
    return updates;
  };
  return { venues, fanOut, over, follow, defects };
}

const bids = (updates: readonly MarketUpdate[]) =>
  updates.map((update) => (update.kind === 'price' ? update.quote.bid : update.kind));

test('however many streams follow an instrument, its venue gets one request a second', async () => {
  const { venues, follow } = open();
  const streams = Array.from({ length: 50 }, () => follow(['BTCUSDT', 'ETHUSDT']));
  await vi.advanceTimersByTimeAsync(3_100);
  expect(venues.requests.length).toBeLessThanOrEqual(4);
  for (const updates of streams) expect(bids(updates)).toEqual(['1', '1']);
});

test('a value is sent when it changed, not for a later time alone; a new stream gets the present at once', async () => {
  const { venues, follow } = open();
  const updates = follow(['BTCUSDT']);
  await vi.advanceTimersByTimeAsync(3_000);
  venues.bid = 2;
  await vi.advanceTimersByTimeAsync(1_500);
  expect(bids(updates)).toEqual(['1', '2']);
  expect(bids(follow(['BTCUSDT']))).toEqual(['2']);
});

test('a venue that fails makes its values unavailable, until the next answer, even an unchanged one', async () => {
  const { venues, follow, defects } = open();
  const updates = follow(['BTCUSDT']);
  await vi.advanceTimersByTimeAsync(1_500);
  venues.isDown = true;
  await vi.advanceTimersByTimeAsync(3_000);
  venues.isDown = false;
  await vi.advanceTimersByTimeAsync(1_500);
  expect(bids(updates)).toEqual(['1', 'unavailable', '1']);
  expect(updates[1]).toMatchObject({ code: 'upstream_unavailable' });
  expect(defects).toEqual([]);
});

test('an unlisted instrument is unavailable, and holds up no other', async () => {
  const { follow } = open();
  const prices = follow(['UNLISTEDX', 'BTCUSDT']);
  const books = follow(['UNLISTEDX', 'BTCUSDT'], 'book');
  await vi.advanceTimersByTimeAsync(2_500);
  expect(prices).toMatchObject([{ kind: 'unavailable', code: 'not_found' }, { kind: 'price' }]);
  expect(books).toMatchObject([{ kind: 'unavailable', code: 'not_found' }, { kind: 'book' }]);
});

test('more instruments than one request takes are polled in turn, at the same cost to the venue', async () => {
  const { venues, follow } = open();
  const tokenIds = Array.from({ length: 100 }, (_, index) => `COIN${index}USDT`);
  const updates = follow(tokenIds);
  const books = follow(tokenIds.slice(0, 4), 'book');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(updates).toHaveLength(100);
  expect(books).toHaveLength(4);
  expect(venues.requests.length).toBeLessThanOrEqual(12);
});

test('once no stream is left, nothing is polled or held', async () => {
  const { venues, follow, fanOut, over } = open();
  follow(['BTCUSDT'], 'book');
  follow(['BTCUSDT']);
  await vi.advanceTimersByTimeAsync(1_000);
  over.abort();
  const before = venues.requests.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(venues.requests.length).toBe(before);
  expect(fanOut.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('streams that come and go do not make a venue get more requests', async () => {
  const { venues, fanOut } = open();
  for (let time = 0; time < 30; time++) {
    const over = new AbortController();
    fanOut.follow([{ of: 'price', tokenId: `COIN${time}USDT` }], {
      accountId: 'one',
      read: () => {},
      over: over.signal,
    });
    await vi.advanceTimersByTimeAsync(100);
    over.abort();
  }
  expect(venues.requests.length).toBeLessThanOrEqual(4);
});

test('a reader that takes nothing for a minute then gets one value of each instrument, the newest', async () => {
  const { venues, fanOut, over } = open();
  const waiting = new Conflation<MarketUpdate>();
  const subjects = ['BTCUSDT', 'ETHUSDT'].map((tokenId) => ({ of: 'price' as const, tokenId }));
  const read = (key: string, update: MarketUpdate) => waiting.put(key, update);
  fanOut.follow(subjects, { accountId: 'one', read, over: over.signal });
  for (; venues.bid < 60; venues.bid++) await vi.advanceTimersByTimeAsync(1_000);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(bids(waiting.take(20))).toEqual(['60', '60']);
});

test('an account that follows many books makes its own later, and not those of others', async () => {
  const { venues, over, follow } = open();
  const many = Array.from({ length: 30 }, (_, index) => `MANY${index}USDT`);
  follow(many, 'book', 'greedy');
  await vi.advanceTimersByTimeAsync(10_000);
  const mine = follow(['BTCUSDT'], 'book', 'modest');
  venues.requests = [];
  await vi.advanceTimersByTimeAsync(20_000);
  const polls = venues.requests.filter((request) => request.startsWith('book '));
  const ofMine = polls.filter((request) => request === 'book BTCUSDT');
  expect(ofMine.length).toBeGreaterThanOrEqual(Math.floor(polls.length / 2) - 1);
  expect(new Set(polls).size).toBeGreaterThan(5);
  expect(mine.length).toBeGreaterThan(0);
  over.abort();
});

test('of more prices than fit in one request, each account gets its share', async () => {
  const { venues, over, follow } = open();
  follow(
    Array.from({ length: 200 }, (_, index) => `MANY${index}USDT`),
    'price',
    'greedy',
  );
  await vi.advanceTimersByTimeAsync(3_000);
  follow(['BTCUSDT'], 'price', 'modest');
  venues.requests = [];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(venues.requests.length).toBeGreaterThan(5);
  expect(venues.requests.filter((request) => request.includes('BTCUSDT')).length).toBeGreaterThanOrEqual(
    venues.requests.length - 1,
  );
  over.abort();
});

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { QuoteCache } from '../../server/workers/trading/market/quotes.ts';
import { BTC, YES } from './fake-market.ts';
import { buyAbove, openRunnerWorld, type RunnerWorld, until } from './support.ts';

let world: RunnerWorld;
beforeEach(async () => {
  world = await openRunnerWorld();
});
afterEach(() => world.close());

const quotes = () => world.db.selectFrom('quote').selectAll().orderBy('token_id').execute();
const instrument = (tokenId: string) =>
  world.db.selectFrom('instrument').selectAll().where('token_id', '=', tokenId).executeTakeFirstOrThrow();

describe('the feed of a venue', () => {
  test('makes one upstream call a period, however many blueprints read it', async () => {
    const accountId = await world.account();
    for (let count = 0; count < 20; count++) await world.deploy(buyAbove(1_000 + count), accountId);
    const feed = world.feed();
    await feed.poll();
    await feed.poll();
    expect(world.market.quoteCalls).toEqual([[BTC], [BTC]]);
  });

  test('requests nothing while nothing is in use, and again while a position is held', async () => {
    const feed = world.feed();
    await feed.poll();
    expect(world.market.quoteCalls).toEqual([]);
    const deployed = await world.deploy(buyAbove(100));
    await world.price('101');
    await world.runner().tick();
    await world.fillQueued();
    await world.stop(deployed);
    world.market.quoteCalls.length = 0;
    await feed.poll();
    expect(world.market.quoteCalls).toEqual([[BTC]]);
  });

  test('requests only a venue’s own instruments from it', async () => {
    await world.deploy({
      ...buyAbove(100),
      other: { type: 'market.price', config: { instrument: YES, field: 'mid' } },
    });
    await world.feed('crypto').poll();
    await world.feed('venue-a').poll();
    expect(world.market.quoteCalls).toEqual([[BTC], [YES]]);
  });

  test('writes changes with rising numbers, and leaves the rest unchanged', async () => {
    await world.deploy(buyAbove(100));
    await world.price('100');
    const [first] = await quotes();
    await world.pollOnce();
    expect(await quotes()).toEqual([first]);
    await world.price('101');
    const [second] = await quotes();
    expect(second).toMatchObject({ last: '101.000000000000', market_status: 'open' });
    expect(Number(second?.seq)).toBeGreaterThan(Number(first?.seq));
  });

  test('confirms a quote that does not change, because its age shows whether the venue answers', {
    tags: ['long'],
  }, async () => {
    await world.deploy(buyAbove(100));
    await world.price('100');
    const [first] = await quotes();
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await world.pollOnce();
    expect(Date.parse((await quotes())[0]?.as_of ?? '')).toBeGreaterThan(Date.parse(first?.as_of ?? ''));
  });

  test('dates quotes of a world that runs on another clock by their arrival', async () => {
    await world.deploy(buyAbove(100));
    world.market.clock = () => Date.parse('2030-01-01T00:00:00Z');
    await world.price('100');
    const [quote] = await quotes();
    expect(Math.abs(Date.parse(quote?.as_of ?? '') - Date.now())).toBeLessThan(5_000);
  });

  test('writes status and settlement value to the instrument, and keeps a stated value', async () => {
    world.market.list(BTC, { kind: 'outcome' });
    await world.deploy(buyAbove(100));
    await world.price('100');
    world.market.quote(BTC, { marketStatus: 'closed' });
    await world.pollOnce();
    expect(await instrument(BTC)).toMatchObject({ status: 'closed', settlement_value: null });
    world.market.quote(BTC, { marketStatus: 'settled', settlementValue: '1' });
    await world.pollOnce();
    expect(await instrument(BTC)).toMatchObject({ status: 'settled', settlement_value: '1.000000000000' });
    world.market.quote(BTC, { marketStatus: 'open', settlementValue: null });
    await world.pollOnce();
    expect(await instrument(BTC)).toMatchObject({ status: 'settled', settlement_value: '1.000000000000' });
  });

  /** Makes the terms of every instrument ten minutes old. */
  const agedTerms = () =>
    sql`update instrument set terms_at = clock_timestamp() - interval '10 minutes'`.execute(world.db);

  test('follows a venue that moves the close of a market or changes its steps', async () => {
    await world.deploy(buyAbove(100));
    await agedTerms();
    const closesAt = new Date(Date.now() + 3_600_000).toISOString();
    world.market.list(BTC, { closesAt, tickSize: '0.1', stepSize: '0.001', minSize: '0.001' });
    await world.pollOnce();
    const moved = await until(async () => {
      const row = await instrument(BTC);
      return row.closes_at !== null && row;
    });
    expect(Date.parse(moved.closes_at ?? '')).toBe(Date.parse(closesAt));
    expect(moved).toMatchObject({ tick_size: '0.100000000000', step_size: '0.001000000000' });
  });

  test('follows a venue that raises its fee, or states one it had left out', async () => {
    const fee = (takerRate: string) =>
      ({ formula: 'notional', takerRate, makerRate: '0', exponent: 1, roundUpTo: null }) as const;
    await world.deploy(buyAbove(100));
    world.market.list(BTC, { feeSchedule: fee('0.07') });
    await agedTerms();
    const feed = world.feed();
    await feed.poll();
    await until(async () => {
      const { fee_schedule } = await instrument(BTC);
      return JSON.stringify(fee_schedule).includes('0.07');
    });
    await sql`update instrument set tradable = false, fee_schedule = 'null'`.execute(world.db);
    await feed.stop();
    await world.feed().poll();
    await until(async () => (await instrument(BTC)).tradable);
  });

  test('requests no terms that were stated a moment ago', async () => {
    await world.deploy(buyAbove(100));
    const requested: string[] = [];
    const answer = world.market.instrument.bind(world.market);
    world.market.instrument = (tokenId) => {
      requested.push(tokenId);
      return answer(tokenId);
    };
    const feed = world.feed();
    for (let poll = 0; poll < 3; poll++) await feed.poll();
    await feed.stop();
    expect(requested).toEqual([]);
  });

  test('requests the terms of one instrument at a time, and writes quotes while it waits for them', async () => {
    world.market.list('ETHUSDT');
    await world.deploy({
      ...buyAbove(100),
      other: { type: 'crypto.price', config: { symbol: 'ETHUSDT' } },
    });
    await agedTerms();
    const requested: string[] = [];
    const answer = Promise.withResolvers<null>();
    world.market.instrument = (tokenId) => {
      requested.push(tokenId);
      return answer.promise;
    };
    const feed = world.feed();
    for (let poll = 0; poll < 3; poll++) await feed.poll();
    expect(await quotes()).toHaveLength(2);
    expect(world.market.quoteCalls).toHaveLength(3);
    await until(async () => requested.length > 0);
    expect(requested).toHaveLength(1);
    answer.resolve(null);
    await feed.stop();
  });

  test('reports once that a venue is down, and once that it is back', async () => {
    await world.deploy(buyAbove(100));
    const feed = world.feed();
    world.market.isDown = true;
    for (let poll = 0; poll < 5; poll++) await feed.poll();
    world.market.isDown = false;
    for (let poll = 0; poll < 5; poll++) await feed.poll();
    const lines = world.lines.filter(({ message }) => message.startsWith('feed of crypto'));
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });
});

describe('two processes', () => {
  test('poll a venue once, and the second takes over when the first is gone', async () => {
    await world.deploy(buyAbove(100));
    const [first, second] = [world.feed(), world.feed()];
    await first.poll();
    await second.poll();
    expect(world.market.quoteCalls).toHaveLength(1);
    await first.stop();
    await second.poll();
    expect(world.market.quoteCalls).toHaveLength(2);
  });

  test('take over from a holder whose connection was cut, which then writes nothing', async () => {
    await world.deploy(buyAbove(100));
    const [first, second] = [world.feed(), world.feed()];
    await first.poll();
    const before = await quotes();
    await sql`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and pid <> pg_backend_pid()`.execute(world.db);
    world.market.quote(BTC, { last: '55' });
    // The cut is requested, not done: the lock is free a moment later.
    await expect
      .poll(async () => {
        await second.poll();
        return (await quotes())[0]?.seq;
      })
      .not.toBe(before[0]?.seq);
    const calls = world.market.quoteCalls.length;
    await first.poll();
    expect(world.market.quoteCalls).toHaveLength(calls);
  });
});

/** One clock for all. */
const TIMES = { databaseNow: () => Date.now(), toFeed: (databaseMs: number) => databaseMs };

describe('after the clock went back', () => {
  const HOUR_MS = 3_600_000;
  let behindMs: number;
  beforeEach(async () => {
    await world.close();
    behindMs = 0;
    world = await openRunnerWorld({ clock: async () => new Date(Date.now() - behindMs) });
    world.market.clock = () => Date.now() - behindMs;
  });

  test('the feed continues to write changed and unchanged quotes', async () => {
    await world.deploy(buyAbove(100));
    await world.price('99');
    behindMs = HOUR_MS;
    await world.price('101');
    expect((await quotes())[0]).toMatchObject({ last: '101.000000000000' });
    behindMs = 2 * HOUR_MS;
    await world.pollOnce();
    const writtenMs = Date.parse((await quotes())[0]?.as_of ?? '');
    expect(Math.abs(writtenMs - (Date.now() - behindMs))).toBeLessThan(10_000);
  });

  test('no decision uses a quote from the future, until a newer one comes', {
    tags: ['long'],
  }, async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.price('101');
    behindMs = HOUR_MS;
    const runner = world.runner();
    await runner.tick();
    expect(await world.orders(deployed)).toEqual([]);
    await world.price('102');
    await runner.tick();
    expect(await world.orders(deployed)).toMatchObject([{ status: 'queued' }]);
  });
});

describe('after the database went back', () => {
  /** Simulates a restore: the numbers of quotes continue from an old value. */
  const setBack = async () => {
    await sql`update quote set seq = 1`.execute(world.db);
    await sql`select setval('quote_seq', 1)`.execute(world.db);
  };

  test('readers of quotes restart, and strategies continue', async () => {
    const deployed = await world.deploy(buyAbove(100));
    for (const price of ['97', '98', '99']) await world.price(price);
    const runner = world.runner();
    await runner.tick();
    await setBack();
    await world.price('101');
    await runner.tick();
    expect(await world.orders(deployed)).toMatchObject([{ status: 'queued' }]);
  });

  test('a reader sees no deleted quote', async () => {
    await world.deploy(buyAbove(100));
    await world.price('99');
    const cache = new QuoteCache(world.db);
    await cache.refresh(TIMES);
    await sql`delete from quote`.execute(world.db);
    await cache.refresh(TIMES);
    expect([...cache.byToken]).toEqual([]);
    expect(cache.generation).toBe(1);
  });

  test('the feed writes again the quotes it believed to be written, with their instruments', async () => {
    await world.deploy(buyAbove(100));
    await world.price('99');
    await sql`delete from quote`.execute(world.db);
    await sql`delete from instrument`.execute(world.db);
    await world.price('100');
    await world.price('100');
    expect(await quotes()).toMatchObject([{ last: '100.000000000000' }]);
  });
});

describe('readers of quotes', () => {
  test('see volume, open interest and the day’s change, where the venue states them', async () => {
    await world.deploy(buyAbove(100));
    const cache = new QuoteCache(world.db);
    world.market.quote(BTC, { volume24h: '1582392211.11', change24h: '-0.0314' });
    await world.pollOnce();
    await cache.refresh(TIMES);
    expect(cache.byToken.get(BTC)).toMatchObject({
      volume24h: 1582392211.11,
      openInterest: null,
      change24h: -0.0314,
    });
  });

  test('see a quote as old as it is, however long ago and on whatever clock it was first read', async () => {
    await world.deploy(buyAbove(100));
    await world.price('101');
    const cache = new QuoteCache(world.db);
    const writtenMs = Date.parse(String((await quotes())[0]?.as_of));
    const ageIn = async (realSec: number) => {
      const databaseMs = writtenMs + 1_000 * realSec;
      const feedMs = writtenMs + 30_000 * realSec;
      const toFeed = (ms: number) => feedMs - (databaseMs - ms);
      await cache.refresh({ databaseNow: () => databaseMs, toFeed });
      return feedMs - (cache.byToken.get(BTC)?.asOf ?? 0);
    };
    expect([await ageIn(0), await ageIn(1), await ageIn(2)]).toEqual([0, 1_000, 2_000]);
  });

  test('see every change of two venues that write at once', async () => {
    await world.deploy({
      ...buyAbove(100),
      other: { type: 'market.price', config: { instrument: YES, field: 'mid' } },
    });
    const cache = new QuoteCache(world.db);
    const [crypto, venueA] = [world.feed('crypto'), world.feed('venue-a')];
    for (let round = 1; round <= 50; round++) {
      world.market.quote(BTC, { last: String(round) });
      world.market.quote(YES, { last: String(round / 100) });
      const reading = cache.refresh(TIMES);
      await Promise.all([crypto.poll(), venueA.poll(), reading]);
      await cache.refresh(TIMES);
      expect(cache.byToken.get(BTC)?.last).toBe(round);
      expect(cache.byToken.get(YES)?.last).toBe(round / 100);
    }
  });
});

describe('an instrument that its venue no longer knows', () => {
  test('fails its deployments, once the venue has said so three times', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.price('99');
    world.market.delist(BTC);
    const realNow = performance.now.bind(performance);
    let aheadMs = 0;
    performance.now = () => realNow() + aheadMs;
    try {
      for (let poll = 0; poll < 3; poll++) {
        expect((await world.blueprint(deployed)).status).toBe('running');
        await world.pollOnce();
        aheadMs += 31_000;
      }
    } finally {
      performance.now = realNow;
    }
    const { status, error } = await world.blueprint(deployed);
    expect(status).toBe('error');
    expect(error).toContain(BTC);
  });
});

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { appendQuotes, purgeQuotes, recordedRanges, sealHours } from '../../engine/history/quote-log.ts';
import { readQuoteChunks } from '../../engine/research/backtests/backtest-data.ts';
import { decodedQuotesOf } from '../../engine/research/backtests/recorded-quotes.ts';
import { lockKey } from '../../server/kernel/rounds/lock-session.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { VenueFeed } from '../../server/workers/trading/market/feed.ts';
import { compactQuotes } from '../../server/workers/trading/market/quote-compaction.ts';
import { QuoteRecorder } from '../../server/workers/trading/market/quote-recorder.ts';
import { quoteOf } from '../support/contracts.ts';
import { openedForEachTest } from '../support/opened.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, openRunnerWorld } from './support.ts';

const HOUR = Date.UTC(2026, 9, 1, 12);
const KEPT = { days: 30, maxBytes: 1e9 };

const world = openedForEachTest(openRunnerWorld);

const quoteAt = (atMs: number, bid = 1) => quoteOf({ atMs, bid, bidSize: 1, ask: bid + 1, askSize: 1 });
const every = (stepMs: number, fromMs: number, count: number) =>
  Array.from({ length: count }, (_, index) => quoteAt(fromMs + index * stepMs, index));
const at = (ms: number) => new Date(ms);
const read = async (fromMs = 0, toMs = HOUR * 2) =>
  decodedQuotesOf(await readQuoteChunks(world.db, null, { tokenId: BTC, fromMs, toMs })).quotes;
const chunks = () =>
  world.db.selectFrom('quote_chunk').select(['from_at', 'quotes', 'is_sealed']).orderBy('from_at').execute();

describe('quotes of the feed', () => {
  test('are stored as they were written, with unknown values as null', async () => {
    await world.deploy(buyAbove(100));
    const feed = new VenueFeed(
      'crypto',
      contextOf(world.options({ quoteLog: KEPT })),
      new LogOnce(world.log),
    );
    await feed.poll();
    await feed.stop();
    const [quote] = await read(0, Date.now() + 60_000);
    const stored = await world.db
      .selectFrom('quote')
      .selectAll()
      .where('token_id', '=', BTC)
      .executeTakeFirstOrThrow();
    expect(quote).toMatchObject({
      atMs: Date.parse(stored.as_of),
      last: Number(stored.last),
      marketStatus: 'open',
    });
  });

  test('are not stored if the operator has turned that off', async () => {
    await world.deploy(buyAbove(100));
    const feed = new VenueFeed('crypto', contextOf(world.options()), new LogOnce(world.log));
    await feed.poll();
    await feed.stop();
    expect(await chunks()).toEqual([]);
  });

  test('wait while the database is unavailable, and are then written once and in order', async () => {
    let isDown = true;
    const db = new Proxy(world.db, {
      get: (target, name) => {
        if (isDown && name === 'insertInto') throw new Error('the database is away');
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const recorder = new QuoteRecorder({ db }, new LogOnce(world.log), 'recorder');
    recorder.take(BTC, quoteAt(HOUR));
    recorder.take(BTC, quoteAt(HOUR));
    await recorder.write();
    recorder.take(BTC, quoteAt(HOUR + 1));
    isDown = false;
    await recorder.write();
    await recorder.write();
    expect((await read()).map(({ atMs }) => atMs)).toEqual([HOUR, HOUR + 1]);
    expect(world.lines.map(({ message }) => message)).toEqual(['recorder: failing', 'recorder: recovered']);
  });

  test('are limited in memory: beyond 200,000 quotes the oldest are dropped, and a line is logged', async () => {
    const recorder = new QuoteRecorder({ db: world.db }, new LogOnce(world.log), 'recorder');
    for (const quote of every(1, HOUR, 210_001)) recorder.take(BTC, quote);
    expect(world.lines.map(({ fields }) => fields)).toMatchObject([
      { error: expect.stringContaining('some are lost') },
    ]);
    await recorder.write();
    const [first] = await read();
    expect(first?.atMs).toBe(HOUR + 20_000);
  });
});

describe('recorded quotes', () => {
  test('are read in order and within the requested span, each once, also where a clock went back', async () => {
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(1_000, HOUR, 60) }]);
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(1_000, HOUR + 30_500, 60) }]);
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(1_000, HOUR, 60) }]);
    await appendQuotes(world.db, [{ tokenId: 'other', quotes: every(1_000, HOUR, 5) }]);
    const whole = (await read()).map(({ atMs }) => atMs);
    expect(whole).toEqual([...new Set(whole)].sort((a, b) => a - b));
    expect(whole).toHaveLength(60 + 31);
    expect((await read(HOUR + 10_000, HOUR + 12_000)).map(({ atMs }) => atMs)).toEqual([
      HOUR + 10_000,
      HOUR + 11_000,
    ]);
  });

  test('of an hour that is over become one chunk, and are read as before; the current hour is left alone', async () => {
    for (let minute = 0; minute < 90; minute++) {
      await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(2_000, HOUR + minute * 60_000, 30) }]);
    }
    const before = await read();
    expect(await sealHours(world.db, at(HOUR + 90 * 60_000))).toBe(1);
    expect(await sealHours(world.db, at(HOUR + 90 * 60_000))).toBe(0);
    expect((await chunks()).map(({ quotes, is_sealed }) => [quotes, is_sealed])).toEqual([
      [1_800, true],
      ...Array.from({ length: 30 }, () => [30, false]),
    ]);
    expect(await read()).toEqual(before);
  });

  test('late quotes of an hour are added to its chunk', async () => {
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(2_000, HOUR, 30) }]);
    await sealHours(world.db, at(HOUR + 7_200_000));
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(2_000, HOUR + 120_000, 30) }]);
    expect(await sealHours(world.db, at(HOUR + 7_200_000))).toBe(1);
    expect(await chunks()).toMatchObject([{ quotes: 60, is_sealed: true }]);
  });

  test('are shown as ranges, split after more than half a minute without a quote', async () => {
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(2_000, HOUR, 30) }]);
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(2_000, HOUR + 60_000, 30) }]);
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(2_000, HOUR + 300_000, 30) }]);
    const { ranges, sizeBytes } = await recordedRanges(world.db, BTC);
    expect(ranges).toEqual([
      { from: at(HOUR).toISOString(), until: at(HOUR + 118_000).toISOString(), quotes: 60 },
      { from: at(HOUR + 300_000).toISOString(), until: at(HOUR + 358_000).toISOString(), quotes: 30 },
    ]);
    expect(sizeBytes).toBeGreaterThan(0);
    expect(await recordedRanges(world.db, 'never seen')).toEqual({ ranges: [], sizeBytes: 0 });
  });

  test('are deleted once they are too old, and the oldest once they exceed the size limit', async () => {
    const day = 86_400_000;
    for (let days = 0; days < 5; days++) {
      await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(1_000, HOUR + days * day, 10) }]);
    }
    const now = at(HOUR + 5 * day);
    expect(await purgeQuotes(world.db, now, { days: 4, maxBytes: 1e9 })).toBe(1);
    const { size } = await world.db
      .selectFrom('quote_chunk')
      .select(({ fn }) => fn.max('size_bytes').as('size'))
      .executeTakeFirstOrThrow();
    expect(await purgeQuotes(world.db, now, { days: 4, maxBytes: 2 * size + 1 })).toBe(2);
    expect((await chunks()).map(({ from_at }) => Date.parse(from_at))).toEqual([
      HOUR + 3 * day,
      HOUR + 4 * day,
    ]);
  });

  test('are combined into chunks by one process at a time', async () => {
    await appendQuotes(world.db, [{ tokenId: BTC, quotes: every(2_000, HOUR, 30) }]);
    const context = { ...contextOf(world.options()), clock: async () => at(HOUR + 7_200_000) };
    const keep = () => compactQuotes(context, KEPT, new AbortController().signal);
    const [space, lock] = lockKey('quote-log');
    await world.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${space}::int, ${lock}::int)`.execute(tx);
      await keep();
    });
    expect(await chunks()).toMatchObject([{ is_sealed: false }]);
    await keep();
    expect(await chunks()).toMatchObject([{ is_sealed: true }]);
  });
});

describe('facts of instruments', () => {
  const facts = () => world.db.selectFrom('instrument_fact').selectAll().orderBy('at').execute();

  test('are stored with their instant at each change, and only then', async () => {
    await world.deploy(buyAbove(100));
    await world.pollOnce();
    expect(await facts()).toHaveLength(1);
    const set = (status: 'open' | 'closed') =>
      world.db
        .updateTable('instrument')
        .set({ status, updated_at: new Date() })
        .where('token_id', '=', BTC)
        .execute();
    await set('closed');
    await set('closed');
    await set('open');
    const stored = await facts();
    expect(stored.map(({ facts }) => (facts as { status: string }).status)).toEqual([
      'open',
      'closed',
      'open',
    ]);
    expect(new Set(stored.map(({ at }) => at)).size).toBe(3);
  });

  test('cannot be rewritten', async () => {
    await world.deploy(buyAbove(100));
    await world.pollOnce();
    await expect(world.db.deleteFrom('instrument_fact').execute()).rejects.toThrow();
    await expect(world.db.updateTable('instrument_fact').set({ facts: {} }).execute()).rejects.toThrow();
  });
});

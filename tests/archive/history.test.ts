import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import {
  type BodyFolder,
  FILE_BYTES_MAX,
  HistoryArchive,
  readBody,
  STORED_BODY,
} from '../../engine/history/archived-bodies.ts';
import { coverageOf } from '../../engine/history/coverage.ts';
import { exportHistory } from '../../engine/history/export.ts';
import { appendQuotes, purgeQuotes, recordedRanges, sealHours } from '../../engine/history/quote-log.ts';
import { hashOf, rowsFrom } from '../../engine/history/rows.ts';
import type { SeriesKey, SeriesRows } from '../../engine/history/series.ts';
import { requireHistoryRoom } from '../../engine/history/storage-limit.ts';
import { readHistory, storedRangeSummary, writeHistory } from '../../engine/history/store.ts';
import { ARCHIVE_MARK } from '../../engine/platform/archive/archive.ts';
import type { ArchiveStore } from '../../engine/platform/archive/store.ts';
import { readQuoteChunks } from '../../engine/research/backtests/backtest-data.ts';
import { archiveBodies, findBodiesToArchive } from '../../engine/usecases/archive/history.ts';
import { parseArchiveUrl } from '../../server/kernel/archive/location.ts';
import { openHistoryArchive } from '../../server/kernel/archive/open-archive.ts';
import { quoteOf } from '../support/contracts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { openTestPool } from '../support/pool.ts';
import { hasS3Server, withS3Server } from '../support/s3-server.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const TOKEN = 'BTCUSDT';
const KEY: SeriesKey = { venue: 'crypto', tokenId: TOKEN, kind: 'candle', resolutionMs: DAY_MS };
const monthAgo = (count: number): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1);
};
const HELD = { fromMs: monthAgo(6), toMs: Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS };
const OLD_HOUR = monthAgo(6) + 12 * HOUR_MS;
const OLD_MONTH = { fromMs: monthAgo(6), toMs: monthAgo(5) };
const QUOTES = { tokenId: TOKEN, fromMs: monthAgo(6), toMs: Date.now() };

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let db: Db;
let asOwner: Db;
let store: MemoryStore;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = await openTestPool(database.connection);
  owner = await openTestPool(database.owner, { poolMax: 1 });
  [db, asOwner] = [systemDb(pool), systemDb(owner)];
  store = new MemoryStore();
  await writeHistory(db, KEY, { rows: barsOf(HELD), held: HELD, source: 'binance' }, new Date());
  for (const hour of [0, 1, 2, 150 * 24])
    await appendQuotes(db, [{ tokenId: TOKEN, quotes: quotesOf(OLD_HOUR + hour * HOUR_MS) }]);
  await sealHours(db, new Date());
});
afterEach(async () => {
  await pool.close();
  await owner.close();
  await database.drop();
});

function barsOf({ fromMs, toMs }: { fromMs: number; toMs: number }, more = 0): SeriesRows {
  const count = (toMs - fromMs) / DAY_MS;
  return rowsFrom(
    'candle',
    Array.from({ length: count }, (_, day) => {
      const price = 60_000 + Math.round(1_000 * Math.sin(day)) + more;
      const openTimeMs = fromMs + day * DAY_MS;
      const closeTimeMs = openTimeMs + DAY_MS - 1;
      return { openTimeMs, closeTimeMs, open: price, high: price, low: price, close: price, volume: day };
    }),
  );
}
const quotesOf = (fromMs: number) =>
  Array.from({ length: 60 }, (_, at) =>
    quoteOf({ atMs: fromMs + at * 2_000, bid: at, bidSize: 1, ask: at + 1 }),
  );

/** Reads no file from memory. */
const archiveOf = (of: ArchiveStore = store) => new HistoryArchive(of);

async function archiveAll(of: ArchiveStore = store): Promise<string[]> {
  const moved: string[] = [];
  for (const due of await findBodiesToArchive(asOwner))
    for await (const { what, rows } of archiveBodies(asOwner, of, due)) moved.push(`${rows} ${what}`);
  return moved;
}

const digestOf = (folder: BodyFolder): string =>
  [...store.files.keys()].find((name) => name.startsWith(folder))?.slice(-64) ?? '';

const history = (archive: HistoryArchive | null = archiveOf()) => readHistory(db, KEY, HELD, { archive });
const quotes = (archive: HistoryArchive | null = archiveOf()) => readQuoteChunks(db, archive, QUOTES);

async function exported(archive: HistoryArchive | null = archiveOf()): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of exportHistory(db, archive, KEY, { fromMs: 0, toMs: Date.now() }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

const allOf = async (archive: HistoryArchive | null) => ({
  history: await history(archive),
  quotes: await quotes(archive),
  exported: await exported(archive),
  coverage: await coverageOf(db, KEY, HELD, Date.now()),
  ranges: await recordedRanges(db, TOKEN),
});

const placesOf = async (table: 'history_chunk' | 'quote_chunk') =>
  (await db.selectFrom(table).select(['body', 'archived_digest']).orderBy('from_at').execute()).map(
    ({ body, archived_digest }) => `${body === null ? '' : 'row'}${archived_digest === null ? '' : 'file'}`,
  );

describe('history and quotes of months that ended 90 days ago', () => {
  test('leave the database, one file a series, and every reader has the same', async () => {
    const before = await allOf(null);
    const ended = [5, 4, 3, 2, 1].filter((count) => monthAgo(count) <= Date.now() - 90 * DAY_MS).length;
    expect(await archiveAll()).toEqual([`${ended} history`, '3 quotes']);
    const months = await placesOf('history_chunk');
    expect(months).toEqual(months.map((_, at) => (at < ended ? 'file' : 'row')));
    expect(await placesOf('quote_chunk')).toEqual(['file', 'file', 'file', 'row']);
    expect(await allOf(archiveOf())).toEqual(before);
    expect([...store.files.keys()].filter((name) => name !== ARCHIVE_MARK)).toEqual([
      expect.stringMatching(/^history\/([\da-f]{2})\/\1[\da-f]{62}$/),
      expect.stringMatching(/^quotes\/([\da-f]{2})\/\1[\da-f]{62}$/),
    ]);
  });

  test('a second run moves nothing, and files are read once by a process', async () => {
    await archiveAll();
    expect(await archiveAll()).toEqual([]);
    const archive = archiveOf();
    const reads: string[] = [];
    store.before = (call, name) => reads.push(`${call} ${name.slice(0, 6)}`);
    await allOf(archive);
    await allOf(archive);
    expect(reads).toEqual(['read histor', 'read quotes']);
    const other = archiveOf();
    const read = () => other.file('history', digestOf('history'));
    await Promise.all([read(), read()]);
    expect(reads.slice(2)).toEqual(['read histor']);
  });

  test('a read that is aborted reads no further body', async () => {
    await archiveAll();
    for (const read of [
      (signal: AbortSignal) => readQuoteChunks(db, archiveOf(), QUOTES, signal),
      (signal: AbortSignal) => readHistory(db, KEY, HELD, { archive: archiveOf(), signal }),
    ]) {
      const stopping = new AbortController();
      store.before = () => stopping.abort(new Error('stopped'));
      await expect(read(stopping.signal)).rejects.toThrow('stopped');
    }
  });

  test('files are read one at a time, so that a share that hangs holds one thread', async () => {
    await archiveAll();
    let [reading, most] = [0, 0];
    const archive = archiveOf({
      write: (name, bytes) => store.write(name, bytes),
      read: async (name, bytesMax) => {
        most = Math.max(most, ++reading);
        await setImmediate();
        reading--;
        return store.read(name, bytesMax);
      },
    });
    await Promise.all([
      archive.file('history', digestOf('history')),
      archive.file('quotes', digestOf('quotes')),
    ]);
    expect(most).toBe(1);
  });

  test('an archive that is away, is not set, or lost or altered a file is an error, never a shorter series', async () => {
    await archiveAll();
    const unavailable = { code: 'archived_unavailable' };
    const refused = async (archive: HistoryArchive | null, message: RegExp) => {
      for (const read of [history, quotes, exported])
        await expect(read(archive), String(message)).rejects.toMatchObject({
          ...unavailable,
          message: expect.stringMatching(message),
        });
    };
    await refused(null, /in the archive/);
    store.before = () => {
      throw new Error('connect ECONNREFUSED');
    };
    await refused(archiveOf(), /in the archive/);
    store.before = () => {};
    const files = new Map(store.files);
    const restore = () => {
      store.files.clear();
      for (const [name, bytes] of files) store.files.set(name, bytes);
    };
    store.files.clear(); // not mounted
    await refused(archiveOf(), /in the archive/);
    restore();
    for (const name of files.keys()) if (name !== ARCHIVE_MARK) store.files.delete(name);
    await refused(archiveOf(), /is missing/);
    const names = [...files.keys()].filter((name) => name !== ARCHIVE_MARK);
    const alterations: ((bytes: Uint8Array) => Uint8Array)[] = [
      (bytes) => bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
      (bytes) => bytes.subarray(0, bytes.length - 1),
      (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]),
      () => new Uint8Array(),
    ];
    for (const alter of alterations) {
      restore();
      for (const name of names) store.files.set(name, alter(files.get(name) ?? new Uint8Array()));
      await refused(archiveOf(), /is not the file that was sealed/);
    }
    restore();
    await sql`update quote_chunk set archived_offset = archived_offset + 1 where archived_digest is not null`.execute(
      asOwner,
    );
    await expect(quotes()).rejects.toMatchObject({ message: expect.stringContaining('has another body') });
    expect((await history())?.rows).toEqual(barsOf(HELD));
  });

  test('a failure at any step leaves each body in the database, and the next run continues', async () => {
    const before = await allOf(null);
    for (let failing = 0; ; failing++) {
      let calls = 0;
      store.before = () => {
        if (calls++ === failing) throw new Error('cut');
      };
      const failure = await archiveAll().catch((error: Error) => error.message);
      store.before = () => {};
      expect(await allOf(archiveOf())).toEqual(before);
      if (failure !== 'cut') break;
    }
    expect(await placesOf('quote_chunk')).toEqual(['file', 'file', 'file', 'row']);
  });

  test('a store that returns another file empties nothing, nor one whose row changed meanwhile', async () => {
    const lying: ArchiveStore = {
      write: (name, bytes) => store.write(name, bytes.subarray(1)),
      read: (name, bytesMax) => store.read(name, bytesMax),
    };
    await expect(archiveAll(lying)).rejects.toThrow('returns another history/');
    const oldest = sql`from_at < ${new Date(OLD_HOUR + 1)}`;
    for (const change of [
      sql`update quote_chunk set body = body || '\\x00' where ${oldest}`,
      sql`delete from quote_chunk where ${oldest}`,
    ]) {
      const changing: ArchiveStore = {
        write: (name, bytes) => store.write(name, bytes),
        read: async (name, bytesMax) => {
          if (name.startsWith('quotes')) await change.execute(asOwner);
          return store.read(name, bytesMax);
        },
      };
      await expect(archiveAll(changing)).rejects.toThrow('3 rows are in quotes/');
    }
    expect(await placesOf('quote_chunk')).toEqual(['row', 'row', 'row']);
  });

  test('a body of a sealed month leaves only whole, with its digest, after 90 days and by the owner', async () => {
    const emptied = (by: Db, more: string) =>
      sql`update history_chunk set body = null, archived_digest = repeat('a', 64), archived_offset = 0,
        body_digest = encode(sha256(body), 'hex') ${sql.raw(more)}`.execute(by);
    const first = `where from_at = '${new Date(HELD.fromMs).toISOString()}'`;
    const refusal = 'cannot be changed';
    await expect(emptied(db, first)).rejects.toThrow(refusal);
    for (const change of [`rows = 1`, `held = '[]'`, `hash = ''`, `size_bytes = 1`, `is_sealed = false`])
      await expect(emptied(asOwner, `, ${change} ${first}`), change).rejects.toThrow(refusal);
    await expect(emptied(asOwner, 'where is_sealed')).rejects.toThrow(refusal);
    await expect(
      sql`update history_chunk set body = null, archived_digest = '', archived_offset = 0, body_digest = ''
        ${sql.raw(first)}`.execute(asOwner),
    ).rejects.toThrow(refusal);
    await expect(sql`update quote_chunk set body = null`.execute(asOwner)).rejects.toThrow(
      'body_in_one_place',
    );
    // Where the database has another owner than its tables, the service's role may have temporary tables.
    await sql`grant temporary on database ${sql.id(database.connection.dbName)} to public`.execute(asOwner);
    await db.connection().execute(async (one) => {
      await sql`create temporary table pg_class as
        select c.oid, r.oid as relowner from pg_catalog.pg_class c, pg_roles r where rolname = current_user`.execute(
        one,
      );
      await expect(emptied(one, first)).rejects.toThrow(refusal);
      await sql`drop table pg_temp.pg_class`.execute(one);
    });
    await archiveAll();
    for (const change of ['archived_offset = 1', `body = '\\x00'`, `archived_digest = ''`])
      await expect(
        sql`update history_chunk set ${sql.raw(change)} ${sql.raw(first)}`.execute(asOwner),
      ).rejects.toThrow(refusal);
    await expect(sql`delete from history_chunk ${sql.raw(first)}`.execute(asOwner)).rejects.toThrow(refusal);
  });

  test('an import over an archived month compares with it: equal is no difference, other rows are one, and nothing changes', async () => {
    await archiveAll();
    const month = barsOf(OLD_MONTH);
    const write = (rows: SeriesRows, archive: HistoryArchive | null = archiveOf()) =>
      writeHistory(db, KEY, { rows, held: OLD_MONTH, source: 'binance' }, new Date(), { archive });
    expect(await write(month)).toEqual([]);
    const other = barsOf(OLD_MONTH, 1);
    expect(await write(other)).toEqual([
      { chunk: OLD_MONTH, storedHash: hashOf(month), offeredHash: hashOf(other) },
    ]);
    await expect(write(other, null)).rejects.toMatchObject({ code: 'archived_unavailable' });
    const reading = async () => {
      const { rows } = await sql`select query from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(asOwner);
      expect(rows).toEqual([]);
    };
    const watched: ArchiveStore = {
      write: (name, bytes) => store.write(name, bytes),
      read: async (name, bytesMax) => reading().then(() => store.read(name, bytesMax)),
    };
    await write(other, archiveOf(watched));
    expect((await history())?.rows).toEqual(barsOf(HELD));
  });

  test('archived history counts in its limit, and archived quotes leave with their retention', async () => {
    const sizeBytes = (await recordedRanges(db, TOKEN)).sizeBytes;
    const { sizeBytes: historyBytes } = await storedRangeSummary(db, KEY, HELD);
    await archiveAll();
    await expect(requireHistoryRoom(db, null, historyBytes)).rejects.toThrow('HISTORY_MAX_MB');
    await requireHistoryRoom(db, null, historyBytes + 1);
    expect((await recordedRanges(db, TOKEN)).sizeBytes).toBe(sizeBytes);
    expect(await purgeQuotes(db, new Date(), { days: 100, maxBytes: 1e9 })).toBe(3);
    expect(await placesOf('quote_chunk')).toEqual(['row']);
    expect((await quotes(null)).bodies).toHaveLength(1);
  });

  test('quotes that come after their hour was archived are stored beside it', async () => {
    await archiveAll();
    const late = quotesOf(OLD_HOUR + 30 * 60_000);
    await appendQuotes(db, [{ tokenId: TOKEN, quotes: late }]);
    await sealHours(db, new Date());
    expect(await placesOf('quote_chunk')).toEqual(['file', 'row', 'file', 'file', 'row']);
    expect(await archiveAll()).toEqual(['1 quotes']);
    expect((await quotes()).bodies).toHaveLength(5);
  });

  test('bodies beyond the size of a file are in the next one, and one that is larger has its own', async () => {
    for (const [at, size] of [1, 9].entries())
      await sql`insert into quote_chunk (token_id, from_at, until_at, quotes, size_bytes, is_sealed, body)
        values ('LARGE', ${new Date(OLD_HOUR + at)}, ${new Date(OLD_HOUR + at)}, 1, ${size * 1_048_576}, true,
          decode(repeat(md5(${String(at)}), ${size * 65_536}), 'hex'))`.execute(db);
    const large = () =>
      db
        .selectFrom('quote_chunk')
        .select(STORED_BODY)
        .where('token_id', '=', 'LARGE')
        .orderBy('from_at')
        .execute();
    const before = (await large()).map(({ body }) => body);
    expect((await archiveAll()).slice(-2)).toEqual(['1 quotes', '1 quotes']);
    const sizes = [...store.files.values()].map(({ length }) => length);
    expect(sizes.filter((size) => size > FILE_BYTES_MAX)).toEqual([9 * 1_048_576]);
    const archive = archiveOf();
    for (const [at, stored] of (await large()).entries())
      expect(Buffer.compare(await readBody(archive, 'quotes', stored), before[at] ?? Buffer.of())).toBe(0);
  });

  test.skipIf(!hasS3Server)(
    'move to a real S3 server and are read from it, which is an error once it is gone',
    async () => {
      const before = await allOf(null);
      const dir = mkdtempSync(path.join(tmpdir(), 'archive-history-'));
      let opened: HistoryArchive | null = null;
      try {
        await withS3Server(dir, async (url) => {
          const open = () => openHistoryArchive({ historyArchive: parseArchiveUrl(url) });
          const s3 = open();
          expect(await archiveAll(s3?.store)).toHaveLength(2);
          expect(await allOf(open())).toEqual(before);
          opened = open();
        });
        await expect(history(opened)).rejects.toMatchObject({ code: 'archived_unavailable' });
      } finally {
        rmSync(dir, { recursive: true });
      }
    },
  );
});

import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Db } from '../../db/tables.ts';
import {
  accountCurve,
  accountStatistics,
  blueprintCurve,
  blueprintStatistics,
} from '../../engine/books/accounting/books-statistics.ts';
import { dailyResults } from '../../engine/books/accounting/daily-results.ts';
import { EQUITY_RANGES, equityHistory } from '../../engine/books/accounting/equity.ts';
import { UNREAD } from '../../engine/ledger/archived-parts.ts';
import { verifyHashChains } from '../../engine/ledger/hash-chain.ts';
import { collectDifferences, walkAccount } from '../../engine/ledger/verify-ledger.ts';
import { ARCHIVE_MARK, Archive, sha256 } from '../../engine/platform/archive/archive.ts';
import { EQUITY_FILE } from '../../engine/platform/archive/equity-file.ts';
import { readRows, writeRows } from '../../engine/platform/archive/row-file.ts';
import { archiveAccount, findAccountsToArchive } from '../../engine/usecases/archive/archive-account.ts';
import { exportRows } from '../../engine/usecases/exports/account-rows.ts';
import { exportAccount } from '../../engine/usecases/personal-data/export.ts';
import { ROW_THINNING } from '../../server/workers/trading/row-thinning.ts';
import { AWAY, MemoryStore } from '../support/memory-store.ts';
import { openedForFile } from '../support/opened.ts';
import { piecesOf, readParquet } from '../support/parquet.ts';
import { rechain } from '../support/rechain.ts';
import { openTradingFixture, type Trader } from '../support/trading-fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const store = new MemoryStore();
const fixture = openedForFile(() => openTradingFixture({ archive: new Archive(store) }));
/** Reads no file from memory. */
const archiveOf = () => new Archive(store);

/** A point of books without a trade: hours before now, and the result at marks. */
type Point = { readonly hoursAgo: number; readonly pnl: number };

async function traderWith(points: readonly Point[], isDeployed = true): Promise<Trader> {
  fixture.wait(Date.now() - fixture.now().getTime());
  const trader = await fixture.trader();
  const first = Math.max(...points.map(({ hoursAgo }) => hoursAgo));
  fixture.wait(-first * HOUR_MS - 60_000);
  if (isDeployed) await fixture.addDeployment(trader);
  fixture.wait(first * HOUR_MS + 60_000);
  const instants = points.map(({ hoursAgo }) => instantOf(hoursAgo).toISOString());
  await sql`insert into equity_point (account_id, mode, at, equity, cash, realized_pnl, unrealized_pnl)
    select ${trader.accountId}, 'paper', p.at, 10000 + pnl, 10000, 0, pnl
    from unnest(${instants}::timestamptz[], ${points.map(({ pnl }) => pnl)}::numeric[]) as p (at, pnl)
    on conflict do nothing`.execute(fixture.db);
  // A strategy and another one, whose points are in the same files.
  await sql`insert into blueprint_equity (account_id, mode, blueprint_id, at, realized_pnl, unrealized_pnl, held)
    select ${trader.accountId}, 'paper', b.id, p.at, 0, pnl * b.times, 9000 + pnl * b.times
    from unnest(${instants}::timestamptz[], ${points.map(({ pnl }) => pnl)}::numeric[]) as p (at, pnl),
      (values (${trader.blueprintId}::uuid, 1), (${randomUUID()}::uuid, 0.5)) as b (id, times)
    on conflict do nothing`.execute(fixture.db);
  return trader;
}

/** Whole hours, as points have: some at midnight. */
const instantOf = (hoursAgo: number) =>
  new Date(Math.floor(fixture.now().getTime() / HOUR_MS - hoursAgo) * HOUR_MS);

/** Five months, an hour of each third day. */
const OLD: readonly Point[] = Array.from({ length: 70 }, (_, index) => ({
  hoursAgo: 210 * 24 - index * 71,
  pnl: (index * 37) % 101,
}));

/** Archives all that is due, or up to `filesMax` files. Returns the points in each. */
async function archiveAll(
  { accountId }: Trader,
  { db = fixture.db, archive = archiveOf(), filesMax = Number.POSITIVE_INFINITY } = {},
): Promise<number[]> {
  const points: number[] = [];
  for await (const { what, rows } of archiveAccount(db, archive, accountId)) {
    expect(what).toBe('points');
    points.push(rows);
    if (points.length === filesMax) break;
  }
  return points;
}

/** All that is read from equity. */
async function answersOf({ work, blueprintId }: Trader, archive: Archive | null) {
  const ranges = EQUITY_RANGES.map(async (range) => ({
    history: await equityHistory(work(), range, archive),
    statistics: await accountStatistics(work(), range, archive),
    curve: await accountCurve(work(), range, archive),
    ofBlueprint: await blueprintStatistics(work(), blueprintId, range, archive),
    curveOfBlueprint: await blueprintCurve(work(), blueprintId, range, archive),
  }));
  const exported = async (table: 'equity' | 'blueprint-equity') =>
    (await readParquet(Buffer.concat(await piecesOf(exportRows(work(), table, archive))))).rows;
  return {
    ranges: await Promise.all(ranges),
    days: await dailyResults(work(), archive),
    exported: await exported('equity'),
    ofBlueprints: new Set((await exported('blueprint-equity')).map((row) => inspect(row))),
  };
}

async function pointsLeft({ accountId }: Trader): Promise<number> {
  const { rows } = await sql`select account_id from equity_point where account_id = ${accountId}
    union all select account_id from blueprint_equity where account_id = ${accountId}`.execute(fixture.db);
  return rows.length;
}

async function differencesOf({ accountId }: Trader, archive: Archive = archiveOf(), db: Db = fixture.db) {
  const inSnapshot = async (trx: Db) => [
    ...(await collectDifferences(
      walkAccount(trx, { accountId, mode: 'paper' }, fixture.now(), undefined, archive),
    )),
    ...(await verifyHashChains(trx, [accountId])),
  ];
  const found = db.isTransaction ? await inSnapshot(db) : await db.transaction().execute(inSnapshot);
  return found.map(({ subject, field }) => `${subject} ${field}`);
}

const filesOf = ({ accountId }: Trader) => [...store.files.keys()].filter((name) => name.includes(accountId));

test('equity of any books reads the same before they are archived, in part, and after', async () => {
  const points = fc.array(
    fc.record({
      hoursAgo: fc.oneof(
        fc.nat({ max: 420 * 24 }),
        fc.nat({ max: 420 }).map((days) => days * 24),
      ),
      pnl: fc.integer({ min: -9_000, max: 9_000 }),
    }),
    { minLength: 1, maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(points, fc.boolean(), fc.nat({ max: 3 }), async (some, isDeployed, filesMax) => {
      const trader = await traderWith(some, isDeployed);
      const before = await answersOf(trader, null);
      if (filesMax > 0) await archiveAll(trader, { filesMax });
      expect(await answersOf(trader, archiveOf())).toEqual(before);
      await archiveAll(trader);
      expect(await answersOf(trader, archiveOf())).toEqual(before);
      expect(await differencesOf(trader)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test('no figure changes where hours of equity without a change are thinned', async () => {
  const hours = 33 * 24;
  const points = Array.from({ length: hours }, (_, index) => ({
    hoursAgo: hours - index,
    pnl: [700, 700, 250, 900, 0][Math.floor(index / 61) % 5] ?? 0,
  }));
  const trader = await traderWith(points);
  const figures = async () => {
    const { ranges, days } = await answersOf(trader, null);
    const all = ranges.flatMap(({ curve, curveOfBlueprint }) => [curve, curveOfBlueprint]);
    const read = all.map(({ statistics: { exposureOfEquity, risk, ...statistics }, curve }) => ({
      statistics,
      exposure: exposureOfEquity.value?.toFixed(9),
      onExposure: risk.returnOnExposure.value?.toFixed(9),
      underWater: risk.timeUnderWater,
      deepest: Math.max(...curve.map(({ drawdown }) => drawdown)),
    }));
    return { read, days };
  };
  const before = await figures();
  for (const { delete: thin } of ROW_THINNING.filter(({ what }) => what.startsWith('points')))
    for (let hoursAgo = hours; hoursAgo > 168; hoursAgo--)
      await thin(instantOf(hoursAgo), instantOf(hoursAgo - 1)).execute(fixture.db);
  expect(await pointsLeft(trader)).toBeLessThan(3 * (168 + 33 * 3));
  expect(await figures()).toEqual(before);
});

test('points of months that ended 90 days ago leave the database by the month; a second run moves nothing', async () => {
  const trader = await traderWith([...OLD, { hoursAgo: 1, pnl: 5 }]);
  expect(await findAccountsToArchive(fixture.db)).toContain(trader.accountId);
  const moved = await archiveAll(trader);
  const left = await pointsLeft(trader);
  expect(moved.reduce((sum, count) => sum + count, left)).toBe(3 * (OLD.length + 1));
  const { rows } = await sql<{ oldest: string }>`
    select least((select min(at) from equity_point where account_id = ${trader.accountId}),
      (select min(at) from blueprint_equity where account_id = ${trader.accountId})) as oldest`.execute(
    fixture.db,
  );
  const ageMs = Date.now() - Date.parse(rows[0]?.oldest ?? '');
  expect(ageMs).toBeLessThan(122 * DAY_MS);
  for (const name of filesOf(trader))
    expect(name).toMatch(/^(?:blueprint-)?equity-paper\/[\da-f-]{36}\/\d{4}-\d\d-[\da-f]{64}\.parquet$/);
  expect(await archiveAll(trader)).toEqual([]);
  expect(await findAccountsToArchive(fixture.db)).not.toContain(trader.accountId);
});

test('without the archive what reaches back so far is "archived_unavailable", and all else is answered', async () => {
  const trader = await traderWith([...OLD, ...recent()]);
  await archiveAll(trader);
  const { work, blueprintId } = trader;
  const unavailable = { code: 'archived_unavailable' };
  for (const archive of [null, new Archive(AWAY)]) {
    await expect(equityHistory(work(), 'all', archive)).rejects.toMatchObject(unavailable);
    await expect(accountStatistics(work(), 'all', archive)).rejects.toMatchObject(unavailable);
    await expect(dailyResults(work(), archive)).rejects.toMatchObject(unavailable);
    await expect(piecesOf(exportRows(work(), 'equity', archive))).rejects.toMatchObject(unavailable);
    await expect(blueprintCurve(work(), blueprintId, 'all', archive)).rejects.toMatchObject(unavailable);
    await expect(piecesOf(exportRows(work(), 'blueprint-equity', archive))).rejects.toMatchObject(
      unavailable,
    );
    for (const range of ['1d', '1w', '1m'] as const) {
      await equityHistory(work(), range, archive);
      await accountCurve(work(), range, archive);
      await blueprintCurve(work(), blueprintId, range, archive);
    }
  }
  await expect(differencesOf(trader, new Archive(new MemoryStore()))).rejects.toMatchObject(unavailable);
  const { accountId } = trader;
  const unread = fixture.db
    .transaction()
    .execute((trx) =>
      collectDifferences(walkAccount(trx, { accountId, mode: 'paper' }, fixture.now(), undefined, UNREAD)),
    );
  expect(await unread).toEqual([]);
});

const recent = (): Point[] =>
  Array.from({ length: 40 }, (_, index) => ({ hoursAgo: index * 24, pnl: index }));

test('an export of personal data has the archived points', async () => {
  const trader = await traderWith(OLD);
  await archiveAll(trader);
  const lines: string[] = [];
  for await (const text of exportAccount(trader.work(), {}, archiveOf()))
    lines.push(...text.trim().split('\n').filter(Boolean));
  const rows = lines.map((line) => JSON.parse(line));
  const of = (name: string) => rows.filter(({ table }) => table === name).map(({ row }) => row);
  const archived = of('archived_equity_point');
  expect(archived.length).toBeGreaterThan(30);
  expect(archived.length + of('equity_point').length).toBe(OLD.length);
  expect(archived[0]).toMatchObject({ mode: 'paper', cash: '10000.000000000000' });
  const ofBlueprints = of('archived_blueprint_equity');
  expect(ofBlueprints.length + of('blueprint_equity').length).toBe(2 * OLD.length);
  expect(ofBlueprints[0]).toMatchObject({ mode: 'paper', realized_pnl: '0.000000000000' });
  expect(rows.at(-1)).toEqual({ end: { rows: rows.length - 3 } });
});

describe('wherever a run ends, no point is lost or doubled, and the next one completes', () => {
  /** A database whose connection breaks at a statement. */
  const endingAt = (statement: number): { db: Db; isReached: () => boolean } => {
    let count = 0;
    const db = fixture.db.withPlugin({
      transformQuery({ node }) {
        count += 1;
        if (count === statement) throw new Error('killed');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    return { db, isReached: () => count >= statement };
  };

  test('at each statement', async () => {
    const trader = await traderWith([...OLD, { hoursAgo: 1, pnl: 5 }]);
    const before = await answersOf(trader, null);
    let statement = 1;
    for (; ; statement++) {
      const { db, isReached } = endingAt(statement);
      const run = archiveAll(trader, { db, filesMax: 1 }).catch(({ message }: Error) => message);
      const ended = await run;
      if (!isReached()) break;
      if (ended === 'killed') expect(await answersOf(trader, archiveOf())).toEqual(before);
    }
    expect(statement).toBeGreaterThan(5);
    await archiveAll(trader);
    expect(await answersOf(trader, archiveOf())).toEqual(before);
    expect(await differencesOf(trader)).toEqual([]);
  });

  test('at each call of the store, and where it answers with another file', async () => {
    const trader = await traderWith([...OLD, { hoursAgo: 1, pnl: 5 }]);
    const before = await answersOf(trader, null);
    for (const failed of [1, 2, 3]) {
      let calls = 0;
      store.before = (call, name) => {
        calls += 1;
        if (calls === failed) throw new Error('timed out');
        const bytes = store.files.get(name);
        if (call === 'read' && bytes !== undefined && name !== ARCHIVE_MARK)
          store.files.set(name, bytes.slice(0, -1));
      };
      await expect(archiveAll(trader)).rejects.toThrow();
    }
    store.before = () => {};
    expect(await pointsLeft(trader)).toBe(3 * (OLD.length + 1));
    await archiveAll(trader);
    expect(await answersOf(trader, archiveOf())).toEqual(before);
  });

  test('two at once', async () => {
    const trader = await traderWith([...OLD, { hoursAgo: 1, pnl: 5 }]);
    const before = await answersOf(trader, null);
    await Promise.allSettled([archiveAll(trader), archiveAll(trader), archiveAll(trader)]);
    await archiveAll(trader);
    expect(await answersOf(trader, archiveOf())).toEqual(before);
    expect(await differencesOf(trader)).toEqual([]);
  });

  test('an older backup is restored: its points are archived again, to the same files', async () => {
    const trader = await traderWith([...OLD, { hoursAgo: 1, pnl: 5 }]);
    const before = await answersOf(trader, null);
    const { accountId } = trader;
    const rowsOf = (table: 'equity_point' | 'blueprint_equity') =>
      fixture.db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute();
    const backups = [
      ['equity_point', await rowsOf('equity_point')],
      ['blueprint_equity', await rowsOf('blueprint_equity')],
    ] as const;
    await archiveAll(trader);
    const names = filesOf(trader);
    await fixture.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from archived_part where account_id = ${accountId}`.execute(trx);
      for (const [table, rows] of backups) {
        await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(trx);
        await trx.insertInto(table).values(rows).execute();
      }
      await rechain(trx, accountId);
    });
    expect(await answersOf(trader, archiveOf())).toEqual(before);
    expect(await differencesOf(trader)).toEqual([]);
    await archiveAll(trader);
    expect(filesOf(trader)).toEqual(names);
    expect(await answersOf(trader, archiveOf())).toEqual(before);
    expect(await differencesOf(trader)).toEqual([]);
  });
});

describe('each alteration of archived points is found', () => {
  type Altered = { trx: Db; name: string; files: Map<string, Uint8Array> };
  async function forge({ trx, name, files }: Altered): Promise<void> {
    const rows = await readRows(EQUITY_FILE, files.get(name) ?? new Uint8Array());
    const bytes = await writeRows(
      EQUITY_FILE,
      rows.map((row) => ({ ...row, cash: '1.000000000000' })),
    );
    files.set(name, bytes);
    await sql`update archived_part set digest = ${sha256(bytes)}, bytes = ${bytes.length} where file_name = ${name}`.execute(
      trx,
    );
  }
  test.for<[string, string, (altered: Altered) => unknown]>([
    ['a file is gone', 'archived_part file', ({ name, files }) => files.delete(name)],
    [
      'a byte is another',
      'archived_part file',
      ({ name, files }) =>
        files.set(
          name,
          (files.get(name) ?? new Uint8Array()).map((byte, at) => (at === 60 ? byte ^ 1 : byte)),
        ),
    ],
    ['a file and its digest are others', 'archived_part row', forge],
    [
      'a file, its digest and the chain are others',
      'equity_point equity',
      async (altered) => {
        await forge(altered);
        const { rows } = await sql<{ id: string }>`
          select account_id as id from archived_part where file_name = ${altered.name}`.execute(altered.trx);
        await rechain(altered.trx, rows[0]?.id ?? '');
      },
    ],
    [
      'the row of a file is gone',
      'archived_part row',
      ({ trx, name }) => sql`delete from archived_part where file_name = ${name}`.execute(trx),
    ],
    [
      'a file is of the other books',
      'archived_part row',
      ({ trx, name }) =>
        sql`update archived_part set equity_mode = 'live' where file_name = ${name}`.execute(trx),
    ],
  ])('%s', async ([, expected, alter]) => {
    const trader = await traderWith(OLD);
    await archiveAll(trader);
    const altered = new MemoryStore();
    for (const [name, bytes] of store.files) altered.files.set(name, bytes);
    const [name = ''] = filesOf(trader);
    const trx = await fixture.db.startTransaction().execute();
    try {
      await sql`set local session_replication_role = replica`.execute(trx);
      await alter({ trx, name, files: altered.files });
      expect(await differencesOf(trader, new Archive(altered), trx)).toContain(expected);
    } finally {
      await trx.rollback().execute();
    }
    expect(await differencesOf(trader)).toEqual([]);
  });
});

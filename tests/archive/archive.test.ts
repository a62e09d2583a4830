import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../db/tables.ts';
import { type ReadArchive, UNREAD, verifyArchivedParts } from '../../engine/ledger/archived-parts.ts';
import { verifyHashChains } from '../../engine/ledger/hash-chain.ts';
import { collectDifferences, walkAccount } from '../../engine/ledger/verify-ledger.ts';
import { ARCHIVE_MARK, Archive, sha256 } from '../../engine/platform/archive/archive.ts';
import { EVIDENCE_FILE } from '../../engine/platform/archive/evidence-file.ts';
import { readRows, writeRows } from '../../engine/platform/archive/row-file.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { findAccountsToArchive } from '../../engine/usecases/archive/archive-account.ts';
import { EVIDENCE } from '../../engine/usecases/archive/evidence.ts';
import { seal } from '../../engine/usecases/archive/seal.ts';
import { exportAccount } from '../../engine/usecases/personal-data/export.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { openedForFile } from '../support/opened.ts';
import { rechain } from '../support/rechain.ts';
import { INPUTS, tradeLongAgo } from '../support/trade-long-ago.ts';
import { openTradingFixture, type Trader } from '../support/trading-fixture.ts';

const store = new MemoryStore();
const fixture = openedForFile(() => openTradingFixture({ archive: new Archive(store) }));
/** Reads no file from memory. */
const archiveOf = () => new Archive(store);

let trader: Trader;
let ended: string[];
let denied: string;
let live: string;

async function begin(): Promise<void> {
  store.before = () => {};
  ({ trader, ended, denied, live } = await tradeLongAgo(fixture));
}

async function archiveAll(archive = archiveOf()): Promise<number[]> {
  const orders: number[] = [];
  for await (const part of seal(fixture.db, archive, trader.accountId, EVIDENCE)) orders.push(part.rows);
  return orders;
}

const detailsOf = (ids: readonly string[], archive: Archive | null) =>
  Promise.all(ids.map((id) => readOrder(trader.work(), id, archive)));

const fileNames = () => [...store.files.keys()].filter((name) => name.includes(trader.accountId));

/** Returns the differences of the account, each as a subject and a field. */
async function differencesIn(db: Db, archive: ReadArchive = archiveOf()): Promise<string[]> {
  const { accountId } = trader;
  const inSnapshot = async (trx: Db) => [
    ...(await collectDifferences(
      walkAccount(trx, { accountId, mode: 'paper' }, fixture.now(), undefined, archive),
    )),
    ...(await verifyHashChains(trx, [accountId])),
    ...(archive === UNREAD ? [] : await verifyArchivedParts(trx, accountId, archive)),
  ];
  const found = db.isTransaction ? await inSnapshot(db) : await db.transaction().execute(inSnapshot);
  return found.map(({ subject, field }) => `${subject} ${field}`);
}

const emptied = async (): Promise<string[]> => {
  const rows = await fixture.db
    .selectFrom('trade_order')
    .select('id')
    .where('account_id', '=', trader.accountId)
    .where(sql<boolean>`(receipt = '{}' or archived_part is not null)`)
    .execute();
  return rows.map(({ id }) => id).sort();
};

describe('orders of months that ended 90 days ago', () => {
  beforeEach(begin);

  test('old orders leave the database by the month, read as before, and the ledger proves them', async () => {
    const before = await detailsOf([...ended, denied, live], null);
    expect(await findAccountsToArchive(fixture.db)).toContain(trader.accountId);
    expect(await archiveAll()).toEqual([2, 2]);
    expect(await emptied()).toEqual(ended.toSorted());
    expect(await detailsOf([...ended, denied, live], archiveOf())).toEqual(before);
    expect(before[0]?.inputs).toEqual(INPUTS);
    expect(before[2]?.approvalReceipt).not.toBeNull();
    expect(await differencesIn(fixture.db)).toEqual([]);
    expect(fileNames()).toHaveLength(2);
    for (const name of fileNames())
      expect(name).toMatch(/^orders\/[\da-f-]{36}\/\d{4}-\d\d-[\da-f]{64}\.parquet$/);
  });

  test('a second run moves nothing, and an account that moves to another cell is left alone', async () => {
    const moveTo = (cell: number | null) =>
      sql`update account set moving_to = ${cell} where id = ${trader.accountId}`.execute(fixture.db);
    await moveTo(1);
    await expect(archiveAll()).rejects.toThrow('moves to another cell');
    await moveTo(null);
    await archiveAll();
    const names = fileNames();
    expect(await archiveAll()).toEqual([]);
    expect(await findAccountsToArchive(fixture.db)).not.toContain(trader.accountId);
    expect(fileNames()).toEqual(names);
  });

  test('the check of live books does not wait for the archive, and finds what is wrong beside it', async () => {
    await archiveAll();
    expect(await differencesIn(fixture.db, UNREAD)).toEqual([]);
    const { accountId } = trader;
    const found = await inRolledBack(async (trx) => {
      await sql`update order_transition set reason = 'x' where account_id = ${accountId} and order_id = ${ended[0]}`.execute(
        trx,
      );
      return differencesIn(trx, UNREAD);
    });
    expect(found).toContain('order_transition digest of step 2');
  });

  test('without its archive an old order is "archived_unavailable", never "not_found", and the ledger is not called proven', async () => {
    await archiveAll();
    const unavailable = { code: 'archived_unavailable' };
    const [old = ''] = ended;
    await expect(readOrder(trader.work(), old)).rejects.toMatchObject(unavailable);
    await expect(differencesIn(fixture.db, null)).rejects.toMatchObject(unavailable);
    store.before = () => {
      throw new Error('connect ECONNREFUSED');
    };
    await expect(readOrder(trader.work(), old, archiveOf())).rejects.toMatchObject(unavailable);
    await expect(differencesIn(fixture.db)).rejects.toMatchObject(unavailable);
    await expect(readOrder(trader.work(), live, archiveOf())).resolves.toMatchObject({ id: live });
    store.before = () => {};
  });

  test('a folder that is not mounted is no lost file', async () => {
    await archiveAll();
    const files = [...store.files];
    store.files.clear();
    await expect(differencesIn(fixture.db)).rejects.toMatchObject({
      code: 'archived_unavailable',
      cause: expect.objectContaining({ message: expect.stringContaining('not mounted') }),
    });
    for (const [name, bytes] of files) store.files.set(name, bytes);
  });

  test('an export of personal data has what is archived, and fails whole without the archive', async () => {
    const linesOf = async (archive: Archive | null) => {
      const lines: string[] = [];
      for await (const text of exportAccount(trader.work(), {}, archive)) {
        if (lines.length === 0) await archiveAll(); // while it is written
        lines.push(...text.trim().split('\n'));
      }
      return lines.map((line) => JSON.parse(line));
    };
    const lines = await linesOf(archiveOf());
    const archived = lines.filter(({ table }) => table === 'archived_order');
    expect(archived.map(({ row }) => row.id).sort()).toEqual(ended.toSorted());
    expect(archived.map(({ row }) => row.inputs)).toContainEqual(INPUTS);
    expect(lines.at(-1)).toEqual({ end: { rows: lines.length - 3 } });
    await expect(linesOf(null)).rejects.toMatchObject({ code: 'archived_unavailable' });
  });
});

describe('whatever fails on the way, the rows stay until the file is proven, and the next run completes', () => {
  beforeEach(begin);

  const failing = async (): Promise<void> => {
    await expect(archiveAll()).rejects.toThrow();
    expect(await emptied()).toEqual([]);
  };
  const completing = async (): Promise<void> => {
    store.before = () => {};
    expect(await archiveAll()).toEqual([2, 2]);
    expect(await emptied()).toEqual(ended.toSorted());
    expect(await differencesIn(fixture.db)).toEqual([]);
  };

  test.for([1, 2, 3])('call %i of the store fails', async (failed) => {
    let calls = 0;
    store.before = () => {
      calls += 1;
      if (calls === failed) throw new Error('timed out');
    };
    await failing();
    await completing();
  });

  test.for([
    ['cut', (bytes: Uint8Array) => bytes.slice(0, -1)],
    ['longer', (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from('x')])],
    ['altered', (bytes: Uint8Array) => bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte))],
    ['lost', () => null],
  ] as const)('the store answers with a file that is %s', async ([, change]) => {
    store.before = (call, name) => {
      if (call === 'write' || name === ARCHIVE_MARK) return;
      const changed = change(store.files.get(name) ?? new Uint8Array());
      if (changed === null) store.files.delete(name);
      else store.files.set(name, changed);
    };
    await failing();
    await completing();
  });

  test('a row differs from what was read', async () => {
    store.before = () => {};
    const changing: Archive = new Archive({
      write: (name, bytes) => store.write(name, bytes),
      read: async (name, bytesMax) => {
        await pastTriggers(sql`update trade_order set decided_quote = '{"bid": "9"}' where id = ${ended[0]}`);
        return store.read(name, bytesMax);
      },
    });
    const quote = (await fixture.order(ended[0] ?? '')).decided_quote;
    await expect(archiveAll(changing)).rejects.toThrow('all stay there');
    expect(await emptied()).toEqual([]);
    await pastTriggers(
      sql`update trade_order set decided_quote = ${JSON.stringify(quote)} where id = ${ended[0]}`,
    );
    await completing();
  });

  test('it ends between two files', async () => {
    for await (const _ of seal(fixture.db, archiveOf(), trader.accountId, EVIDENCE)) break;
    expect(await emptied()).toHaveLength(2);
    expect(await differencesIn(fixture.db)).toEqual([]);
    expect(await archiveAll()).toEqual([2]);
    expect(await differencesIn(fixture.db)).toEqual([]);
  });

  test('it ends after the file was written: the next run writes the same file again', async () => {
    store.before = (call, name) => {
      if (call === 'read' && name !== ARCHIVE_MARK) throw new Error('killed');
    };
    await failing();
    const [name] = fileNames();
    await completing();
    expect(fileNames()).toContain(name);
    expect(fileNames()).toHaveLength(2);
  });
});

async function pastTriggers(...statements: ReturnType<typeof sql>[]): Promise<void> {
  await fixture.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const statement of statements) await statement.execute(trx);
  });
}

type Tampered = { trx: Db; names: [string, string]; altered: MemoryStore };

describe('each alteration is found', () => {
  beforeAll(async () => {
    await begin();
    await archiveAll();
  });

  const flip = (bytes: Uint8Array) => bytes.map((byte, at) => (at === 60 ? byte ^ 1 : byte));
  /** Writes a file with other evidence, and states its digest: only the chain and the steps know. */
  async function forge({ trx, names: [name], altered }: Tampered): Promise<void> {
    const rows = await readRows(EVIDENCE_FILE, store.files.get(name) ?? new Uint8Array());
    const bytes = await writeRows(
      EVIDENCE_FILE,
      rows.map((row) => ({ ...row, inputs: '[]' })),
    );
    altered.files.set(name, bytes);
    await sql`update archived_part set digest = ${sha256(bytes)}, bytes = ${bytes.length}
      where account_id = ${trader.accountId} and file_name = ${name}`.execute(trx);
  }
  const changed =
    (change: (bytes: Uint8Array) => Uint8Array) =>
    ({ names: [name], altered }: Tampered) =>
      altered.files.set(name, change(altered.files.get(name) ?? new Uint8Array()));
  const run =
    (statement: () => string) =>
    async ({ trx }: Tampered) => {
      const { numAffectedRows } = await sql.raw(statement()).execute(trx);
      expect(Number(numAffectedRows)).toBeGreaterThan(0);
    };
  const of = () => `account_id = '${trader.accountId}'`;

  test.for<[string, string, (tampered: Tampered) => unknown]>([
    ['a file is gone', 'archived_part file', ({ names, altered }) => altered.files.delete(names[0])],
    ['a byte is another', 'archived_part file', changed(flip)],
    ['a file is cut', 'archived_part file', changed((bytes) => bytes.slice(0, -5))],
    ['a file is longer', 'archived_part file', changed((bytes) => Buffer.concat([bytes, Buffer.from('x')]))],
    ['a file is empty', 'archived_part file', changed(() => new Uint8Array())],
    [
      'two files change places',
      'archived_part file',
      ({ names: [a, b], altered }) => {
        altered.files.set(a, store.files.get(b) ?? new Uint8Array());
        altered.files.set(b, store.files.get(a) ?? new Uint8Array());
      },
    ],
    [
      'two files change places in the database',
      'archived_part row',
      run(
        () => `update archived_part p set digest = o.digest, bytes = o.bytes, file_name = o.file_name
      from archived_part o where o.${of()} and p.${of()} and o.number <> p.number`,
      ),
    ],
    ['a file and its digest are others', 'archived_part row', forge],
    [
      'a file, its digest and the chain are others',
      'order_transition digest of step 1',
      async (tampered) => {
        await forge(tampered);
        await rechain(tampered.trx, trader.accountId);
      },
    ],
    [
      'a row of the database is gone',
      'archived_part row',
      run(() => `delete from archived_part where ${of()} and number = 2`),
    ],
    [
      'an order names another file',
      'archived_part file',
      run(
        () => `update trade_order set archived_part = 3 - archived_part where ${of()} and id = '${ended[0]}'`,
      ),
    ],
    [
      'an order names no file',
      'archived_part file',
      run(() => `update trade_order set archived_part = null where ${of()} and id = '${ended[0]}'`),
    ],
    [
      'an order of today is emptied',
      'trade_order receipt',
      run(() => `update trade_order set receipt = '{}', archived_part = 1 where ${of()} and id = '${live}'`),
    ],
  ])('%s', async ([, expected, tamper]) => {
    const altered = new MemoryStore();
    for (const [name, bytes] of store.files) altered.files.set(name, bytes);
    const [first = '', second = ''] = fileNames();
    const found = await inRolledBack(async (trx) => {
      await tamper({ trx, names: [first, second], altered });
      return differencesIn(trx, new Archive(altered));
    });
    expect(found).toContain(expected);
    expect(await differencesIn(fixture.db)).toEqual([]);
  });

  test('rows chained again as they are agree', async () => {
    await inRolledBack(async (trx) => {
      await rechain(trx, trader.accountId);
      expect(await differencesIn(trx, archiveOf())).toEqual([]);
    });
  });
});

async function inRolledBack<Result>(task: (trx: Db) => Promise<Result>): Promise<Result> {
  const trx = await fixture.db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(trx);
    return await task(trx);
  } finally {
    await trx.rollback().execute();
  }
}

describe('the database refuses to empty evidence', () => {
  beforeEach(begin);

  const empty = (
    id: string,
    part: number,
  ) => sql`update trade_order set receipt = '{}', inputs = null, decided_quote = null,
    approval_receipt = null, archived_part = ${part} where account_id = ${trader.accountId} and id = ${id}`;
  const old = () => ended[0] ?? '';

  test('of the service’s role', async () => {
    await archiveAll();
    for (const id of [denied, live])
      await expect(empty(id, 1).execute(trader.work().db)).rejects.toThrow('its evidence');
  });

  test('of an old order, by the service’s role with a file, by the owner with one that does not hold it', async () => {
    for await (const _ of seal(fixture.db, archiveOf(), trader.accountId, EVIDENCE)) break;
    const later = ended[3] ?? '';
    for (const db of [trader.work().db, fixture.db])
      await expect(empty(later, 1).execute(db)).rejects.toThrow('its evidence');
    await expect(
      sql`insert into archived_part select * from archived_part`.execute(trader.work().db),
    ).rejects.toThrow('permission denied');
    await expect(sql`delete from archived_part`.execute(fixture.db)).rejects.toThrow('history');
  });

  test('without a file, of a live, a denied or a young order, twice, in part, or to anything else, by the owner either', async () => {
    await expect(empty(old(), 7).execute(fixture.db)).rejects.toThrow('its evidence');
    await archiveAll();
    const { db } = fixture;
    for (const id of [denied, live]) await expect(empty(id, 1).execute(db)).rejects.toThrow('its evidence');
    await expect(empty(old(), 2).execute(db)).rejects.toThrow('its evidence');
    await expect(sql`update trade_order set inputs = null where id = ${live}`.execute(db)).rejects.toThrow(
      'its evidence',
    );
    await expect(
      sql`update trade_order set receipt = '{"verdict": "queued"}' where id = ${old()}`.execute(db),
    ).rejects.toThrow('its evidence');
  });
});

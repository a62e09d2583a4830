import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { blueprintCurve } from '../../engine/books/accounting/books-statistics.ts';
import { verifyArchivedParts } from '../../engine/ledger/archived-parts.ts';
import { Archive } from '../../engine/platform/archive/archive.ts';
import { archiveAccount } from '../../engine/usecases/archive/archive-account.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { openedForFile } from '../support/opened.ts';
import { openTradingFixture, type Trader } from '../support/trading-fixture.ts';

const store = new MemoryStore();
const fixture = openedForFile(() => openTradingFixture({ archive: new Archive(store) }));

/** Points of one blueprint, by the hours since its first and its last one. */
type Span = {
  readonly blueprintId: string;
  readonly from: number;
  readonly until: number;
  readonly everyMin: number;
};

async function traderWith(spansOf: (trader: Trader) => Span[]): Promise<Trader> {
  fixture.wait(Date.now() - fixture.now().getTime());
  const trader = await fixture.trader();
  fixture.wait(-300 * 86_400_000);
  await fixture.addDeployment(trader);
  fixture.wait(300 * 86_400_000);
  for (const { blueprintId, from, until, everyMin } of spansOf(trader))
    await sql`insert into blueprint_equity (account_id, mode, blueprint_id, at, realized_pnl, unrealized_pnl, held)
      select ${trader.accountId}, 'paper', ${blueprintId}, at, 0, extract(day from at), 50
      from generate_series(date_trunc('hour', now()) - ${from} * interval '1 hour',
        date_trunc('hour', now()) - ${until} * interval '1 hour', ${everyMin} * interval '1 minute') as at`.execute(
      fixture.db,
    );
  return trader;
}

async function archiveAll({ accountId }: Trader): Promise<number> {
  let files = 0;
  for await (const _ of archiveAccount(fixture.db, new Archive(store), accountId)) files += 1;
  return files;
}

const filesOf = ({ accountId }: Trader) => [...store.files.keys()].filter((name) => name.includes(accountId));

test('a month of many strategies has several files, and each curve reads those that have the strategy', async () => {
  const now = new Date();
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 6);
  const from = Math.floor((now.getTime() - month) / 3_600_000);
  const span = { from, until: from - 28 * 24 + 1 };
  // They fill a file of 9,000 points.
  const others = [1, 2, 3].map((id) => `00000000-0000-4000-8000-00000000000${id}`);
  const trader = await traderWith(({ blueprintId }) => [
    ...others.map((id) => ({ ...span, blueprintId: id, everyMin: 10 })),
    { ...span, blueprintId, everyMin: 60 },
  ]);
  const curve = () => blueprintCurve(trader.work(), trader.blueprintId, 'all', new Archive(store));
  const before = await curve();
  expect(await archiveAll(trader)).toBe(2);
  expect(await curve()).toEqual(before);
  const { rows } = await sql<{ file_name: string }>`
    select file_name from archived_part where account_id = ${trader.accountId}
      and not blueprint_ids @> array[${trader.blueprintId}::uuid]`.execute(fixture.db);
  expect(rows).toHaveLength(1);
  // Files of other strategies are not read.
  const isRead: string[] = [];
  store.before = (_, name) => isRead.push(name);
  expect(await curve()).toEqual(before);
  expect(isRead).toHaveLength(1);
  expect(isRead).not.toContain(rows[0]?.file_name);
});

test('a strategy that holds nothing for months begins its month at its last archived point', async () => {
  const trader = await traderWith(({ blueprintId }) => [
    { blueprintId, from: 200 * 24, until: 150 * 24, everyMin: 360 },
    { blueprintId: randomUUID(), from: 200 * 24, until: 130 * 24, everyMin: 360 },
    { blueprintId, from: 48, until: 1, everyMin: 60 },
  ]);
  const curve = () => blueprintCurve(trader.work(), trader.blueprintId, '1m', new Archive(store));
  const before = await curve();
  await archiveAll(trader);
  expect(await curve()).toEqual(before);
});

test('the ledger finds a file of strategies that is gone or another', async () => {
  const trader = await traderWith(({ blueprintId }) => [
    { blueprintId, from: 200 * 24, until: 190 * 24, everyMin: 60 },
  ]);
  await archiveAll(trader);
  const differences = async () =>
    (await verifyArchivedParts(fixture.db, trader.accountId, new Archive(store))).map(({ actual }) => actual);
  expect(await differences()).toEqual([]);
  const [name = ''] = filesOf(trader);
  const bytes = store.files.get(name) ?? new Uint8Array();
  store.files.set(name, bytes.slice(1));
  expect(await differences()).toEqual([`${name} is not the file that was sealed`]);
  store.files.delete(name);
  expect(await differences()).toEqual([`${name} is missing`]);
  store.files.set(name, bytes);
  expect(await differences()).toEqual([]);
});

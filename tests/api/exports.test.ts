import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { systemWork } from '../../engine/platform/context.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { EXPORT_TABLES, exportRows } from '../../engine/usecases/exports/account-rows.ts';
import { bearer, expectRefusal } from '../support/api.ts';
import { BTC_5M, seriesFromCsv, storeHistory } from '../support/history.ts';
import { openedForFile } from '../support/opened.ts';
import { piecesOf, readParquet } from '../support/parquet.ts';
import { addBlueprint, hold, openMarket, TOKEN } from '../support/trading.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
beforeAll(async () => {
  await openMarket(world);
});

async function fileOf(key: string, path: string) {
  const answer = await fetch(world.base + path, { headers: bearer(key) });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet');
  return readParquet(await answer.bytes());
}

test('each table holds the rows of the account in the mode of its key, and no other', async () => {
  const [ada, ben] = [await world.account(), await world.account()];
  for (const account of [ada, ben]) {
    await hold(world, account, { blueprintId: await addBlueprint(account), amount: '0.005' });
  }
  const { rows: fills } = await fileOf(ada.key, '/api/exports?table=fills');
  const stored = await world.db
    .selectFrom('fill')
    .selectAll()
    .where('account_id', '=', ada.accountId)
    .execute();
  expect(fills).toMatchObject(
    stored.map(({ id, order_id, amount, price, at }) => ({
      id,
      orderId: order_id,
      amount: exact(amount).toFixed(12),
      price: exact(price).toFixed(12),
      at: new Date(at),
    })),
  );
  expect(fills.length).toBeGreaterThan(0);
  const { rows: orders } = await fileOf(ada.key, '/api/exports?table=orders');
  expect(orders.map(({ id }) => id)).toEqual([fills[0]?.['orderId']]);
  expect(orders[0]).toMatchObject({ status: 'filled', filledAmount: '0.005000000000', stepAt: null });
  const { rows: cash } = await fileOf(ada.key, '/api/exports?table=cash');
  expect(cash.map(({ kind }) => kind).sort()).toEqual(['deposit', 'fee', 'trade']);
  const live = systemWork(world.pool, { accountId: ada.accountId, mode: 'live' });
  const file = Buffer.concat(await piecesOf(exportRows(live, 'cash')));
  expect((await readParquet(file)).rows).toEqual([]);
});

test('a table of several pages is whole, and each table has its columns without a row', async () => {
  const [ada, ben] = [await world.account(), await world.account()];
  const { rows: stored } = await sql<{ atMs: string }>`
    insert into equity_point (account_id, mode, at, equity, cash, realized_pnl, unrealized_pnl)
    select account_id, mode, date_trunc('milliseconds', now()) + n * interval '5 minutes', amount, amount, 0, 0
    from cash_entry, generate_series(1, 2100) n where account_id in (${ada.accountId}, ${ben.accountId})
    returning trunc(extract(epoch from at) * 1000) as "atMs"`.execute(world.db);
  const { rows } = await fileOf(ada.key, '/api/exports?table=equity');
  const instants = new Set(stored.map(({ atMs }) => Number(atMs)));
  expect(rows.map(({ at }) => Number(at))).toEqual([...instants].sort((a, b) => a - b));
  expect(rows).toHaveLength(2_100);
  const untraded = await world.account();
  for (const table of EXPORT_TABLES) {
    const { schema, rows: none } = await fileOf(untraded.key, `/api/exports?table=${table}`);
    expect(schema.length).toBeGreaterThan(5);
    expect(none.length).toBe(table === 'cash' ? 1 : 0);
  }
});

test('the stored history of an instrument is a file, from and to a moment; what is not stated is null', async () => {
  const { key } = await world.account();
  const bars = seriesFromCsv(BTC_5M, 300_000);
  bars.columns.volume[0] = Number.NaN;
  await storeHistory(
    world.db,
    { venue: 'crypto', tokenId: TOKEN, kind: 'candle', resolutionMs: 300_000 },
    bars,
  );
  const path = `/api/history/export?tokenId=${TOKEN}&interval=5m`;
  const { rows } = await fileOf(key, path);
  expect(rows).toHaveLength(bars.count);
  expect(rows[0]).toEqual({
    openTime: new Date(bars.columns.openTimeMs[0] ?? 0),
    closeTime: new Date(bars.columns.closeTimeMs[0] ?? 0),
    open: bars.columns.open[0],
    high: bars.columns.high[0],
    low: bars.columns.low[0],
    close: bars.columns.close[0],
    volume: null,
  });
  const [from, to] = [10, 20].map((row) => new Date(bars.columns.openTimeMs[row] ?? 0).toISOString());
  expect((await fileOf(key, `${path}&from=${from}&to=${to}`)).rows).toEqual(rows.slice(10, 20));
  expect((await fileOf(key, `${path}&to=2000-01-01T00:00:00Z`)).rows).toEqual([]);
});

test('a request without its table or instrument is refused', async () => {
  const { http } = await world.account();
  for (const [path, field] of [
    ['/api/exports', '/table'],
    ['/api/history/export', '/tokenId'],
    [`/api/history/export?tokenId=${TOKEN}`, '/interval'],
  ] as const) {
    expect(expectRefusal(await http('GET', path), 400, 'validation_failed').issues).toMatchObject([
      { path: field },
    ]);
  }
});

test('over tRPC a file that is no text is refused, with where to read it', async () => {
  const { key } = await world.account();
  const input = encodeURIComponent(JSON.stringify({ table: 'equity' }));
  const answer = await world.send('GET', `/trpc/exports.read?input=${input}`, { headers: bearer(key) });
  expect(answer.status).toBe(403);
  expect(answer.text).toContain('This file is no text. Read it over REST.');
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHistory } from '../../engine/history/store.ts';
import { recordPriceSource } from '../../engine/platform/price-source.ts';
import { LockSession } from '../../server/kernel/rounds/lock-session.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { HistoryImportWorker } from '../../server/workers/trading/history-import-worker.ts';
import { openedForEachTest } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const NOW = Date.UTC(2026, 8, 20, 9, 30);
const MONTH = { fromMs: Date.UTC(2026, 7, 1), toMs: Date.UTC(2026, 8, 1) };
const BODY = { tokenId: 'BTCUSDT', interval: '1h', from: '2026-08-03T00:00:00Z', to: '2026-08-04T00:00:00Z' };
const KEY = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: 3_600_000 } as const;

const world = openedForEachTest(openWorld);
let account: Account;
let importer: HistoryImportWorker;
beforeEach(async () => {
  world.market.simulator?.clock.pin(NOW / 1_000);
  await recordPriceSource(world.db, 'simulator', new Date(1));
  account = await world.account();
  importer = new HistoryImportWorker(contextOf(runnerOptions()), new LogOnce(quiet));
});
afterEach(() => importer.stop());

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const runnerOptions = () => ({
  pool: world.pool,
  market: world.market,
  clock: async () => new Date(NOW),
  log: quiet,
  shardCount: 1,
  wakeOrders: () => {},
});
const request = (body: object = BODY) => account.http('POST', '/api/history/import', body);
const imports = async () => (await account.http('GET', '/api/history/imports')).body;
const covered = async (search: string) => {
  const { body } = await account.http('GET', `/api/history/coverage?tokenId=${search}`);
  return (body as { series: Record<string, unknown> }).series;
};

test('a requested import is carried out, and coverage lists the stored history', async () => {
  const span = 'BTCUSDT&interval=1h&from=2026-08-01T00:00:00Z&to=2026-09-01T00:00:00Z';
  const month = { from: '2026-08-01T00:00:00.000Z', to: '2026-09-01T00:00:00.000Z' };
  expect(await covered(span)).toMatchObject({
    held: [],
    importable: [month],
    requests: 1,
    seconds: 1,
    source: null,
  });
  expect((await request()).body).toMatchObject({
    status: 'queued',
    interval: '1h',
    progress: 0,
    failure: null,
  });
  await importer.workOff('crypto');
  expect(await imports()).toMatchObject([
    { status: 'done', progress: 1, rows: 744, gaps: 0, differences: 0 },
  ]);
  expect(await covered(span)).toMatchObject({
    held: [month],
    gaps: [],
    importable: [],
    unavailable: [],
    requests: 0,
    rows: 744,
    source: 'simulator',
    coarser: [],
  });
  expect((await readHistory(world.db, KEY, MONTH))?.rows.count).toBe(744);
});

test('row 42: minutes that venue B no longer has are reported as gone, with the longer intervals it has', {
  tags: ['long'],
}, async () => {
  const { markets } = await world.market.at('venue-b').top(50);
  const [longest] = markets.toSorted((a, b) => (b.closesAt ?? '').localeCompare(a.closesAt ?? ''));
  const tokenId = longest?.outcomes[0]?.tokenId ?? '';
  const span = 'from=2026-09-01T00:00:00Z&to=2026-09-20T00:00:00Z';
  const gone = { from: '2026-09-01T00:00:00.000Z', to: '2026-09-13T09:30:00.000Z' };
  const left = { from: gone.to, to: '2026-09-20T00:00:00.000Z' };
  const before = await covered(`${tokenId}&interval=1m&${span}`);
  expect(before).toMatchObject({
    unavailable: [gone],
    importable: [left],
    coarser: ['5m', '30m', '3h', '12h'],
  });
  const body = { tokenId, interval: '1m', from: gone.from, to: left.to };
  expect((await request(body)).status).toBe(200);
  await importer.workOff('venue-b');
  const after = await covered(`${tokenId}&interval=1m&${span}`);
  expect(after).toMatchObject({ unavailable: [gone], importable: [], held: [left] });
  const halfHours = await covered(`${tokenId}&interval=30m&${span}`);
  expect(halfHours).toMatchObject({ unavailable: [], importable: [{ from: gone.from, to: left.to }] });
});

test('one process at a time imports from a venue', async () => {
  await request();
  const other = new LockSession(world.pool, 'import-crypto', 8_000);
  expect(await other.hold()).toBe(true);
  await importer.workOff('crypto');
  expect(await imports()).toMatchObject([{ status: 'queued' }]);
  await other.close();
  await expect
    .poll(async () => {
      await importer.workOff('crypto');
      return imports();
    })
    .toMatchObject([{ status: 'done' }]);
});

test('an import whose process died is resumed', async () => {
  await request();
  await world.db.updateTable('history_import').set({ status: 'running' }).execute();
  await importer.workOff('crypto');
  expect(await imports()).toMatchObject([{ status: 'done', rows: 744 }]);
});

test('a canceled import is not started, and an ended one cannot be canceled', async () => {
  const { id } = (await request()).body as { id: string };
  const cancel = () => account.http('POST', `/api/history/imports/${id}/cancel`);
  expect((await cancel()).body).toEqual({ ok: true, id });
  await importer.workOff('crypto');
  expect(await imports()).toMatchObject([{ status: 'canceled', rows: 0 }]);
  expect(await cancel()).toMatchObject({ status: 403, body: { error: { code: 'invalid_state' } } });
});

test('an impossible import is refused with the reason, and a refusal of the venue is its failure', async () => {
  const refused = async (more: object, path: string) =>
    expect((await request({ ...BODY, ...more })).body).toMatchObject({
      error: { code: 'validation_failed', issues: [{ path }] },
    });
  await refused({ interval: '7m' }, '/interval');
  await refused({ tokenId: 'nothing of this form' }, '/tokenId');
  await refused({ to: BODY.from }, '/to');
  const large = await request({ ...BODY, interval: '1s', from: '2020-01-01T00:00:00Z' });
  expect(large).toMatchObject({ status: 403, body: { error: { code: 'quota_exceeded' } } });
  await request({ ...BODY, tokenId: 'NOSUCHCOIN' });
  await importer.workOff('crypto');
  expect(await imports()).toMatchObject([{ status: 'failed', failure: 'crypto has no symbol NOSUCHCOIN' }]);
  for (let count = 0; count < 10; count += 1) expect((await request()).status).toBe(200);
  expect(await request()).toMatchObject({ status: 403, body: { error: { code: 'quota_exceeded' } } });
});

test('a long import yields to another account after its turn, and continues from there', async () => {
  const other = await world.account();
  const months = { ...BODY, from: '2026-06-03T00:00:00Z', to: '2026-08-04T00:00:00Z' };
  await request(months);
  await request(months);
  await other.http('POST', '/api/history/import', BODY);
  const hurried = new HistoryImportWorker({ ...contextOf(runnerOptions()), turnMs: 0 }, new LogOnce(quiet));
  await hurried.workOff('crypto');
  const all = await world.db.selectFrom('history_import').selectAll().orderBy('served_at').execute();
  expect(all.map(({ account_id, status, rows }) => [account_id, status, rows])).toEqual([
    [other.work.accountId, 'done', 744],
    [account.work.accountId, 'done', 30 * 24 + 31 * 24],
    [account.work.accountId, 'done', 0],
  ]);
});

test('rows count in the share of the account whose import stored them', async () => {
  await request();
  await importer.workOff('crypto');
  const chunks = await world.db.selectFrom('history_chunk').select('paid_by').execute();
  expect(chunks).toEqual([{ paid_by: account.work.accountId }]);
});

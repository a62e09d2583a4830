import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Archive } from '../../engine/platform/archive/archive.ts';
import { archiveAccount } from '../../engine/usecases/archive/archive-account.ts';
import { folderStore } from '../../server/kernel/archive/folder-store.ts';
import { expectOk } from '../support/api.ts';
import { archiveNow } from '../support/archive-now.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { addBlueprint, hold, openMarket } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'archive-service-'));
afterAll(() => rmSync(dir, { recursive: true }));
const folder = path.join(dir, 'archive');
const ARCHIVE_URL = `file://${folder}`;
const world = openedForFile(() => openWorld({ settings: { ARCHIVE_URL } }));
let account: Account;
let id: string;
let before: unknown;
let history: unknown;
beforeAll(async () => {
  await openMarket(world);
  account = await world.account();
  await hold(world, account, { blueprintId: await addBlueprint(account), amount: '0.01' });
  const { rows } = await sql<{ id: string }>`select id from trade_order`.execute(world.db);
  id = rows[0]?.id ?? '';
  before = expectOk(await account.http('GET', `/api/orders/${id}`));
  await sql`insert into equity_point (account_id, mode, at, equity, cash, realized_pnl, unrealized_pnl)
    select ${account.accountId}, 'paper', date_trunc('hour', now()) - n * interval '70 days', 10000 + n, 10000, 0, n
    from generate_series(0, 4) n`.execute(world.db);
  history = expectOk(await account.http('GET', '/api/portfolio/history?range=all'));
  expect(await archiveNow(world.db, folderStore(folder), account.accountId)).toEqual([id]);
  const kinds: string[] = [];
  for await (const { what } of archiveAccount(world.db, new Archive(folderStore(folder)), account.accountId))
    kinds.push(what);
  expect(kinds).toEqual(['points', 'points', 'points']);
});

test('an archived order and the whole history of equity are answered as before', async () => {
  expect(before).toMatchObject({ receipt: { lines: expect.anything() } });
  expect(expectOk(await account.http('GET', `/api/orders/${id}`))).toEqual(before);
  expect(expectOk(await account.http('GET', '/api/portfolio/history?range=all'))).toEqual(history);
  expect(history).toHaveLength(6);
});

test('verify-ledger says what to do without the archive, and finds a file that is gone', async () => {
  const verify = (settings: Record<string, string>) =>
    runCommand('verify-ledger', [], { ...settingsOf(world.database), ...settings });
  expect(await verify({})).toMatchObject({ code: 1, stderr: expect.stringContaining('archive') });
  const file = path.join(folder, 'orders', account.accountId);
  renameSync(file, `${file}.away`);
  const found = await verify({ ARCHIVE_URL });
  renameSync(`${file}.away`, file);
  expect(found.code).toBe(1);
  expect(`${found.stdout}${found.stderr}`).toContain('is missing');
});

test('a process that has not read the files yet refuses what is in them alone while the archive is away', async () => {
  const later = await world.another();
  renameSync(folder, `${folder}.away`);
  try {
    const base = `http://127.0.0.1:${later.address?.port}`;
    const get = (target: string) =>
      fetch(`${base}${target}`, { headers: { authorization: `Bearer ${account.key}` } });
    const archived = ['/api/portfolio/history?range=all', '/api/portfolio/statistics?range=all'];
    for (const target of [`/api/orders/${id}`, ...archived, '/api/exports?table=equity']) {
      const answer = await get(target);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ error: { code: 'archived_unavailable' } });
    }
    for (const target of ['/api/orders', '/api/portfolio/history', '/api/exports?table=fills'])
      expect((await get(target)).status).toBe(200);
  } finally {
    renameSync(`${folder}.away`, folder);
    await later.stop();
  }
});

test('npm run archive moves nothing without an archive, and with it ends well where nothing is due', async () => {
  const archive = (settings: Record<string, string>) =>
    runCommand('archive', [], { ...settingsOf(world.database), ...settings });
  expect(await archive({})).toMatchObject({ code: 1, stderr: expect.stringContaining('set ARCHIVE_URL') });
  expect(await archive({ ARCHIVE_URL })).toMatchObject({
    code: 0,
    stdout: '0 orders, 0 points of equity, 0 chunks of history and 0 of quotes are archived, 0.0 MiB.\n',
  });
  const { rows } = await sql<{ isOk: boolean }>`
    select is_ok as "isOk" from operation_run where name = 'archive'`.execute(world.db);
  expect(rows).toEqual([{ isOk: true }]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { blueprintCurve } from '../../engine/books/accounting/books-statistics.ts';
import { dailyResults } from '../../engine/books/accounting/daily-results.ts';
import { equityHistory } from '../../engine/books/accounting/equity.ts';
import { HistoryArchive, readBody, STORED_BODY } from '../../engine/history/archived-bodies.ts';
import { Archive, sha256 } from '../../engine/platform/archive/archive.ts';
import { folderStore } from '../../server/kernel/archive/folder-store.ts';
import { openedForFile } from '../support/opened.ts';
import { settingsOf } from '../support/run-command.ts';
import { openTradingFixture, type Trader } from '../support/trading-fixture.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'archive-killed-'));
afterAll(() => rmSync(dir, { recursive: true }));
const archive = new Archive(folderStore(dir));
const fixture = openedForFile(() => openTradingFixture({ archive }));
const COMMAND = path.join(import.meta.dirname, '../../server/cli/archive.ts');

async function answersOf(traders: readonly Trader[]) {
  const answers = traders.map(async ({ work, blueprintId }) => ({
    history: await equityHistory(work(), 'all', archive),
    days: await dailyResults(work(), archive),
    ofBlueprint: await blueprintCurve(work(), blueprintId, 'all', archive),
  }));
  return Promise.all(answers);
}

const files = () =>
  readdirSync(dir, { recursive: true }).filter((name) => /\.parquet$|\/[\da-f]{64}$/.test(String(name)));

/** Runs `npm run archive`, and kills it some time after its next file. Returns its exit code; null where it was killed. */
async function run(killAfterMs: number | null): Promise<number | null> {
  const env = {
    ...process.env,
    ...settingsOf(fixture.database),
    ARCHIVE_URL: `file://${dir}`,
    HISTORY_URL: `file://${dir}`,
  };
  const command = spawn(process.execPath, [COMMAND], { env, stdio: 'ignore' });
  const ended = once(command, 'exit');
  if (killAfterMs !== null) {
    const count = files().length;
    while (command.exitCode === null && files().length === count) await sleep(1);
    await sleep(killAfterMs);
    command.kill('SIGKILL');
  }
  await ended;
  return command.exitCode;
}

test('a command that is killed again and again loses and doubles no point, and of two at once one archives all', {
  tags: ['long'],
}, async () => {
  fixture.wait(Date.now() - fixture.now().getTime());
  const traders: Trader[] = [];
  for (let count = 0; count < 6; count++) traders.push(await fixture.trader());
  await sql`insert into equity_point (account_id, mode, at, equity, cash, realized_pnl, unrealized_pnl)
    select id, 'paper', date_trunc('hour', now()) - n * interval '1 hour', 10000 + n % 97, 10000, 0, n % 97
    from account, generate_series(1, 8760) n`.execute(fixture.db);
  await sql`insert into blueprint_equity (account_id, mode, blueprint_id, at, realized_pnl, unrealized_pnl, held)
    select account_id, 'paper', id, date_trunc('hour', now()) - n * interval '1 hour', 0, n % 89, 100
    from blueprint, generate_series(1, 8760) n`.execute(fixture.db);
  const before = await answersOf(traders);
  for (const killAfterMs of [0, 2, 5, 10, 20]) {
    expect(await run(killAfterMs)).toBeNull();
    expect(await answersOf(traders)).toEqual(before);
  }
  expect(await Promise.all([run(null), run(null)])).toContain(0);
  expect(await answersOf(traders)).toEqual(before);
  const { rows } = await sql`select at from equity_point where at < now() - interval '122 days'
    union select at from blueprint_equity where at < now() - interval '122 days'`.execute(fixture.db);
  expect(rows).toEqual([]);
});

test('a command that is killed again and again loses no body of a quote', { tags: ['long'] }, async () => {
  await sql`insert into quote_chunk (token_id, from_at, until_at, quotes, size_bytes, is_sealed, body)
    select 'T' || t, now() - interval '130 days' - n * interval '1 hour', now(), 1, 1600, true,
      decode(repeat(md5(t || ' ' || n), 100), 'hex')
    from generate_series(1, 8) t, generate_series(1, 1500) n`.execute(fixture.db);
  const bodies = async () => {
    const history = new HistoryArchive(folderStore(dir));
    const rows = await fixture.db
      .selectFrom('quote_chunk')
      .select(STORED_BODY)
      .orderBy('token_id')
      .orderBy('from_at')
      .execute();
    const digests: string[] = [];
    for (const row of rows) digests.push(sha256(await readBody(history, 'quotes', row)));
    return digests;
  };
  const before = await bodies();
  for (const killAfterMs of [0, 2, 5, 10, 20]) {
    expect(await run(killAfterMs)).toBeNull();
    expect(await bodies()).toEqual(before);
  }
  expect(await run(null)).toBe(0);
  expect(await bodies()).toEqual(before);
  const { rows } = await sql`select from quote_chunk where body is not null`.execute(fixture.db);
  expect(rows).toEqual([]);
});

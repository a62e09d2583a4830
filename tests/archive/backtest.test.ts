import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HistoryArchive } from '../../engine/history/archived-bodies.ts';
import { appendQuotes, sealHours } from '../../engine/history/quote-log.ts';
import { readBacktest } from '../../engine/research/backtests/row.ts';
import { parseArchiveUrl } from '../../server/kernel/archive/location.ts';
import { openHistoryArchive } from '../../server/kernel/archive/open-archive.ts';
import { BacktestStepper } from '../../server/workers/research/backtest-stepper.ts';
import { expectOk } from '../support/api.ts';
import { CROSSES, storeWaves, waveCandles } from '../support/backtests.ts';
import { quoteOf } from '../support/contracts.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { runQueued } from '../support/run-queued.ts';
import { SILENT_LOG } from '../support/silent-log.ts';
import { type Account, openWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BAR_MS = 300_000;
const HOURS = 10;
const dir = mkdtempSync(path.join(tmpdir(), 'archive-backtest-'));
afterAll(() => rmSync(dir, { recursive: true }));
const folder = path.join(dir, 'history');
const HISTORY_URL = `file://${folder}`;
const world = openedForFile(() => openWorld({ settings: { HISTORY_URL } }));

const now = new Date();
/** A whole month, half a year ago. */
const MONTH = {
  fromMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 6, 1),
  toMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 5, 1),
};
const FROM_MS = MONTH.fromMs + 5 * DAY_MS;
const SPAN = { from: new Date(FROM_MS).toISOString(), to: new Date(FROM_MS + HOURS * HOUR_MS).toISOString() };

let account: Account;
beforeAll(async () => {
  account = await world.account();
  await storeWaves(world.db, MONTH);
  // Quotes every five seconds, so that the run is priced by them.
  const { columns } = waveCandles(FROM_MS, HOURS * 12);
  const quotes = Array.from({ length: (HOURS * HOUR_MS) / 5_000 }, (_, at) => {
    const price = columns.open[Math.floor((at * 5_000) / BAR_MS)] ?? 0;
    return quoteOf({ atMs: FROM_MS + at * 5_000, bid: price, bidSize: 1, ask: price + 1, askSize: 1 });
  });
  expectOk(
    await account.http('PUT', '/api/risk-rules', {
      maxOrderSize: 1_000,
      maxOpenPositions: 100,
      maxOrdersPerMinute: 100,
      maxDailyLoss: 10_000,
      cooldownAfterLossSec: 0,
      requireApprovalAbove: 1_000,
    }),
  );
  await appendQuotes(world.db, [{ tokenId: 'BTCUSDT', quotes }]);
  await sealHours(world.db, new Date());
});

type Backtest = { id: string; status: string; resultHash: string; requestHash: string; failure: unknown };
const archived = () => openHistoryArchive({ historyArchive: parseArchiveUrl(HISTORY_URL) });
const logged: { fields: object; message: string }[] = [];
async function run(historyArchive = archived()) {
  const log = { ...SILENT_LOG, error: (fields: object, message: string) => logged.push({ fields, message }) };
  const process = runQueued(world, { historyArchive, log });
  const body = { visual: CROSSES, ...SPAN, fresh: true };
  const { id } = expectOk(await account.http('POST', '/api/backtests', body)) as Backtest;
  process.wake();
  const read = async () => expectOk(await account.http('GET', `/api/backtests/${id}`)) as Backtest;
  await expect
    .poll(async () => (await read()).status, { timeout: 60_000, interval: 50 })
    .toMatch(/done|failed|canceled/);
  await process.stop();
  return read();
}

test('a backtest over archived history and quotes has the hashes of before, its pages too, and fails by name without the archive', {
  tags: ['long'],
}, async () => {
  const before = await run(null);
  expect(before, JSON.stringify(before.failure)).toMatchObject({ status: 'done' });
  const report = async () => (await account.http('GET', `/api/backtests/${before.id}/report.html`)).text;
  const file = `/api/history/export?tokenId=BTCUSDT&interval=5m`;
  const exported = async () => (await account.http('GET', file)).text;
  const pages = [await report(), await exported()];
  expect(pages[0]).toContain('Price, with fills');

  const command = await runCommand('archive', [], { ...settingsOf(world.database), HISTORY_URL });
  expect(command).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 chunks of history and 1 of quotes'),
  });
  const { rows } = await sql`select body from history_chunk union all select body from quote_chunk`.execute(
    world.db,
  );
  expect(rows).toEqual(Array(2).fill({ body: null }));

  const after = await run();
  expect(after).toMatchObject({
    status: 'done',
    resultHash: before.resultHash,
    requestHash: before.requestHash,
  });
  expect([await report(), await exported()]).toEqual(pages);

  // An outage of a moment delays the run, and says nothing.
  let failures = 2;
  const store = archived()?.store;
  if (store === undefined) throw new Error('There is an archive.');
  const flaky = new HistoryArchive({
    write: store.write,
    read: (name, bytesMax) => {
      failures -= 1;
      return failures < 0 ? store.read(name, bytesMax) : Promise.reject(new Error('ECONNRESET'));
    },
  });
  expect(await run(flaky)).toMatchObject({ status: 'done', resultHash: before.resultHash });
  expect(logged).toEqual([]);

  renameSync(folder, `${folder}.away`);
  expect(await run()).toMatchObject({
    status: 'failed',
    failure: {
      code: 'no_history',
      message: expect.stringContaining('is in the archive, which does not answer'),
    },
  });
  // The log names the file and the reason, the caller reads neither.
  expect(logged).toEqual([
    {
      fields: {
        backtestId: expect.any(String),
        error: expect.stringMatching(
          /(?:history|quotes)\/[\da-f]{2}\/[\da-f]{64} could not be read: Error: /,
        ),
      },
      message: 'stored data could not be read',
    },
  ]);
  const later = await world.another();
  const url = `http://127.0.0.1:${later.address?.port}`;
  for (const target of [`/api/backtests/${before.id}/report.html`, file]) {
    const answer = await fetch(`${url}${target}`, { headers: { authorization: `Bearer ${account.key}` } });
    expect(answer.status, target).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: 'archived_unavailable' } });
  }
  await later.stop();
  renameSync(`${folder}.away`, folder);
});

test('a step whose time is over while it reads old data is refused by name', async () => {
  const { id } = expectOk(
    await account.http('POST', '/api/backtests', { visual: CROSSES, ...SPAN, fresh: true }),
  ) as Backtest;
  const stepper = new BacktestStepper(world.db, world.market, null);
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('late')));
  await expect(stepper.step(await readBacktest(account.work, id), SPAN.to)).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message: expect.stringContaining('takes too long'),
  });
  timeout.mockRestore();
  await stepper.close();
});

import { beforeEach, expect, test } from 'vitest';
import { readHistory } from '../../engine/history/store.ts';
import { recordPriceSource } from '../../engine/platform/price-source.ts';
import { LockSession } from '../../server/kernel/rounds/lock-session.ts';
import { createMissingHistoryImporter } from '../../server/workers/research/import-missing-history.ts';
import { expectOk } from '../support/api.ts';
import { CROSSES } from '../support/backtests.ts';
import { openedForEachTest } from '../support/opened.ts';
import { runQueued } from '../support/run-queued.ts';
import { type Account, openWorld } from '../support/world.ts';

const NOW = Date.UTC(2026, 8, 20, 9, 30);
const SPAN = { from: '2026-09-03T00:00:00Z', to: '2026-09-04T00:00:00Z' };
const RANGE = { fromMs: Date.parse(SPAN.from), toMs: Date.parse(SPAN.to) };
const KEY = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: 300_000 } as const;

const world = openedForEachTest(openWorld);
let account: Account;
beforeEach(async () => {
  world.market.simulator?.clock.pin(NOW / 1_000);
  await recordPriceSource(world.db, 'simulator', new Date(1));
  account = await world.account();
});

const importer = () => createMissingHistoryImporter(world.pool, world.market, Number.POSITIVE_INFINITY);
const held = () => readHistory(world.db, KEY, RANGE);

test('a run without stored history fetches it from the venue, and completes', {
  tags: ['long'],
}, async () => {
  const running = runQueued(world, { importHistory: importer() });
  try {
    const request = { visual: CROSSES, ...SPAN, checks: false };
    const { id } = expectOk(await account.http('POST', '/api/backtests', request)) as { id: string };
    running.wake();
    const tell = async () => expectOk(await account.http('GET', `/api/backtests/${id}`)) as object;
    await expect.poll(tell, { timeout: 30_000, interval: 50 }).toMatchObject({
      status: 'done',
      failure: null,
      coverage: [{ tokenId: 'BTCUSDT', source: 'simulator' }],
    });
    expect((await held())?.missing).toEqual([]);
  } finally {
    await running.stop();
  }
});

test('a run waits for missing history until no other import from its venue runs, and at most until its own deadline', {
  tags: ['long'],
}, async () => {
  const other = new LockSession(world.pool, 'import-crypto', 8_000);
  expect(await other.hold()).toBe(true);
  // Long enough for the whole import if nothing delays it.
  const given = importer()(
    { key: KEY, ...RANGE, accountId: account.work.accountId },
    AbortSignal.timeout(1_000),
  );
  await expect(given).rejects.toThrow();
  expect(await held()).toBeNull();
  const waiting = importer()(
    { key: KEY, ...RANGE, accountId: account.work.accountId },
    new AbortController().signal,
  );
  await other.close();
  await waiting;
  expect((await held())?.missing).toEqual([]);
});

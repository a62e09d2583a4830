import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../support/api.ts';
import { CROSSES, storeWaves } from '../support/backtests.ts';
import { expectFillsAfterLatency } from '../support/expect-fills-after-latency.ts';
import { openedForFile } from '../support/opened.ts';
import { runQueued } from '../support/run-queued.ts';
import { type Account, openWorld } from '../support/world.ts';

const PROCESS = fileURLToPath(new URL('./backtest-process.ts', import.meta.url));
const DAY_MS = 86_400_000;
const FROM_MS = Date.parse('2026-03-01T00:00:00Z');
const DAYS = 60;
/** Kills, each at another point of a run. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 10);
const SEED = Number(process.env['FAULT_SEED'] ?? 7);

const world = openedForFile(openWorld);
let account: Account;
beforeAll(async () => {
  account = await world.account();
  await storeWaves(world.db, { fromMs: FROM_MS - DAY_MS, toMs: FROM_MS + DAYS * DAY_MS });
});

async function start(): Promise<string> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const body = { visual: CROSSES, from: iso(FROM_MS), to: iso(FROM_MS + DAYS * DAY_MS), fresh: true };
  return (expectOk(await account.http('POST', '/api/backtests', body)) as { id: string }).id;
}

type BacktestView = {
  status: string;
  resultHash: string | null;
  startedAt: string;
  finishedAt: string;
  failure: unknown;
};
const readBacktest = async (id: string) =>
  expectOk(await account.http('GET', `/api/backtests/${id}`)) as BacktestView;
async function done(id: string): Promise<BacktestView> {
  await expect
    .poll(async () => (await readBacktest(id)).status, { timeout: 120_000, interval: 100 })
    .not.toMatch(/queued|running/);
  const backtest = await readBacktest(id);
  expect(backtest, JSON.stringify(backtest.failure)).toMatchObject({ status: 'done' });
  return backtest;
}

async function open(): Promise<ChildProcess> {
  const child = fork(PROCESS, [JSON.stringify({ connection: world.database.connection })]);
  await once(child, 'message');
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Pseudo-random numbers, the same for a seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('row 25: in 1,000 random runs nothing is filled before its decision and the latency after it', () => {
  expectFillsAfterLatency(1_000);
}, 600_000);

test('row 34: fifty canceled runs leave no thread and nothing that runs', async () => {
  const running = runQueued(world, { threads: 2 });
  const threads = () => readdirSync('/proc/self/task').length;
  let after10 = 0;
  for (let canceled = 1; canceled <= 50; canceled++) {
    const id = await start();
    running.wake();
    await expect
      .poll(async () => (await readBacktest(id)).status, { timeout: 60_000, interval: 5 })
      .not.toBe('queued');
    await account.http('POST', `/api/backtests/${id}/cancel`);
    running.wake();
    await expect
      .poll(async () => (await readBacktest(id)).status, { timeout: 60_000, interval: 20 })
      .toMatch(/canceled|done/);
    if (canceled === 10) after10 = threads();
  }
  // Allows for the second worker, or one that is just ending: one left behind by each of the others would be forty.
  expect(threads()).toBeLessThan(after10 + 10);
  await done(await start());
  await running.stop();
}, 600_000);

test(`row 33: killed at ${KILLS} points, a run restarts each time and gives the same bytes, once (seed ${SEED})`, async () => {
  let child = await open();
  const { resultHash, startedAt, finishedAt } = await done(await start());
  const lastsMs = Date.parse(finishedAt) - Date.parse(startedAt);
  const random = randomOf(SEED);
  for (let killed = 0; killed < KILLS; killed++) {
    const id = await start();
    await expect
      .poll(async () => (await readBacktest(id)).status, { timeout: 60_000, interval: 5 })
      .toBe('running');
    await sleep(random() * lastsMs);
    await kill(child);
    child = await open();
    expect(await done(id)).toMatchObject({ resultHash });
    const { rows } = await sql<{ rows: number; last: number; parts: number; seqs: number }>`
      select sum(rows)::int as rows, max(first_row + rows)::int as last, count(*)::int as parts, max(seq) + 1 as seqs
      from backtest_part where backtest_id = ${id} group by kind`.execute(world.db);
    for (const { rows: count, last, parts, seqs } of rows) expect([count, parts]).toEqual([last, seqs]);
    const { rows: events } = await sql`select from account_event where type = 'backtest.finished'
      and payload ->> 'backtestId' = ${id}`.execute(world.db);
    expect(events).toHaveLength(1);
  }
  await kill(child);
}, 600_000);

type Swept = { status: string; trials: number; failure: unknown; result: unknown };

test(`a sweep that is killed at ${KILLS} points resumes each time, with the same trials and the same outcome (seed ${SEED})`, async () => {
  const iso = (ms: number) => new Date(ms).toISOString();
  const dimension = { pointer: '/nodes/1/data/config/period', values: [4, 5, 6, 7, 8, 9, 10, 11] };
  const body = {
    visual: CROSSES,
    from: iso(FROM_MS),
    to: iso(FROM_MS + DAYS * DAY_MS),
    space: { dimensions: [dimension] },
    objective: { statistic: 'totalReturn', minTrades: 0 },
  };
  const begin = async () => (expectOk(await account.http('POST', '/api/sweeps', body)) as { id: string }).id;
  const readSweep = async (id: string) => expectOk(await account.http('GET', `/api/sweeps/${id}`)) as Swept;
  const ended = async (id: string) => {
    await expect
      .poll(async () => (await readSweep(id)).status, { timeout: 120_000, interval: 100 })
      .not.toMatch(/queued|running/);
    const { rows } = await sql<{ rows: unknown }>`
      select md5(string_agg(concat(t.result_hash, t.figures), ',' order by t.number)) || md5(max(s.outcome::text)) as rows
      from sweep_trial t join sweep s on s.id = t.sweep_id where t.sweep_id = ${id}`.execute(world.db);
    const { status, trials, failure } = await readSweep(id);
    expect({ status, trials, failure }).toEqual({
      status: 'done',
      trials: dimension.values.length,
      failure: null,
    });
    return rows[0]?.rows;
  };
  account = await world.account();
  let child = await open();
  const startedMs = performance.now();
  const undisturbed = await ended(await begin());
  const lastsMs = performance.now() - startedMs;
  const random = randomOf(SEED);
  for (let killed = 0; killed < KILLS; killed++) {
    // Earlier trials of an account count in the deflated Sharpe ratio, so each sweep has an account of its own.
    account = await world.account();
    const id = await begin();
    await expect
      .poll(async () => (await readSweep(id)).status, { timeout: 60_000, interval: 5 })
      .toBe('running');
    await sleep(random() * lastsMs);
    await kill(child);
    child = await open();
    expect(await ended(id)).toBe(undisturbed);
  }
  await kill(child);
}, 600_000);

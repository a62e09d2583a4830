import { randomUUID } from 'node:crypto';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventsAfter, latestEventSeq } from '../../engine/platform/events/event-stream.ts';
import type { Lease } from '../../engine/platform/jobs/queue.ts';
import { annotateBacktest, cancelBacktest, deleteBacktest } from '../../engine/research/backtests/change.ts';
import {
  claimBacktests,
  endBacktest,
  extendBacktest,
  requeueBacktest,
  storePart,
} from '../../engine/research/backtests/queue.ts';
import { listBacktests, readRows } from '../../engine/research/backtests/read.ts';
import { type BacktestRow, readBacktest } from '../../engine/research/backtests/row.ts';
import { GRAPHS_BYTES_MAX } from '../../engine/research/backtests/start.ts';
import { claimSweeps } from '../../engine/research/sweeps/queue.ts';
import { readSweep, type SweepRow } from '../../engine/research/sweeps/row.ts';
import { BacktestJob, type BacktestWorkers } from '../../server/workers/research/job.ts';
import { type SweepContext, SweepJob } from '../../server/workers/research/sweep-job.ts';
import { WorkerPool } from '../../server/workers/research/worker-pool.ts';
import { expectOk } from '../support/api.ts';
import { addBacktest, CROSSES, partsOf, queueBacktest, resultOf, storeWaves } from '../support/backtests.ts';
import { openedForFile } from '../support/opened.ts';
import { queueSweep } from '../support/sweeps.ts';
import { description } from '../support/undescribed-parts.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;
beforeEach(async () => {
  account = await world.account();
});
afterEach(async () => {
  await sql`delete from backtest`.execute(world.db);
  await sql`delete from sweep`.execute(world.db);
});

/** Two days of a graph that trades. */
const SPAN = { visual: CROSSES, from: '2026-03-02T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' };
const LEASE_MS = 60_000;
const claim = (owner: string, count = 10): Promise<BacktestRow[]> =>
  claimBacktests(world.db, { owner, count, leaseMs: LEASE_MS });
const leaseOf = ({ id, attempts }: BacktestRow, owner: string): Lease => ({ id, owner, attempt: attempts });
const expire = () =>
  sql`update backtest set leased_until = now() - interval '1 s' where status = 'running'`.execute(world.db);
const beat = { phase: 'running', progress: null } as const;
const [part] = partsOf(resultOf(3));
if (part === undefined) throw new Error('A result has parts.');

describe('row 35: backtests of one account', () => {
  test('two run at once and the third waits, however many processes poll; another account’s first starts before this one’s second', async () => {
    const mine = [];
    for (let count = 0; count < 4; count++) mine.push(await queueBacktest(account.work));
    const other = await world.account();
    const theirs = await queueBacktest(other.work);
    const [one, ...nothing] = [await claim(randomUUID(), 2), ...(await claim(randomUUID(), 0))];
    expect(nothing).toEqual([]);
    expect(one.map(({ id }) => id)).toEqual([mine[0], theirs]);
    expect((await claim(randomUUID())).map(({ id }) => id)).toEqual([mine[1]]);
    expect(await claim(randomUUID())).toEqual([]);
  });

  test('runs do not delay another account’s first run: it starts beside them, and its second waits', async () => {
    for (let count = 0; count < 2; count++) await queueBacktest(account.work);
    expect(await claim(randomUUID())).toHaveLength(2);
    await queueBacktest(account.work);
    const other = await world.account();
    const theirs = [await queueBacktest(other.work), await queueBacktest(other.work)];
    const beside = () =>
      claimBacktests(world.db, { owner: randomUUID(), count: 0, spare: 2, leaseMs: LEASE_MS });
    expect((await beside()).map(({ id }) => id)).toEqual(theirs.slice(0, 1));
    expect(await beside()).toEqual([]);
  });

  test('processes that poll at the same time claim each backtest once, and two at most', async () => {
    for (let count = 0; count < 5; count++) await queueBacktest(account.work);
    const claimed = (await Promise.all(Array.from({ length: 6 }, () => claim(randomUUID(), 1)))).flat();
    const more = await claim(randomUUID());
    const ids = [...claimed, ...more].map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  test('ten wait and the eleventh is refused with rule, limit and value', async () => {
    for (let count = 0; count < 10; count++) await queueBacktest(account.work);
    await expect(queueBacktest(account.work)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: '10 backtests of the account wait, of at most 10. Wait until one begins, or cancel one.',
    });
  });

  test('200 are stored: a new one deletes the oldest that ended and is not pinned', async () => {
    const first = await addBacktest(world.pool, account.work);
    const second = await addBacktest(world.pool, account.work);
    await sql`insert into backtest (account_id, id, name, request, request_hash, visual, terms, status, finished_at, created_at)
      select account_id, gen_random_uuid(), name, request, request_hash, visual, terms, 'canceled', now(), now() + n * interval '1 ms'
      from backtest, generate_series(1, 198) as n where id = ${second}`.execute(world.db);
    await annotateBacktest(account.work, first, { pinned: true });
    await queueBacktest(account.work);
    await expect(readBacktest(account.work, second)).rejects.toMatchObject({ code: 'not_found' });
    await expect(readBacktest(account.work, first)).resolves.toMatchObject({ is_pinned: true });
    await sql`update backtest set is_pinned = true`.execute(world.db);
    await expect(queueBacktest(account.work)).rejects.toMatchObject({ code: 'quota_exceeded' });
  });
});

describe('the graphs of backtests', () => {
  test('an account’s graphs take at most 16 MiB: a new one deletes the oldest that ended and is not pinned', async () => {
    const [first, second, third] = [
      await addBacktest(world.pool, account.work),
      await addBacktest(world.pool, account.work),
      await addBacktest(world.pool, account.work),
    ];
    // Hexadecimal digits of digests: compressed they take half of their size.
    await sql`update backtest set status = 'canceled', finished_at = now(),
      visual = jsonb_build_array((select string_agg(md5(n::text || id), '') from generate_series(1, 205000) as n))`.execute(
      world.db,
    );
    const { rows } = await sql<{
      bytes: number;
    }>`select pg_column_size(visual) as bytes from backtest`.execute(world.db);
    expect(Math.min(...rows.map(({ bytes }) => bytes))).toBeGreaterThan(GRAPHS_BYTES_MAX / 3);
    await annotateBacktest(account.work, first, { pinned: true });
    await queueBacktest(account.work);
    await expect(readBacktest(account.work, second)).rejects.toMatchObject({ code: 'not_found' });
    for (const id of [first, third])
      await expect(readBacktest(account.work, id)).resolves.toMatchObject({ id });
    await sql`update backtest set is_pinned = true, visual = visual || visual where id in (${first}, ${third})`.execute(
      world.db,
    );
    await expect(queueBacktest(account.work)).rejects.toMatchObject({ code: 'quota_exceeded' });
  });
});

describe('a lost lease', () => {
  test('lets another process restart the run, and the former holder writes nothing and ends nothing', async () => {
    const id = await queueBacktest(account.work);
    const [slow, quick] = [randomUUID(), randomUUID()];
    const [before] = await claim(slow);
    const old = leaseOf(before as BacktestRow, slow);
    expect(await storePart(account.work, old, part)).toBe(true);
    await expire();
    const [after] = await claim(quick);
    const fresh = leaseOf(after as BacktestRow, quick);
    expect(fresh).toEqual({ id, owner: quick, attempt: 2 });
    expect(await readRows(account.work, id, { kind: part.kind, from: 0, limit: 10 })).toEqual([]);
    const { summary } = resultOf(3);
    const done = { status: 'done', summary, storedBytes: 1 } as const;
    expect(await storePart(account.work, old, part)).toBe(false);
    expect(await endBacktest(account.work, old, done)).toBe(false);
    expect(await extendBacktest(account.work, old, beat, LEASE_MS)).toBe('lost');
    await requeueBacktest(account.work, old, true);
    expect(await storePart(account.work, fresh, part)).toBe(true);
    expect(await endBacktest(account.work, fresh, done)).toBe(true);
    expect(await endBacktest(account.work, fresh, done)).toBe(false);
    expect(await readBacktest(account.work, id)).toMatchObject({ status: 'done', lease_owner: null });
  });

  test('is not counted as a failure when the process gives it back undamaged', async () => {
    await queueBacktest(account.work);
    const owner = randomUUID();
    const [row] = await claim(owner);
    await requeueBacktest(account.work, leaseOf(row as BacktestRow, owner), false);
    expect(await claim(owner)).toMatchObject([{ attempts: 1 }]);
  });
});

describe('a request to cancel', () => {
  test('ends queued runs at once, reports them, and is refused where all have ended', async () => {
    const id = await queueBacktest(account.work);
    const seq = await latestEventSeq(account.work);
    await cancelBacktest(account.work, id);
    expect(await readBacktest(account.work, id)).toMatchObject({ status: 'canceled', started_at: null });
    expect(await eventsAfter(account.work, seq)).toMatchObject([
      { type: 'backtest.finished', mode: null, payload: { backtestId: id, status: 'canceled' } },
    ]);
    await expect(cancelBacktest(account.work, id)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('reaches the process that runs it with the next heartbeat', async () => {
    const id = await queueBacktest(account.work);
    const owner = randomUUID();
    const [row] = await claim(owner);
    const lease = leaseOf(row as BacktestRow, owner);
    expect(await extendBacktest(account.work, lease, beat, LEASE_MS)).toBe('extended');
    await cancelBacktest(account.work, id);
    await cancelBacktest(account.work, id);
    expect(await extendBacktest(account.work, lease, beat, LEASE_MS)).toBe('canceled');
  });
});

test('a running one is not deleted; an ended one is deleted with all of its rows', async () => {
  const running = await queueBacktest(account.work);
  await claim(randomUUID());
  await expect(deleteBacktest(account.work, running)).rejects.toMatchObject({ code: 'invalid_state' });
  const done = await addBacktest(world.pool, account.work);
  await deleteBacktest(account.work, done);
  const { rows } = await sql`select from backtest_part where backtest_id = ${done}`.execute(world.db);
  expect(rows).toEqual([]);
  expect((await listBacktests(account.work, { limit: 10, after: null })).map(({ id }) => id)).toEqual([
    running,
  ]);
});

test('row 31: another account’s run cannot be read, changed or canceled', async () => {
  const id = await addBacktest(world.pool, account.work);
  const { work } = await world.account();
  expect(await listBacktests(work, { limit: 10, after: null })).toEqual([]);
  for (const attempt of [
    () => readBacktest(work, id),
    () => readRows(work, id, { kind: 'trade', from: 0, limit: 10 }),
    () => cancelBacktest(work, id),
    () => deleteBacktest(work, id),
    () => annotateBacktest(work, id, { notes: 'mine' }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
});

test('row 31: another account’s runs and sweeps are found on no path, and lists are empty', async () => {
  const id = await addBacktest(world.pool, account.work);
  const body = {
    ...SPAN,
    space: { dimensions: [{ pointer: '/nodes/1/data/config/period', values: [4, 5] }] },
  };
  const sweep = expectOk(await account.http('POST', '/api/sweeps', body)) as { id: string };
  const other = await world.account();
  const wrong: string[] = [];
  for (const [path, operations] of Object.entries(description.paths)) {
    const own = /^\/api\/(backtests|sweeps)\b/.exec(path)?.[1];
    const query = path.endsWith('/compare') ? `?ids=${id},${id}` : '';
    if (own === undefined || (!path.includes('{id}') && query === '')) continue;
    for (const method of Object.keys(operations)) {
      const target = path.replace('{id}', own === 'sweeps' ? sweep.id : id) + query;
      const sent = path.endsWith('/apply')
        ? { number: 0 }
        : method === 'patch'
          ? { notes: 'mine' }
          : undefined;
      const { status } = await other.http(method.toUpperCase(), target, sent);
      if (status !== 404) wrong.push(`${method} ${path}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
  for (const list of ['/api/backtests', '/api/sweeps'])
    expect(expectOk(await other.http('GET', list))).toEqual([]);
});

test('a run whose thread dies is restarted, and a run that kills each of its threads fails', async () => {
  await storeWaves(world.db, { fromMs: Date.parse(SPAN.from) - 86_400_000, toMs: Date.parse(SPAN.to) });
  const { id } = expectOk(await account.http('POST', '/api/backtests', SPAN)) as { id: string };
  const owner = randomUUID();
  const context = {
    db: world.db,
    market: world.market,
    importHistory: async () => {},
    historyArchive: null,
    workers: new WorkerPool({
      module: new URL('data:text/javascript,import("node:process").then((process) => process.exit(7))'),
      size: 1,
      memoryMb: 64,
    }) as BacktestWorkers,
    owner,
    leaseMs: LEASE_MS,
    heartbeatMs: 1_000,
    runMs: LEASE_MS,
    onProgress: () => {},
    log: { error: () => {} },
  };
  for (let attempt = 1; attempt <= 4; attempt++) {
    const [row] = await claim(owner);
    expect(row?.attempts).toBe(attempt);
    await new BacktestJob(context, account.work, row as BacktestRow).run();
    expect((await readBacktest(account.work, id)).status).toBe(attempt < 4 ? 'queued' : 'failed');
  }
  expect((await readBacktest(account.work, id)).failure).toEqual({
    code: 'internal',
    message: 'The run was begun 3 times, and its process was lost each time.',
  });
  await context.workers.close();
});

test('while the database is unavailable a backtest or a sweep is requeued unchanged, however often', async () => {
  const away = () => Promise.reject(new Error('Connection terminated due to connection timeout'));
  const owner = randomUUID();
  const context = {
    db: world.db,
    market: world.market,
    importHistory: away,
    historyArchive: null,
    workers: { run: away } as unknown as BacktestWorkers & SweepContext['workers'],
    owner,
    leaseMs: LEASE_MS,
    heartbeatMs: 1_000,
    runMs: LEASE_MS,
    sweepMs: LEASE_MS,
    threads: 1,
    onProgress: () => {},
    log: { error: () => {} },
  };
  // No history of the span is stored: it would be fetched.
  const span = { ...SPAN, from: '2020-03-02T00:00:00.000Z', to: '2020-03-04T00:00:00.000Z' };
  const { id } = expectOk(await account.http('POST', '/api/backtests', span)) as { id: string };
  const sweepId = await queueSweep(account.work);
  for (let time = 0; time < 5; time++) {
    const [row] = await claim(owner);
    expect(row).toMatchObject({ id, attempts: 1 });
    await new BacktestJob(context, account.work, row as BacktestRow).run();
    const [sweep] = await claimSweeps(world.db, { owner, count: 1, leaseMs: LEASE_MS });
    expect(sweep).toMatchObject({ id: sweepId, attempts: 1 });
    await new SweepJob(context, account.work, sweep as SweepRow).run();
  }
  expect(await readBacktest(account.work, id)).toMatchObject({ status: 'queued', failure: null });
  expect(await readSweep(account.work, sweepId)).toMatchObject({ status: 'queued', failure: null });
});

test('a thread that never reports is ended once no caller waits for it, and the next task gets another', async () => {
  const answers =
    'import("node:worker_threads").then(({ parentPort }) => parentPort.on("message", ({ task }) => {';
  const module = new URL(
    `data:text/javascript,${answers} while (task === "hang") {} parentPort.postMessage({ answer: task }); }))`,
  );
  const pool = new WorkerPool<string, never, string>({ module, size: 1, memoryMb: 64 });
  const stopping = new AbortController();
  const hanging = pool.run('hang', { account: 'a', signal: stopping.signal });
  const next = pool.run('next', { account: 'b', signal: new AbortController().signal });
  stopping.abort();
  expect(await hanging).toEqual({ kind: 'stopped' });
  expect(await next).toEqual({ kind: 'answered', answer: 'next' });
  await pool.close();
});

test('a task that uses all threads of its account uses none of another’s', async () => {
  const module = new URL(
    'data:text/javascript,import("node:worker_threads").then(({ parentPort }) => parentPort.on("message", ({ task }) => {' +
      ' while (task === "hang") {} parentPort.postMessage({ answer: task }); }))',
  );
  const pool = new WorkerPool<string, never, string>({ module, size: 2, sizePerAccount: 1, memoryMb: 64 });
  const stopping = new AbortController();
  const { signal } = stopping;
  const mine = [
    pool.run('hang', { account: 'a', signal }),
    pool.run('never begun', { account: 'a', signal }),
  ];
  expect(await pool.run('other', { account: 'b', signal })).toEqual({ kind: 'answered', answer: 'other' });
  stopping.abort();
  expect(await Promise.all(mine)).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
  await pool.close();
});

test('the database rejects a result that is reported twice, or without its outcome', async () => {
  const id = await addBacktest(world.pool, account.work);
  const change = (what: string) =>
    sql`update backtest set ${sql.raw(what)} where id = ${id}`.execute(world.db);
  for (const odd of [
    `summary = null`,
    `status = 'running'`,
    `finished_at = null`,
    `failure = '{}'`,
    `stored_bytes = 33554433`,
  ])
    await expect(change(odd), odd).rejects.toThrow('violates check constraint');
});

test('a thread sees one variable of the environment: the folder of compiled code, from which it loads its modules', async () => {
  const module = new URL(
    'data:text/javascript,import { getCompileCacheDir } from "node:module"; import { parentPort } from "node:worker_threads";' +
      ' parentPort.on("message", () => parentPort.postMessage({ answer: [Object.keys(process.env), getCompileCacheDir()] }));',
  );
  enableCompileCache(path.join(os.tmpdir(), 'compiled-of-tests'));
  const pool = new WorkerPool<null, never, [string[], string]>({ module, size: 1, memoryMb: 64 });
  const outcome = await pool.run(null, { account: 'a', signal: new AbortController().signal });
  expect(outcome).toEqual({ kind: 'answered', answer: [['NODE_COMPILE_CACHE'], getCompileCacheDir()] });
  await pool.close();
});

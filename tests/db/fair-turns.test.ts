/** Each queue that serves all accounts: the first request of each account is served before the second of any. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { accountDb } from '../../db/pool.ts';
import { requestImport, takeImport } from '../../engine/history/import-queue.ts';
import { createChannel } from '../../engine/notifications/channels.ts';
import { claimChannels } from '../../engine/notifications/queue.ts';
import { claimBacktests, endBacktest } from '../../engine/research/backtests/queue.ts';
import { readBacktest } from '../../engine/research/backtests/row.ts';
import { claimSweeps, endSweep } from '../../engine/research/sweeps/queue.ts';
import { HeavyReads } from '../../server/http/heavy-reads.ts';
import { openPasswords } from '../../server/identity/passwords.ts';
import { BacktestStepper } from '../../server/workers/research/backtest-stepper.ts';
import { WorkerPool } from '../../server/workers/research/worker-pool.ts';
import { OrderTaskQueue } from '../../server/workers/trading/orders/order-task-queue.ts';
import { CROSSES, queueBacktest } from '../support/backtests.ts';
import { openedForFile } from '../support/opened.ts';
import { queueSweep } from '../support/sweeps.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let busy: Account;
let other: Account;
beforeAll(async () => {
  [busy, other] = [await world.account(), await world.account()];
});

/** Four requests: three of one account, then the first of another. */
const requests = () => [busy, busy, busy, other];
const signal = new AbortController().signal;
const LEASE = { owner: randomUUID(), leaseMs: 60_000 };

/** Sends all at once. Returns the accounts in the order in which they were served. */
async function inOrder(serve: (account: Account, note: () => void) => Promise<unknown>): Promise<string[]> {
  const served: string[] = [];
  await Promise.all(requests().map((account) => serve(account, () => served.push(account.work.accountId))));
  return served;
}

/** Takes jobs one at a time, each ended before the next is taken. Returns their accounts. */
async function oneByOne(claim: () => Promise<string | undefined>): Promise<string[]> {
  const served: string[] = [];
  for (const _ of requests()) served.push((await claim()) ?? '');
  return served;
}

const pause = () => new Promise(setImmediate);

/** By queue: the order in which the accounts' requests were served. */
const QUEUES: Readonly<Record<string, () => Promise<string[]>>> = {
  'threads of backtests and sweeps': async () => {
    const answers = 'import("node:worker_threads").then(({ parentPort }) => parentPort.on("message", () => ';
    const module = new URL(`data:text/javascript,${answers} parentPort.postMessage({ answer: 0 })))`);
    const pool = new WorkerPool<null, never, number>({ module, size: 1, memoryMb: 64 });
    try {
      return await inOrder(({ work }, note) =>
        pool.run(null, { account: work.accountId, signal }).then(note),
      );
    } finally {
      await pool.close();
    }
  },
  'steps through a backtest': async () => {
    const stepper = new BacktestStepper(world.db, world.market, null);
    const span = { visual: CROSSES, from: '2026-03-02T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' };
    const rows = new Map<Account, Awaited<ReturnType<typeof readBacktest>>>();
    for (const account of [busy, other]) {
      const { body } = await account.http('POST', '/api/backtests', span);
      rows.set(account, await readBacktest(account.work, (body as { id: string }).id));
    }
    await sql`delete from backtest`.execute(world.db);
    const rowOf = (account: Account) => rows.get(account) ?? expect.unreachable('each has a backtest');
    // Their history is not stored here: a step ends as soon as that is known.
    const served = await inOrder((account, note) => stepper.step(rowOf(account), span.to).catch(note));
    await stepper.close();
    return served;
  },
  backtests: async () => {
    for (const { work } of requests()) await queueBacktest(work);
    return oneByOne(async () => {
      const [row] = await claimBacktests(world.db, { ...LEASE, count: 1 });
      if (row === undefined) return undefined;
      const { work } = row.account_id === busy.work.accountId ? busy : other;
      const lease = { id: row.id, owner: LEASE.owner, attempt: row.attempts };
      await endBacktest(work, lease, { status: 'canceled', summary: null, storedBytes: 0 });
      return row.account_id;
    });
  },
  sweeps: async () => {
    for (const { work } of requests()) await queueSweep(work);
    return oneByOne(async () => {
      const [row] = await claimSweeps(world.db, { ...LEASE, count: 1 });
      if (row === undefined) return undefined;
      const { work } = row.account_id === busy.work.accountId ? busy : other;
      await endSweep(work, { id: row.id, owner: LEASE.owner, attempt: row.attempts }, { status: 'canceled' });
      return row.account_id;
    });
  },
  'imports of history': async () => {
    const key = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: 3_600_000 } as const;
    for (const { work } of requests())
      await requestImport(work, key, { fromMs: 0, toMs: 3_600_000 }, new Date());
    return oneByOne(async () => {
      const taken = await takeImport(world.db, 'crypto');
      await sql`update history_import set status = 'failed' where id = ${taken?.id}`.execute(world.db);
      return taken?.accountId;
    });
  },
  'channels with notifications, replayed ones among them': async () => {
    const place = { keys: world.config.credentialKeys, hasMail: true, isLoopbackAllowed: true };
    const hook = { kind: 'webhook', label: 'Hook', switches: {}, quietHours: null } as const;
    for (const [at, { work }] of requests().entries()) {
      await createChannel(work, { ...hook, url: `https://desk.example/${at}` }, place);
    }
    await sql`update notification_channel set due_at = now() - interval '1 s'`.execute(world.db);
    const taken = await oneByOne(async () => {
      const [channel] = await claimChannels(world.db, { ...LEASE, count: 1, isFailing: false });
      return channel?.account_id;
    });
    await sql`delete from notification_channel`.execute(world.db);
    return taken;
  },
  'password hashes': async () => {
    const hasher = { hash: async () => '', verify: async () => true };
    const { verify } = openPasswords(hasher);
    // Two are hashed at once; the waiting ones are served in turn.
    const blocked = [verify({ hash: 'x', password: '' }), verify({ hash: 'y', password: '' })];
    const served = await inOrder(({ work }, note) =>
      verify({ hash: work.accountId, password: '' }).then(note),
    );
    await Promise.all(blocked);
    return served;
  },
  'large answers': () => {
    const reads = new HeavyReads();
    return inOrder(async ({ work }, note) => {
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
      await reads.ofRequest((callback) => void isOver.then(callback))(work.accountId);
      note();
      await pause();
      end();
    });
  },
  'orders on paper': async () => {
    const served: string[] = [];
    const task = async ({ accountId }: { accountId: string }) => {
      await pause();
      return served.push(accountId) > 0;
    };
    const onError = (error: unknown) => expect.unreachable(String(error));
    const lane = new OrderTaskQueue({ concurrency: 1, task, onError });
    lane.take(requests().map(({ work }) => ({ accountId: work.accountId, mode: 'paper', id: randomUUID() })));
    await expect.poll(() => served).toHaveLength(4);
    await lane.stop();
    return served;
  },
  'connections of a share of the pool': () => {
    const share = world.pool.share(1);
    return inOrder(({ work }, note) => sql`select 1`.execute(accountDb(share, work.accountId)).then(note));
  },
};

/** Served at once: two large answers of an account are under way at a time. */
const AT_ONCE: Readonly<Record<string, number>> = { 'large answers': 2 };

test.each(Object.entries(QUEUES))(
  '%s: the first of each account is served before the second of any',
  async (name, serve) => {
    const served = await serve();
    expect(served).toHaveLength(4);
    const [mine, theirs] = [busy.work.accountId, other.work.accountId];
    const atOnce = AT_ONCE[name] ?? 1;
    expect(served).toEqual([...Array(atOnce).fill(mine), theirs, ...Array(3 - atOnce).fill(mine)]);
  },
);

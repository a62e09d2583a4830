import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { systemWork, type Work } from '../../engine/platform/context.ts';
import { dataHashesOf } from '../../engine/research/backtests/backtest-data.ts';
import { backtestDataNeedsOf } from '../../engine/research/backtests/backtest-data-needs.ts';
import { prepareBacktest } from '../../engine/research/backtests/prepare.ts';
import { startBacktest } from '../../engine/research/backtests/start.ts';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { verifyKey } from '../../engine/trading/keys/verify.ts';
import type { TradingSettings } from '../../engine/trading/orders/settings.ts';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import type { MarketData } from '../../venues/port.ts';
import { DAY_MS, MINUTE_MS } from '../../venues/time.ts';
import type { Auth } from '../identity/auth.ts';
import { ensureUser } from '../identity/users/users.ts';
import { newSecret } from '../kernel/config.ts';
import { ensurePrivate, readPrivate, writePrivate } from '../kernel/secrets.ts';
import { BACKTESTED, exampleDrafts, firstRunningBlueprint } from './demo-blueprints.ts';

export const DEMO_EMAIL = 'demo@example.com';
const WAIT_MS = 100;
/** The history over which examples are backtested. */
const PAST_MS = 30 * DAY_MS;

export type DemoOptions = {
  pool: Pool;
  auth: Auth;
  market: MarketData;
  dataDir: string;
  paperCash: string;
  shardCount: number;
  trading: TradingSettings;
};

export type Demo = { email: string; password: string; key: string };

/**
 * Opens the demo account for a new user: a sign-in, sample blueprints and a key with every scope. It is created at the first
 * start and reused later. Its secrets are files only their owner can read.
 */
export async function openDemo(options: DemoOptions): Promise<Demo> {
  return underLock(unscopedDb(options.pool), () => openDemoLocked(options));
}

async function openDemoLocked(options: DemoOptions): Promise<Demo> {
  const { pool, auth, dataDir, paperCash } = options;
  const password = ensurePrivate(path.join(dataDir, 'demo-password'), () => newSecret().slice(0, 16));
  const userId = await ensureUser(auth, pool, { email: DEMO_EMAIL, name: 'Demo', password });
  const accountId = await findOrCreateAccountOfUser(pool, { userId, name: 'Demo', paperCash });
  const work = systemWork(pool, { accountId, mode: 'paper' });
  await ensureBlueprints(work, options);
  return { email: DEMO_EMAIL, password, key: await demoKey(work, options) };
}

/**
 * Runs `task` under a lock of the database, so that simultaneous first starts create one demo account. The lock ends with its
 * transaction, so a process that dies does not block the others.
 */
async function underLock<Result>(db: Db, task: () => Promise<Result>): Promise<Result> {
  const tryOnce = () =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ ours: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended('demo account', 12)) as ours,
          set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
      return rows[0]?.ours === true ? { result: await task() } : null;
    });
  for (;;) {
    const done = await tryOnce();
    if (done) return done.result;
    await sleep(WAIT_MS);
  }
}

/** Creates the examples as drafts, some with a backtest, and one small running strategy, if the account is empty. */
async function ensureBlueprints(work: Work, options: DemoOptions): Promise<void> {
  const { market, shardCount } = options;
  const { blueprints } = await work.db
    .selectFrom('blueprint')
    .select(({ fn }) => fn.countAll<string>().as('blueprints'))
    .where('account_id', '=', work.accountId)
    .executeTakeFirstOrThrow();
  if (Number(blueprints) > 0) return;
  const backtested: string[] = [];
  for (const draft of await exampleDrafts(market)) {
    const { id } = await createBlueprint(work, draft);
    if (BACKTESTED.has(draft.name)) backtested.push(id);
  }
  const { id } = await createBlueprint(work, firstRunningBlueprint);
  await deployBlueprint(work, id, { market, shardCount });
  // Last, and without a failure: a demo without a past is one all the same.
  await Promise.allSettled(backtested.map((example) => queueBacktest(work, example, options)));
}

/** Queues a backtest of an example, so that a first start has results to read. */
async function queueBacktest(work: Work, blueprintId: string, { market, trading }: DemoOptions) {
  // It ends before now, also by a clock that is a little behind.
  const toMs = market.now() - MINUTE_MS;
  const params = {
    blueprintId,
    release: null,
    visual: undefined,
    from: new Date(toMs - PAST_MS).toISOString(),
    to: new Date(toMs).toISOString(),
    risk: { rules: 'account', approvals: {} },
  } as const;
  const prepared = await prepareBacktest(work, params, { market, settings: trading });
  const needs = backtestDataNeedsOf(prepared.request, prepared.visual);
  const requestHash = await dataHashesOf(work.db, work.accountId, prepared, needs);
  await startBacktest(work, prepared, { requestHash, fresh: false });
}

/** Returns the stored key while it is valid; else a new one, so that the printed command works at every start. */
async function demoKey(work: Work, { pool, dataDir }: DemoOptions): Promise<string> {
  const file = path.join(dataDir, 'demo-key');
  const known = readPrivate(file);
  if (known && (await verifyKey(unscopedDb(pool), known))) return known;
  const { key } = await createKey(work, {
    name: 'Demo key',
    scopes: SCOPE_NAMES,
    expiresAt: null,
    createdBy: null,
  });
  writePrivate(file, key);
  return key;
}

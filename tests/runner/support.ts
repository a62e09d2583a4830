import { randomUUID } from 'node:crypto';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { type Clock, databaseClock, openWork, type Work } from '../../engine/platform/context.ts';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { stopBlueprint } from '../../engine/usecases/blueprints/running/stop.ts';
import { type RiskRulesPatch, updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf, type RunnerOptions } from '../../server/kernel/rounds/options.ts';
import { VenueFeed } from '../../server/workers/trading/market/feed.ts';
import { Runner } from '../../server/workers/trading/runner.ts';
import { createTestDatabase } from '../support/database.ts';
import { draw, type Nodes } from '../support/draw-graph.ts';
import { openTestPool } from '../support/pool.ts';
import { type FillTerms, fillingBroker, LOOSE_RULES } from '../support/trading-fixture.ts';
import { BTC, FakeMarket } from './fake-market.ts';

export { draw, type Nodes };
export type RunnerWorld = Awaited<ReturnType<typeof openRunnerWorld>>;
export type Deployed = { accountId: string; blueprintId: string; deploymentId: string };

/** Buys `amount` once the last price is above `level`; once below, it may buy again. */
export const buyAbove = (level: number, amount = 1): Nodes => ({
  price: { type: 'crypto.price', config: { symbol: BTC, field: 'last' } },
  level: { type: 'constant', config: { value: level } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: 'level' } },
  amount: { type: 'constant', config: { value: amount } },
  buy: {
    type: 'order',
    config: { instrument: BTC, side: 'buy', type: 'market' },
    inputs: { when: 'above', amount: 'amount' },
  },
});

/** A database, venues, runners and accounts: the service without its API. */
export async function openRunnerWorld({
  shardCount = 4,
  clock = databaseClock,
}: {
  shardCount?: number;
  clock?: Clock;
} = {}) {
  const database = await createTestDatabase();
  const pool = await openTestPool(database.connection);
  // Reads and changes of the test use the owner's role, past row-level security.
  const owner = await openTestPool(database.owner, { poolMax: 4 });
  const db: Db = systemDb(owner);
  const market = new FakeMarket();
  const lines: { level: string; message: string; fields: object }[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, fields });
  };
  const log = { info: write('info'), warn: write('warn'), error: write('error') };
  const runners: Runner[] = [];
  const feeds: VenueFeed[] = [];

  const options = (changes: Partial<RunnerOptions> = {}): RunnerOptions => ({
    pool,
    market,
    clock,
    log,
    shardCount,
    periodMs: 20,
    leaseMs: 8_000,
    wakeOrders: () => {},
    ...changes,
  });

  const world = {
    database,
    pool,
    db,
    market,
    lines,
    log,
    options,
    runner(changes: Partial<RunnerOptions> = {}): Runner {
      const runner = new Runner(contextOf(options(changes)), new LogOnce(log));
      runners.push(runner);
      return runner;
    },
    feed(venue: 'venue-a' | 'venue-b' | 'crypto' = 'crypto'): VenueFeed {
      const feed = new VenueFeed(venue, contextOf(options({ quotePeriodMs: 60_000 })), new LogOnce(log));
      feeds.push(feed);
      return feed;
    },
    workOf: (accountId: string): Work =>
      openWork(pool, { accountId, actor: 'session:tester', mode: 'paper', requestId: null, clock }),
    async account(rules: RiskRulesPatch = {}): Promise<string> {
      const accountId = await findOrCreateAccountOfUser(pool, {
        userId: randomUUID(),
        name: 'T',
        paperCash: '1000000',
      });
      await updateRules(world.workOf(accountId), { ...LOOSE_RULES, ...rules });
      return accountId;
    },
    async draft(accountId: string, nodes: Nodes): Promise<string> {
      const { id } = await createBlueprint(world.workOf(accountId), { name: 'Test', visual: draw(nodes) });
      return id;
    },
    async deploy(nodes: Nodes, accountId?: string): Promise<Deployed> {
      const owner = accountId ?? (await world.account());
      return world.redeploy({ accountId: owner, blueprintId: await world.draft(owner, nodes) });
    },
    async redeploy(blueprint: Pick<Deployed, 'accountId' | 'blueprintId'>): Promise<Deployed> {
      const { accountId, blueprintId } = blueprint;
      const row = await deployBlueprint(world.workOf(accountId), blueprintId, { market, shardCount });
      if (row.deployment_id === null) throw new Error('A deployed blueprint has a deployment.');
      return { accountId, blueprintId, deploymentId: row.deployment_id };
    },
    stop: ({ accountId, blueprintId }: Pick<Deployed, 'accountId' | 'blueprintId'>) =>
      stopBlueprint(world.workOf(accountId), blueprintId),
    blueprint: ({ blueprintId }: Pick<Deployed, 'blueprintId'>) =>
      db.selectFrom('blueprint').selectAll().where('id', '=', blueprintId).executeTakeFirstOrThrow(),
    state: ({ deploymentId }: Pick<Deployed, 'deploymentId'>) =>
      db
        .selectFrom('deployment_state as s')
        .leftJoin('deployment_nodes as n', 'n.deployment_id', 's.deployment_id')
        .selectAll('s')
        .select('n.states as node_states')
        .where('s.deployment_id', '=', deploymentId)
        .executeTakeFirstOrThrow(),
    orders: ({ deploymentId }: Pick<Deployed, 'deploymentId'>) =>
      db
        .selectFrom('trade_order')
        .selectAll()
        .where('deployment_id', '=', deploymentId)
        .orderBy('id')
        .execute(),
    /** Sends queued orders to a venue that fills everything at its limit. */
    async fillQueued(terms: Partial<FillTerms> = {}): Promise<void> {
      const queued = await db
        .selectFrom('trade_order')
        .select(['account_id', 'id'])
        .where('status', '=', 'queued')
        .orderBy('id')
        .execute();
      for (const { account_id, id } of queued) {
        const now = await clock(db);
        const broker = fillingBroker(() => now, terms);
        await sendOrder(world.workOf(account_id), broker, id);
      }
    },
    events: (accountId: string) =>
      db.selectFrom('account_event').selectAll().where('account_id', '=', accountId).orderBy('seq').execute(),
    requests: () => db.selectFrom('intent_request').selectAll().execute(),
    /** Sets what the venue quotes and has the feed write it. */
    async price(last: string, tokenId = BTC): Promise<void> {
      market.quote(tokenId, { last, bid: last, ask: (Number(last) + 0.01).toFixed(2) });
      await world.pollOnce();
    },
    async pollOnce(): Promise<void> {
      await (feeds[0] ?? world.feed()).poll();
    },
    async close(): Promise<void> {
      await Promise.all(runners.map((runner) => runner.stop()));
      await Promise.all(feeds.map((feed) => feed.stop()));
      await pool.close();
      await owner.close();
      await database.drop();
    },
  };
  return world;
}

/** Polls until `holds` returns a value. */
export async function until<Result>(
  holds: () => Promise<Result | null | undefined | false> | Result | null | undefined | false,
  { timeoutMs = 10_000, everyMs = 10 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await holds();
    if (result !== null && result !== undefined && result !== false) return result;
    if (performance.now() > deadline) throw new Error('It did not come about in time.');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import type { RiskRulesPatch } from '../../engine/usecases/risk-rules/rules.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import type { VenueFeed } from '../../server/workers/trading/market/feed.ts';
import { decideIntents } from '../../server/workers/trading/orders/decide-intents.ts';
import type { RequestKey } from '../../server/workers/trading/orders/intent-requests.ts';
import { IntentProcessor } from '../../server/workers/trading/orders/intents.ts';
import { RefusedIntentNotices } from '../../server/workers/trading/orders/refused-intent-notices.ts';
import { GAMES, GAMES_TIMEOUT_MS } from '../support/games.ts';
import { openedForFile } from '../support/opened.ts';
import { BTC, YES } from './fake-market.ts';
import { buyAbove, type Deployed, openRunnerWorld } from './support.ts';

/** The same account twice: one decides its intents one by one, the other together. */
type Twin = { readonly accountId: string; readonly deployed: readonly Deployed[] };
type Twins = { readonly oneByOne: Twin; readonly together: Twin };

const world = openedForFile(() => openRunnerWorld({ clock: async () => moment }));
let moment = new Date();
let pairs: Twins[];
let venueA: VenueFeed;
let games = 0;

beforeAll(async () => {
  world.market.list('KXQUIET-26:yes', {
    venue: 'venue-a',
    kind: 'outcome',
    market: 'KXQUIET-26',
    outcome: 'yes',
    stepSize: '1',
    minSize: '1',
    minNotional: null,
  });
  pairs = [await openTwins(), await openTwins()];
  await world.pollOnce();
  venueA = world.feed('venue-a');
});

const openTwins = async (): Promise<Twins> => ({ oneByOne: await openTwin(), together: await openTwin() });

/** Two deployments that run, one that has ended, and one whose entries are halted. */
async function openTwin(): Promise<Twin> {
  const accountId = await world.account();
  const deployed: Deployed[] = [];
  for (let count = 0; count < 4; count++) deployed.push(await world.deploy(buyAbove(1_000_000), accountId));
  const [, , ended, halted] = deployed;
  if (ended === undefined || halted === undefined) throw new Error('There are four.');
  await world.stop(ended);
  await sql`update deployment_state set halted = true where deployment_id = ${halted.deploymentId}`.execute(
    world.db,
  );
  return { accountId, deployed };
}

const limits: fc.Arbitrary<RiskRulesPatch> = fc.record({
  maxOrderSize: fc.constantFrom(100_000, 600, 50),
  maxPositionSize: fc.constantFrom(1_000_000, 1_500),
  maxOpenPositions: fc.constantFrom(50, 1),
  maxOrdersPerMinute: fc.constantFrom(1_000, 4),
  maxDailyLoss: fc.constantFrom(1_000_000, 20),
  requireApprovalAbove: fc.constantFrom(1_000_000, 150),
  maxGrossExposure: fc.constantFrom(null, 2_000),
  maxBlueprintBudget: fc.constantFrom(null, 1_000),
});

const BITCOIN = ['90', '100', '120'].map((limitPrice) => ({ tokenId: BTC, limitPrice }));
const OUTCOME = ['0.3', '0.41', '0.5'].map((limitPrice) => ({ tokenId: YES, limitPrice }));

const wish = fc.record({
  // The pair of accounts, and one of their deployments.
  pair: fc.nat(1),
  deployment: fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3),
  side: fc.constantFrom('buy', 'buy', 'sell'),
  origin: fc.constantFrom('order', 'exit', 'close'),
  /** Mostly tradable instruments, at a price near the market. */
  traded: fc.constantFrom(
    ...[...BITCOIN, ...BITCOIN, ...OUTCOME, ...OUTCOME],
    { tokenId: BTC, limitPrice: '0.4' },
    { tokenId: 'KXQUIET-26:yes', limitPrice: '0.4' },
    { tokenId: 'KXUNKNOWN-26:yes', limitPrice: '0.4' },
  ),
  isLimit: fc.boolean(),
  amount: fc.constantFrom('1', '2', '3.5', '14', '40', '1', '2', '3.5', '14', '40', '0.00001', 'poison'),
  expireAfterSec: fc.constantFrom(undefined, 600),
  ageSec: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 1, 61),
});
type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never;

const round = fc.record({
  limits,
  price: fc.constantFrom('100', '101', '80'),
  /** Whether queued orders are filled before. */
  isFilled: fc.boolean(),
  wishes: fc.array(wish, { minLength: 8, maxLength: 30 }),
});

/** Stores the wish as a tick would have, and returns the key of its row. */
async function storeRequest({ accountId, deployed }: Twin, index: number, wish: Wish): Promise<RequestKey> {
  const { deploymentId = '' } = deployed[wish.deployment] ?? {};
  const nodeId = `game ${games} node ${index}`;
  const stepAt = new Date(1_700_000_000_000 + index);
  const { side, origin, traded, isLimit, amount, expireAfterSec } = wish;
  const intent = {
    nodeId,
    stepAt: stepAt.getTime(),
    origin: side === 'buy' ? 'order' : origin,
    side,
    tokenId: traded.tokenId,
    type: isLimit ? 'limit' : 'market',
    amount,
    limitPrice: isLimit ? traded.limitPrice : null,
    slippage: null,
    timeInForce: isLimit ? 'gtc' : 'ioc',
    ...(isLimit && expireAfterSec !== undefined && { expireAfterSec }),
    reason: { code: 'triggered', message: 'The condition turned true.' },
    inputs: [{ nodeId: 'price', value: 101.5, asOf: 1_700_000_000_000 }],
  };
  await sql`
    insert into intent_request (account_id, deployment_id, node_id, step_at, position, intent, created_at)
    values (${accountId}, ${deploymentId}, ${nodeId}, ${stepAt}, ${index}, ${JSON.stringify(intent)}::jsonb,
      ${new Date(moment.getTime() - wish.ageSec * 1_000)})`.execute(world.db);
  return { accountId, mode: 'paper', deploymentId, nodeId, stepAt };
}

/** All rows that decisions write for an account; ids are numbered in order of appearance. */
async function written({ accountId }: Twin): Promise<unknown> {
  const of = async (columns: string, table: string, order: string) => {
    const { rows } =
      await sql`select ${sql.raw(columns)} from ${sql.table(table)} where account_id = ${accountId}
      order by ${sql.raw(order)}`.execute(world.db);
    return rows;
  };
  const rows = {
    requests: await of('deployment_id, node_id, step_at, position, intent', 'intent_request', 'position'),
    orders: await of('*', 'trade_order', 'id'),
    transitions: await of(
      'account_id, order_id, number, from_status, to_status, at, expires_at, actor, reason',
      'order_transition',
      'seq',
    ),
    allocations: await of('*', 'order_allocation', 'order_id, number'),
    days: await of('*', 'account_day', 'day'),
    account: await of('cash, realized_pnl, last_loss_at, tripped_at, trip_reason', 'trading_account', 'mode'),
    events: await of('seq, at, type, mode, payload', 'account_event', 'seq'),
    audits: await of('actor, action, subject_id, before, after, at', 'audit_event', 'id'),
  };
  const names = new Map<string, string>();
  const text = JSON.stringify(rows).replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
    if (!names.has(id)) names.set(id, `#${names.size}`);
    return names.get(id) ?? '';
  });
  return JSON.parse(text);
}

type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never;

async function play({ limits: rules, price, isFilled, wishes }: Round): Promise<void> {
  games += 1;
  await world.db.deleteFrom('intent_request').execute();
  world.lines.length = 0;
  if (isFilled) await world.fillQueued();
  await world.price(price);
  world.market.quote(YES, { bid: '0.4', ask: '0.42', last: '0.41' });
  await venueA.poll();
  moment = new Date();
  for (const { oneByOne, together } of pairs) {
    for (const { accountId } of [oneByOne, together]) await updateRules(world.workOf(accountId), rules);
  }
  const context = contextOf(world.options());
  const keys: RequestKey[] = [];
  for (const [index, wish] of wishes.entries()) {
    const pair = pairs[wish.pair];
    if (pair === undefined) continue;
    const key = await storeRequest(pair.oneByOne, index, wish);
    await underAccountLock(context.workOf(key), ({ db }, now) =>
      decideIntents(context, { db, now }, [key], new RefusedIntentNotices()),
    );
    keys.push(await storeRequest(pair.together, index, wish));
  }
  await new IntentProcessor(context, new LogOnce(world.log), () => {}).decide(keys);
  for (const { oneByOne, together } of pairs)
    expect(await written(together)).toEqual(await written(oneByOne));
}

const BOUGHT: Wish = {
  ...{ pair: 0, deployment: 0, side: 'buy', origin: 'order', isLimit: true },
  ...{ traded: { tokenId: BTC, limitPrice: '90' }, amount: '1', expireAfterSec: undefined, ageSec: 1 },
};

const NO_LIMITS: Round['limits'] = {
  maxOrderSize: 100_000,
  maxPositionSize: 1_000_000,
  maxOpenPositions: 50,
  maxOrdersPerMinute: 1_000,
  maxDailyLoss: 1_000_000,
  requireApprovalAbove: 1_000_000,
  maxGrossExposure: null,
  maxBlueprintBudget: null,
};

/** The deployment that the first wishes are for, of the account that decides together. */
function deployedFirst(): Deployed {
  const [deployed] = pairs[0]?.together.deployed ?? [];
  if (deployed === undefined) throw new Error('There are four.');
  return deployed;
}

/** The number of queued rows that decisions on these have read. */
async function rowsReadFor(accountId: string, keys: readonly RequestKey[]): Promise<number> {
  const context = contextOf(world.options());
  return underAccountLock(context.workOf({ accountId, mode: 'paper' }), async ({ db }, now) => {
    const rowsRead = async () => {
      const { rows } = await sql<{ count: number }>`select (seq_tup_read + idx_tup_fetch)::int as count
        from pg_stat_xact_user_tables where relname = 'intent_request'`.execute(db);
      return rows[0]?.count ?? 0;
    };
    const before = await rowsRead();
    const decided = await decideIntents(context, { db, now }, keys, new RefusedIntentNotices());
    expect(decided).toHaveLength(keys.length);
    return (await rowsRead()) - before;
  });
}

describe('intents that are decided together', () => {
  test(
    'become what they become one by one: the same orders, receipts, log, reservations, days and events, in the same order',
    () => fc.assert(fc.asyncProperty(round, play), { numRuns: GAMES * 2, endOnFailure: true }),
    GAMES_TIMEOUT_MS,
  );

  test('release a sell of the same batch that waits for approval, once a later one sells at once', async () => {
    const wide: Round['limits'] = { ...NO_LIMITS, requireApprovalAbove: 1_000_000 };
    const buys: Wish = { ...BOUGHT, amount: '14', traded: { tokenId: BTC, limitPrice: '120' } };
    await play({ limits: wide, price: '100', isFilled: false, wishes: [buys] });
    const close: Wish = { ...buys, side: 'sell', origin: 'close', amount: '2', isLimit: false };
    const exit: Wish = { ...close, origin: 'exit', amount: '1' };
    await play({
      limits: { ...wide, requireApprovalAbove: 150 },
      price: '100',
      isFilled: true,
      wishes: [close, exit],
    });
    const orders = await world.orders(deployedFirst());
    expect(orders.slice(-2).map(({ status }) => status)).toEqual(['canceled', 'queued']);
  });

  test('are decided one by one where one of them cannot be stored: its neighbors become orders, and no step makes two', async () => {
    await world.db.deleteFrom('intent_request').execute();
    await world.price('100');
    moment = new Date();
    games += 1;
    const { accountId, deployed } = await openTwin();
    const twin = { accountId, deployed };
    const processor = new IntentProcessor(contextOf(world.options()), new LogOnce(world.log), () => {});
    await processor.decide([await storeRequest(twin, 0, BOUGHT)]);
    await processor.decide([await storeRequest(twin, 0, BOUGHT), await storeRequest(twin, 1, BOUGHT)]);
    const [first] = deployed;
    if (first === undefined) throw new Error('There are four.');
    expect((await world.orders(first)).map(({ node_id }) => node_id)).toEqual([
      `game ${games} node 0`,
      `game ${games} node 1`,
    ]);
    expect(await world.requests()).toEqual([]);
  });

  test.each(['analyze intent_request', 'vacuum (analyze) intent_request'])(
    'are looked up one by one, however many wait, also after %s of a table that was empty',
    async (statistics) => {
      games += 1;
      moment = new Date();
      await world.price('100');
      const twin = await openTwin();
      const storeRequests = async (from: number) => {
        const keys: RequestKey[] = [];
        for (let index = from; index < from + 200; index++)
          keys.push(await storeRequest(twin, index, BOUGHT));
        return keys;
      };
      await storeRequests(0);
      await world.db.deleteFrom('intent_request').execute();
      await sql.raw(statistics).execute(world.db);
      // Plans are cached from now on.
      await rowsReadFor(twin.accountId, [await storeRequest(twin, 200, BOUGHT)]);
      const keys = (await storeRequests(201)).slice(0, 8);
      expect(await rowsReadFor(twin.accountId, keys)).toBeLessThanOrEqual(2 * keys.length);
    },
  );
});

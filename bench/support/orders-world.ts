import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { systemWork } from '../../engine/platform/context.ts';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import type { ProposedIntent } from '../../engine/trading/orders/entry/propose.ts';
import type { PaperMarketData } from '../../engine/trading/orders/paper/offers.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import type { RequestKey } from '../../server/workers/trading/orders/intent-requests.ts';
import type { MarketData } from '../../venues/port.ts';

export const SYMBOL = 'BTCUSDT';
const BID = '86398';
const ASK = '86398.01';

export type Trader = { accountId: string; blueprintId: string };

/** Quotes are stored this often; decisions ignore a quote older than ten seconds or in the future. */
const QUOTE_PERIOD_MS = 2_000;

/** Opens the one instrument that every trader trades, and refreshes its quote until the returned function is called. */
export async function openMarket(pool: Pool): Promise<() => Promise<void>> {
  const db = systemDb(pool);
  const rate = { takerRate: '0.001', makerRate: '0.001' };
  await db
    .insertInto('instrument')
    .values({
      token_id: SYMBOL,
      venue: 'crypto',
      kind: 'spot',
      market: SYMBOL,
      outcome: 'BTC',
      title: 'BTC/USDT',
      tick_size: '0.01',
      step_size: '0.00001',
      min_size: '0.00001',
      min_notional: '5',
      fee_schedule: JSON.stringify({ formula: 'notional', ...rate, exponent: 1, roundUpTo: null }),
      quote_currency: 'USDT',
      tradable: true,
      status: 'open',
      updated_at: new Date(),
    })
    .execute();
  await db
    .insertInto('quote')
    .values({
      token_id: SYMBOL,
      bid: BID,
      bid_size: '1000',
      ask: ASK,
      ask_size: '1000',
      market_status: 'open',
      as_of: new Date(),
      seq: '1',
    })
    .execute();
  const closing = new AbortController();
  const refreshing = refreshQuote(db, closing.signal);
  return async () => {
    closing.abort();
    await refreshing;
  };
}

async function refreshQuote(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(QUOTE_PERIOD_MS, undefined, { signal }).catch(() => {});
    await sql`update quote set as_of = clock_timestamp() where token_id = ${SYMBOL}`.execute(db);
  }
}

/** Opens an account that may send `maxOrdersPerMinute`; intents beyond that are denied. */
export async function openTrader(pool: Pool, maxOrdersPerMinute: number): Promise<Trader> {
  const accountId = await findOrCreateAccountOfUser(pool, {
    userId: randomUUID(),
    name: 'Bench',
    paperCash: '100000000',
  });
  await updateRules(systemWork(pool, { accountId, mode: 'paper' }), {
    maxOrderSize: 1_000_000,
    maxDailyLoss: 1_000_000,
    maxOrdersPerMinute,
    cooldownAfterLossSec: 0,
    requireApprovalAbove: 1_000_000,
  });
  const blueprintId = randomUUID();
  const now = new Date();
  await systemDb(pool)
    .insertInto('blueprint')
    .values({ account_id: accountId, id: blueprintId, name: 'Bench', created_at: now, updated_at: now })
    .execute();
  return { accountId, blueprintId };
}

/** A trader with a running deployment. */
export type Deployed = Trader & { deploymentId: string };

/** Deploys without a process that ticks: {@link queueIntents} stores its intents. */
export async function deploy(pool: Pool, trader: Trader): Promise<Deployed> {
  const { accountId, blueprintId } = trader;
  const deploymentId = randomUUID();
  const db = systemDb(pool);
  const hash = createHash('sha256').update('{}').digest('hex');
  const [account_id, at] = [accountId, new Date()];
  await db.insertInto('release_body').values({ account_id, hash, visual: '{}' }).execute();
  await db
    .insertInto('release')
    .values({
      ...{ account_id, blueprint_id: blueprintId, number: 1, body_hash: hash, name: 'Bench' },
      ...{ deployed_by: 'session:bench', created_at: at },
    })
    .execute();
  await db
    .insertInto('deployment')
    .values({
      ...{ account_id, id: deploymentId, blueprint_id: blueprintId, release_number: 1, mode: 'paper' },
      ...{ shard: 0, token_ids: [SYMBOL], started_at: at },
    })
    .execute();
  await db
    .insertInto('audit_event')
    .values({
      ...{
        account_id,
        id: randomUUID(),
        at,
        actor: 'session:bench',
        action: 'blueprint.deployed',
        mode: 'paper',
      },
      subject_id: blueprintId,
      before: JSON.stringify({ status: 'stopped', deploymentId: null }),
      after: JSON.stringify({ status: 'running', deploymentId, release: 1 }),
    })
    .execute();
  return { ...trader, deploymentId };
}

/** Steps never repeat: the step of an earlier call already has its order. */
let nextStepMs = 0;

/** Stores `count` intents as ticks would, and returns their keys, one of each trader in turn. */
export async function queueIntents(
  pool: Pool,
  traders: readonly Deployed[],
  each: number,
): Promise<RequestKey[]> {
  const firstMs = Math.max(Date.now(), nextStepMs);
  nextStepMs = firstMs + each;
  const keys = Array.from({ length: each }, (_, index) => new Date(firstMs + index)).flatMap((stepAt) =>
    traders.map(
      ({ accountId, deploymentId }): RequestKey => ({
        accountId,
        mode: 'paper',
        deploymentId,
        nodeId: 'buy',
        stepAt,
      }),
    ),
  );
  await sql`
    insert into intent_request (account_id, deployment_id, node_id, step_at, position, intent, created_at)
    select account_id, deployment_id, 'buy', step_at, 0, ${JSON.stringify(BUY)}::jsonb, clock_timestamp()
    from unnest(${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ deploymentId }) => deploymentId)}::uuid[],
      ${keys.map(({ stepAt }) => stepAt.toISOString())}::timestamptz[]) as wanted (account_id, deployment_id, step_at)`.execute(
    systemDb(pool),
  );
  return keys;
}

const INPUTS = Array.from({ length: 8 }, (_, index) => ({
  nodeId: `node${index}`,
  value: index,
  asOf: index,
}));

/** {@link limitBuy} as a graph proposes it. */
const BUY = {
  nodeId: 'buy',
  origin: 'order',
  side: 'buy',
  tokenId: SYMBOL,
  type: 'limit',
  timeInForce: 'gtc',
  amount: '0.001',
  limitPrice: '50000',
  slippage: null,
  reason: { code: 'triggered', message: 'The condition turned true.' },
  inputs: INPUTS,
};

/** A resting limit buy far below the market, with the inputs of a small graph. */
export const limitBuy = ({ blueprintId }: Trader): ProposedIntent => ({
  origin: 'order',
  blueprintId,
  tokenId: SYMBOL,
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  amount: '0.001',
  limitPrice: '50000',
  inputs: INPUTS,
});

/** A market that always has the same quote, each time as a new one. */
export const steadyMarket: PaperMarketData = {
  now: () => Date.now(),
  quotes: async () => [
    {
      tokenId: SYMBOL,
      bid: BID,
      bidSize: '1000',
      ask: ASK,
      askSize: '1000',
      last: null,
      volume24h: null,
      openInterest: null,
      change24h: null,
      asOf: new Date(performance.timeOrigin + performance.now()).toISOString(),
      marketStatus: 'open',
      settlementValue: null,
    },
  ],
  orderBook: async () => {
    throw new Error('Crypto has no book here.');
  },
  closedCandles: async () => [],
};

const neverRead = () => {
  throw new Error('No decision asks a venue.');
};

/** A market that is never read. */
export const noMarket: MarketData = {
  now: () => Date.now(),
  at: neverRead,
  newestCandle: neverRead,
  history: neverRead,
  instrument: neverRead,
  quotes: neverRead,
  orderBook: neverRead,
  closedCandles: neverRead,
};

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { accountOfUser } from '../../engine/accounts/open.ts';
import { systemWork } from '../../engine/context.ts';
import type { ProposedIntent } from '../../engine/orders/entry/propose.ts';
import type { PaperMarketData } from '../../engine/orders/paper/offers.ts';
import { updateRules } from '../../engine/risk-rules/rules.ts';

export const SYMBOL = 'BTCUSDT';
const BID = '86398';
const ASK = '86398.01';

export type Trader = { accountId: string; blueprintId: string };

/** Quotes are stored again this often; decisions take none that is older than ten seconds, or of the future. */
const QUOTE_PERIOD_MS = 2_000;

/** The one instrument everybody trades, with a quote that is kept fresh until the answer is called. */
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
  const kept = keepFresh(db, closing.signal);
  return async () => {
    closing.abort();
    await kept;
  };
}

async function keepFresh(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(QUOTE_PERIOD_MS, undefined, { signal }).catch(() => {});
    await sql`update quote set as_of = clock_timestamp() where token_id = ${SYMBOL}`.execute(db);
  }
}

/** An account that may send `maxOrdersPerMinute`; what it proposes beyond that is denied. */
export async function openTrader(pool: Pool, maxOrdersPerMinute: number): Promise<Trader> {
  const accountId = await accountOfUser(pool, {
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
  inputs: Array.from({ length: 8 }, (_, index) => ({ nodeId: `node${index}`, value: index, asOf: index })),
});

/** A market that always shows the same quote, and each time as a new one. */
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

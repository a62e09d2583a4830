/** The rows the HTTP bench reads, and the accounts it writes to. */

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { systemWork } from '../../engine/platform/context.ts';
import { newId } from '../../engine/platform/ids.ts';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';

/** An account may hold 200 blueprints: these are enough accounts for one round, emptied before the next. */
const WRITERS = 256;
const ORDERS = 1_000;
const FEE = { formula: 'notional', takerRate: '0.001', makerRate: '0.001', exponent: 1, roundUpTo: null };
const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'ADAUSDT'];
const MINUTE_MS = 60_000;

/** One account and a key to it. */
export type Caller = {
  accountId: string;
  key: string;
};

/** A strategy of four nodes as an editor saves it, about 1 KB. */
export const VISUAL = {
  nodes: [
    { id: 'price', type: 'crypto.price', position: { x: 0, y: 0 }, data: { symbol: 'BTCUSDT' } },
    { id: 'level', type: 'constant', position: { x: 0, y: 160 }, data: { value: 50_000 } },
    { id: 'below', type: 'compare', position: { x: 288, y: 80 }, data: { op: 'lt' } },
    {
      id: 'buy',
      type: 'order',
      position: { x: 576, y: 80 },
      data: { instrument: 'BTCUSDT', side: 'buy', type: 'market', amount: '0.001' },
    },
  ],
  edges: [
    { id: 'e1', source: 'price', sourceHandle: 'out', target: 'below', targetHandle: 'a' },
    { id: 'e2', source: 'level', sourceHandle: 'out', target: 'below', targetHandle: 'b' },
    { id: 'e3', source: 'below', sourceHandle: 'out', target: 'buy', targetHandle: 'when' },
  ],
  viewport: { x: 0, y: 0, zoom: 1 },
};

/** A trader with a year's orders and some positions, and many accounts that own nothing yet. */
export async function seedWorld(pool: Pool): Promise<{
  reader: Caller;
  writers: Caller[];
  blueprintId: string;
}> {
  const reader = await openCaller(pool);
  const blueprintId = await seedTrader(pool, reader.accountId);
  const writers: Caller[] = [];
  for (let i = 0; i < WRITERS; i++) writers.push(await openCaller(pool));
  await sql`analyze`.execute(systemDb(pool));
  return { reader, writers, blueprintId };
}

/** Creates the account of a user, and a key with every scope. The account of a new user is empty. */
export async function openCaller(pool: Pool, userId: string = randomUUID()): Promise<Caller> {
  const owner = { userId, name: 'Bench', paperCash: '10000' };
  const accountId = await findOrCreateAccountOfUser(pool, owner);
  const { key } = await createKey(systemWork(pool, { accountId, mode: 'paper' }), {
    name: 'Bench',
    scopes: SCOPE_NAMES,
    createdBy: null,
  });
  return { accountId, key };
}

/** Gives an account a year's orders and some positions; once per database. */
export async function seedTrader(pool: Pool, accountId: string): Promise<string> {
  const work = systemWork(pool, { accountId, mode: 'paper' });
  const blueprint = await createBlueprint(work, { name: 'Dip buyer', visual: VISUAL });
  const db = systemDb(pool);
  const now = new Date();
  await seedInstruments(db, now);
  const orders = Array.from({ length: ORDERS }, (_, i) =>
    orderRow(accountId, blueprint.id, i, new Date(now.getTime() - i * MINUTE_MS)),
  );
  await db.insertInto('trade_order').values(orders).execute();
  await db
    .insertInto('position')
    .values(
      SYMBOLS.map((token_id) => ({
        account_id: accountId,
        id: newId(),
        mode: 'paper' as const,
        token_id,
        venue: 'crypto' as const,
        blueprint_id: blueprint.id,
        amount: '0.015',
        total_cost: '1.5',
        realized_pnl: '0',
        fees: '0',
        opened_at: now,
        updated_at: now,
      })),
    )
    .execute();
  return blueprint.id;
}

async function seedInstruments(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('instrument')
    .values(
      SYMBOLS.map((token_id) => ({
        token_id,
        venue: 'crypto' as const,
        kind: 'spot' as const,
        market: token_id,
        title: token_id,
        tick_size: '0.01',
        step_size: '0.00001',
        min_size: '0.00001',
        min_notional: '5',
        fee_schedule: JSON.stringify(FEE),
        quote_currency: 'USDT',
        tradable: true,
        status: 'open' as const,
        updated_at: now,
      })),
    )
    .execute();
  await db
    .insertInto('quote')
    .values(
      SYMBOLS.map((token_id, i) => ({
        token_id,
        bid: '100.5',
        bid_size: '10',
        ask: '100.6',
        ask_size: '10',
        market_status: 'open' as const,
        as_of: now,
        seq: String(i),
      })),
    )
    .execute();
}

function orderRow(accountId: string, blueprintId: string, i: number, at: Date) {
  const status = i % 5 === 0 ? ('canceled' as const) : ('filled' as const);
  const amount = String(((i % 9) + 1) / 1_000);
  return {
    account_id: accountId,
    id: newId(),
    mode: 'paper' as const,
    blueprint_id: blueprintId,
    origin: 'order' as const,
    token_id: SYMBOLS[i % SYMBOLS.length] ?? 'BTCUSDT',
    venue: 'crypto' as const,
    side: i % 2 === 0 ? ('buy' as const) : ('sell' as const),
    type: 'market' as const,
    time_in_force: 'ioc' as const,
    amount,
    limit_price: '100',
    size: '0.5',
    worst_fee: '0.01',
    filled_amount: status === 'filled' ? amount : '0',
    status,
    receipt: JSON.stringify([]),
    rules_version: 1,
    created_at: at,
    updated_at: at,
    ended_at: at,
  };
}

/** Deletes the rows that a round has written, so that every round starts from the same tables. */
export async function emptyWriters(pool: Pool, writers: readonly Caller[]): Promise<void> {
  const db = systemDb(pool);
  const ids = writers.map(({ accountId }) => accountId);
  await db.deleteFrom('blueprint').where('account_id', 'in', ids).execute();
  await db
    .updateTable('account')
    .set({ blueprint_count: 0, visual_bytes: 0 })
    .where('id', 'in', ids)
    .execute();
  await sql`vacuum (analyze) blueprint, account`.execute(db);
}

/** Brings an account of a world into trade: quotes, intents, positions, all by the engine's own use cases. */

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { databaseClock } from '../../engine/platform/context.ts';
import { haltConnection } from '../../engine/trading/connections/change.ts';
import { createConnection } from '../../engine/trading/connections/create.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import type { OrderRow } from '../../engine/trading/orders/row.ts';
import { ensureInstrument } from '../../engine/trading/orders/terms/instruments.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { EXAMPLE } from '../../routers/examples.ts';
import { expectOk } from './api.ts';
import type { Account, World as WholeWorld } from './world.ts';

/** The parts of a world that trading needs. */
type World = Pick<WholeWorld, 'db' | 'market' | 'pool'>;

export const TOKEN = 'BTCUSDT';

/** An instrument of the simulated venue, with its quote of this moment. */
export async function openMarket({ db, market }: World, tokenId: string = TOKEN): Promise<void> {
  await ensureInstrument(db, market, tokenId);
  const [quote] = await market.quotes([tokenId]);
  if (!quote) throw new Error(`The simulator does not quote ${tokenId}.`);
  const { bid, bidSize, ask, askSize, last, marketStatus } = quote;
  const row = {
    bid,
    bid_size: bidSize,
    ask,
    ask_size: askSize,
    last,
    market_status: marketStatus,
    as_of: sql<string>`clock_timestamp()`,
    seq: sql<string>`nextval('quote_seq')`,
  };
  await db
    .insertInto('quote')
    .values({ token_id: tokenId, ...row })
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet(row))
    .execute();
}

export async function addBlueprint(account: Account, name = 'Trader', visual?: unknown): Promise<string> {
  const created = expectOk(await account.http('POST', '/api/blueprints', { name, visual })) as { id: string };
  return created.id;
}

export type BuyTerms = { blueprintId: string; amount: string; tokenId?: string };

/** A market buy as a node of this blueprint would raise it: `pending`, `queued` or `denied` by the rules in force. */
export async function proposeBuy(world: World, account: Account, wish: BuyTerms): Promise<OrderRow> {
  const { blueprintId, amount, tokenId = TOKEN } = wish;
  await openMarket(world, tokenId);
  return proposeIntent(account.work, {
    origin: 'order',
    blueprintId,
    tokenId,
    side: 'buy',
    type: 'market',
    timeInForce: 'ioc',
    amount,
    inputs: [],
  });
}

/** An intent that is pending, whatever its value. */
export async function pendingBuy(world: World, account: Account, wish: BuyTerms): Promise<OrderRow> {
  await updateRules(account.work, { requireApprovalAbove: 0, maxOrderSize: 100_000 });
  const order = await proposeBuy(world, account, wish);
  if (order.status !== 'pending') throw new Error(`The intent is ${order.status}: ${order.reason}`);
  return order;
}

/** A position of the blueprint: bought on paper at the simulated venue's offers, under rules that let it pass. */
export async function hold(world: World, account: Account, wish: BuyTerms): Promise<void> {
  await updateRules(account.work, { requireApprovalAbove: 100_000, maxOrderSize: 100_000 });
  const order = await proposeBuy(world, account, wish);
  const broker = openPaperVenue({
    pool: world.pool,
    marketData: world.market,
    clock: databaseClock,
  });
  const sent = await sendOrder(account.work, broker, order.id);
  if (sent?.order.status !== 'filled') {
    throw new Error(
      `The buy is ${sent?.order.status ?? order.status}: ${sent?.order.reason ?? order.reason}`,
    );
  }
}

/** Requests an import of history, which no process runs, and returns its id. */
export async function addImport({ http }: Account): Promise<string> {
  const body = { tokenId: TOKEN, interval: '1h', from: '2026-08-01T00:00:00Z', to: '2026-08-02T00:00:00Z' };
  const { body: made } = await http('POST', '/api/history/import', body);
  return (made as { id: string }).id;
}

/** A connection that its owner set to reduce-only: it can be halted as well as resumed. Its money differs from the venue's. */
export async function addConnection({ work }: Account): Promise<string> {
  const credentials = { apiKey: 'k'.repeat(40), secret: 's'.repeat(40) };
  const limits = { maxOrder: null, maxDay: null, maxOpenNotional: null };
  const wanted = {
    venue: 'crypto',
    environment: 'testnet',
    label: 'Spare',
    credentials,
    limits,
    isEligible: false,
  } as const;
  // No test opens them: they need not be sealed with the keys of the service.
  const keys = KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`);
  const { id } = await createConnection(work, wanted, { keys, prices: 'simulator' });
  await haltConnection(work, id, 'reduce_only');
  const now = new Date();
  await work.db
    .insertInto('venue_difference')
    .values({
      account_id: work.accountId,
      id: EXAMPLE.differenceId,
      connection_id: id,
      subject: 'cash:USD',
      kind: 'unexplained',
      ours: '102.5',
      theirs: '100',
      worth: '2.5',
      about: JSON.stringify({ gap: '-2.5' }),
      first_seen: now,
      since: now,
      last_seen: now,
      state: 'open',
    })
    .execute();
  return id;
}

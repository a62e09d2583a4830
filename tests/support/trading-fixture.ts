import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { type Mode, VENUE_IDS, type Venue } from '../../db/vocabulary.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import type { Archive } from '../../engine/platform/archive/archive.ts';
import { type Clock, databaseClock, openWork, type Work } from '../../engine/platform/context.ts';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { type ProposedIntent, proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import type { OrderRow } from '../../engine/trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../../engine/trading/orders/settings.ts';
import { type RiskRulesPatch, updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import type { VenueOrder } from '../../venues/broker.ts';
import { VENUES } from '../../venues/port.ts';
import { addConnection } from './connections.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { addDeployment, endDeployment } from './deployments.ts';
import { NO_FEE, VENUE_A_FEE } from './fees.ts';
import { openTestPool } from './pool.ts';
import { rechain } from './rechain.ts';
import { fillOf, ScriptedBroker } from './scripted-broker.ts';

/** Rules that block nothing. */
export const LOOSE_RULES: RiskRulesPatch = {
  maxOrderSize: 1_000_000,
  maxDailyLoss: 1_000_000,
  maxOpenPositions: 1_000,
  maxOrdersPerMinute: 100_000,
  cooldownAfterLossSec: 0,
  requireApprovalAbove: 1_000_000,
};

export const YES = 'KXTEST-26:yes';
export const NO = 'KXTEST-26:no';
export const VENUE_B_TOKEN = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
export const BTC = 'BTCUSDT';

type InstrumentFields = {
  venue: Venue;
  market: string;
  tick_size: string;
  price_ranges?: string;
  step_size: string;
  min_size: string;
  min_notional: string;
  fee_schedule: object;
};

/** The terms of an instrument that every fixture has. */
export const termsOf = (tokenId: string): InstrumentFields => INSTRUMENTS[tokenId] ?? kalshi(tokenId);

const INSTRUMENTS: Record<string, InstrumentFields> = {
  [YES]: kalshi('KXTEST-26'),
  [NO]: kalshi('KXTEST-26'),
  [VENUE_B_TOKEN]: {
    venue: 'venue-b',
    market: '0xb',
    tick_size: '0.001',
    step_size: '0.01',
    min_size: '5',
    min_notional: '1',
    fee_schedule: { formula: 'probability', takerRate: '0.04', makerRate: '0', exponent: 1, roundUpTo: null },
  },
  [BTC]: {
    venue: 'crypto',
    market: BTC,
    tick_size: '0.01',
    step_size: '0.00001',
    min_size: '0.00001',
    min_notional: '5',
    fee_schedule: { ...NO_FEE, takerRate: '0.001', makerRate: '0.001' },
  },
};

function kalshi(market: string): InstrumentFields {
  return {
    venue: 'venue-a',
    market,
    tick_size: '0.01',
    step_size: '1',
    min_size: '1',
    min_notional: '0',
    fee_schedule: VENUE_A_FEE,
  };
}

/** Settings of a service that trades with real money. */
export const LIVE_SETTINGS: TradingSettings = { ...DEFAULT_TRADING_SETTINGS, isLiveOn: true };

export type QuoteFields = {
  bid?: string | null;
  ask?: string | null;
  bidSize?: string;
  askSize?: string;
  /** Its age by the fixture's clock. */
  ageMs?: number;
  status?: 'open' | 'paused' | 'closed' | 'settled';
  /** The top of book is crossed, locked or missing: connectors report it without a bid and an ask. */
  unknown?: boolean;
};

export type Trader = {
  accountId: string;
  blueprintId: string;
  /** A new one each time, as for every request. */
  work: () => Work;
};

export type TradingFixtureOptions = {
  poolMax?: number;
  /** Use the database's clock, as the service does: for tests with processes of their own. */
  realTime?: boolean;
  /** Where the test archives what old orders were decided from. */
  archive?: Archive;
};

export type TradingFixture = Awaited<ReturnType<typeof openTradingFixture>>;

/**
 * Opens a database with markets and a clock that stands still until a test moves it: everything orders need, without HTTP.
 * `close` first checks that the ledger is consistent.
 */
export async function openTradingFixture({
  poolMax = 20,
  realTime = false,
  archive,
}: TradingFixtureOptions = {}) {
  const database = await createTestDatabase();
  const pool = await openTestPool(database.connection, { poolMax });
  // Reads and tampering of the test bypass the service's role.
  const owner = await openTestPool(database.owner, { poolMax: 4 });
  const db = systemDb(owner);
  let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  const now = () => (realTime ? new Date() : new Date(nowMs));
  const clock: Clock = realTime ? databaseClock : async () => now();
  for (const tokenId of Object.keys(INSTRUMENTS)) await addInstrument(db, tokenId);

  const fixture = {
    database,
    pool,
    db,
    clock,
    now,
    /** Moves a clock that stands still. */
    wait(ms: number) {
      nowMs += ms;
    },
    workOf: (accountId: string, actor = 'session:tester', newId?: () => string): Work =>
      openWork(pool, {
        accountId,
        actor,
        mode: 'paper',
        requestId: null,
        clock,
        ...(newId === undefined ? {} : { newId }),
      }),
    /** An account with a blueprint, loose rules and 10,000 USD, unless specified otherwise. */
    async trader(rules: RiskRulesPatch = {}): Promise<Trader> {
      const accountId = await findOrCreateAccountOfUser(pool, {
        userId: randomUUID(),
        name: 'T',
        paperCash: '10000',
      });
      await updateRules(fixture.workOf(accountId), { ...LOOSE_RULES, ...rules });
      return {
        accountId,
        blueprintId: await addBlueprint(db, accountId, fixture.now()),
        work: () => fixture.workOf(accountId),
      };
    },
    /** Opens live books of the trader with the same cash and rules, and a connection to each venue. */
    async openLive({ accountId }: Trader): Promise<void> {
      await sql`insert into trading_account (account_id, mode, cash, realized_pnl, created_at)
        select account_id, 'live', cash, realized_pnl, created_at from trading_account where account_id = ${accountId}`.execute(
        db,
      );
      await sql`insert into cash_entry (account_id, id, mode, kind, amount, at)
        select account_id, gen_random_uuid(), 'live', kind, amount, at from cash_entry where account_id = ${accountId}`.execute(
        db,
      );
      await sql`insert into risk_rules select (jsonb_populate_record(r, '{"mode": "live", "version": 1}')).*
        from risk_rules r where account_id = ${accountId}`.execute(db);
      for (const venue of VENUE_IDS) await addConnection(db, accountId, venue, randomUUID());
    },
    /** Binds a waiting order to a venue account, as its creation does once there are connections. */
    async connect(orderId: string, connectionId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        const { account_id, venue } = await tx
          .selectFrom('trade_order')
          .select(['account_id', 'venue'])
          .where('id', '=', orderId)
          .executeTakeFirstOrThrow();
        await addConnection(tx, account_id, venue, connectionId);
        await sql`update trade_order set connection_id = ${connectionId} where id = ${orderId}`.execute(tx);
        await rechain(tx, account_id);
      });
    },
    setRules: (trader: Trader, rules: RiskRulesPatch) => updateRules(trader.work(), rules),
    addBlueprint: (accountId: string) => addBlueprint(db, accountId, fixture.now()),
    addDeployment: (trader: Trader, deployedBy?: string, mode?: Mode) =>
      addDeployment(db, trader, fixture.now(), deployedBy, mode),
    endDeployment: (id: string) => endDeployment(db, id, fixture.now()),
    /** The feed learns from the venue that a market has closed, or its payout. */
    closeMarket: (tokenId: string, settlementValue: string | null) =>
      db
        .updateTable('instrument')
        .set({ status: settlementValue === null ? 'closed' : 'settled', settlement_value: settlementValue })
        .where('token_id', '=', tokenId)
        .where('settlement_value', 'is', null)
        .execute(),
    quote: (tokenId: string, fields: QuoteFields = {}) => putQuote(db, tokenId, fields, fixture.now()),
    /** Proposes an order, and sends it once queued to a venue that fills all of it at its limit. */
    async trade(trader: Trader, intent: Partial<ProposedIntent>, fill: Partial<FillTerms> = {}) {
      const order = await proposeIntent(trader.work(), intentOf(trader, intent));
      expect(order.status).toBe('queued');
      const sent = await sendOrder(
        fixture.workOf(trader.accountId, 'system'),
        fillingBroker(fixture.now, fill),
        order.id,
      );
      if (sent === null) throw new Error('Nothing was sent.');
      return sent.order;
    },
    order: (id: string): Promise<OrderRow> =>
      db.selectFrom('trade_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async differences() {
      return verifyLedger(db, clock, archive);
    },
    async close() {
      const differences = await fixture.differences();
      await pool.close();
      await owner.close();
      await database.drop();
      expect(differences).toEqual([]);
    },
  };
  return fixture;
}

/** A limit buy of ten YES at 0.50 by the trader's blueprint, unless specified otherwise. */
export function intentOf(trader: Trader, intent: Partial<ProposedIntent> = {}): ProposedIntent {
  return {
    origin: 'order',
    blueprintId: trader.blueprintId,
    tokenId: YES,
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    amount: '10',
    ...(intent.type === 'market' ? {} : { limitPrice: '0.5' }),
    inputs: [],
    ...intent,
  };
}

export type FillTerms = { price: string; fee: string; amount: string };

/** A venue that fills every order at once: all of it, at its limit and without a fee, unless specified otherwise. */
export function fillingBroker(now: () => Date, terms: Partial<FillTerms> = {}): ScriptedBroker {
  const broker = new ScriptedBroker(now);
  broker.place = async (order) => {
    const { amount = order.amount, price = order.limitPrice, fee = '0' } = terms;
    broker.placed.push(order);
    if (broker.orders.has(order.id)) return { kind: 'exists' };
    const answer: VenueOrder = {
      venueOrderId: `v-${order.id}`,
      status: amount === order.amount ? 'filled' : order.timeInForce === 'ioc' ? 'canceled' : 'open',
      filledAmount: amount,
      fills: [fillOf(`t-${order.id}`, { amount, price, fee, at: now() })],
      reasonCode: null,
      reason: null,
    };
    broker.orders.set(order.id, answer);
    return { kind: 'taken', order: answer };
  };
  return broker;
}

export async function addInstrument(
  db: Db,
  tokenId: string,
  fields: Partial<InstrumentFields> = {},
): Promise<void> {
  const { fee_schedule, ...columns } = { ...termsOf(tokenId), ...fields };
  await db
    .insertInto('instrument')
    .values({
      token_id: tokenId,
      ...columns,
      kind: VENUES[columns.venue].kind,
      fee_schedule: JSON.stringify(fee_schedule),
      outcome: null,
      title: `Test ${tokenId}`,
      quote_currency: 'USD',
      tradable: true,
      closes_at: null,
      status: 'open',
      settlement_value: null,
      updated_at: new Date(),
    })
    .execute();
}

async function addBlueprint(db: Db, accountId: string, now: Date): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('blueprint')
    .values({ account_id: accountId, id, name: 'Test', created_at: now, updated_at: now })
    .execute();
  return id;
}

async function putQuote(db: Db, tokenId: string, fields: QuoteFields, now: Date): Promise<void> {
  const {
    bid = '0.48',
    ask = '0.5',
    bidSize = '1000',
    askSize = '1000',
    ageMs = 0,
    status = 'open',
    unknown = false,
  } = fields;
  const isBid = bid !== null && !unknown;
  const isAsked = ask !== null && !unknown;
  const row = {
    bid: isBid ? bid : null,
    bid_size: isBid ? bidSize : null,
    ask: isAsked ? ask : null,
    ask_size: isAsked ? askSize : null,
    touch_known: !unknown,
    last: null,
    market_status: status,
    as_of: new Date(now.getTime() - ageMs),
  };
  await db
    .insertInto('quote')
    .values((eb) => ({ token_id: tokenId, ...row, seq: eb.fn<string>('nextval', [eb.val('quote_seq')]) }))
    .onConflict((conflict) =>
      conflict
        .column('token_id')
        .doUpdateSet((eb) => ({ ...row, seq: eb.fn<string>('nextval', [eb.val('quote_seq')]) })),
    )
    .execute();
}

export type { TestDatabase };

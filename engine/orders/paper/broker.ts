import { accountDb, type Pool, systemDb } from '../../../db/pool.ts';
import type { Db } from '../../../db/tables.ts';
import { VenueError } from '../../../venues/port.ts';
import type { Clock } from '../../context.ts';
import type { Broker, BrokerOrder } from '../execution/broker.ts';
import type { InstrumentRow } from '../row.ts';
import { feeScheduleOf } from '../terms/fees.ts';
import { look, take, untaken } from './levels.ts';
import { takeOffers } from './match.ts';
import { offersFor, type PaperMarketData } from './offers.ts';
import type { Offers } from './opposite-side.ts';
import { refusalOf } from './refusal.ts';
import { matchResting } from './resting.ts';
import {
  demandOf,
  insertPaperOrder,
  keepLevels,
  lockPaperMarket,
  type PaperOrderRow,
  readLevels,
  readVenueOrder,
  recordExecutions,
  sideOf,
} from './store.ts';

export type PaperBrokerOptions = {
  pool: Pool;
  /** Where the order books come from. */
  marketData: PaperMarketData;
  clock: Clock;
};

/**
 * A venue made of the real market's offers and nobody's money. It keeps its own books in the database, apart from
 * the orders of the service, so that a lost answer, a repeat or a crash can be cleared up by asking it, as with any
 * other venue. How it fills, and where that differs from a real venue, is written down in `docs/paper-trading.md`.
 */
export function createPaperBroker({ pool, marketData, clock }: PaperBrokerOptions): Broker {
  const open = (accountId: string): Db => accountDb(pool, accountId);
  return {
    async place(order) {
      const db = open(order.accountId);
      const known = await readVenueOrder(db, order.accountId, order.id);
      if (known !== null) return known;
      const instrument = await readInstrument(db, order.tokenId);
      const offers = await askForOffers(marketData, order, instrument);
      await db.transaction().execute(async (trx) => {
        await lockPaperMarket(trx, order.accountId, order.tokenId);
        const now = await clock(trx);
        const refusal = refusalOf(order, instrument, offers, now);
        const arrived = await insertPaperOrder(trx, order, {
          status: refusal === null ? 'open' : 'rejected',
          reasonCode: refusal?.reasonCode ?? null,
          reason: refusal?.reason ?? null,
          now,
          feedNow: new Date(marketData.now()),
        });
        if (arrived === null || refusal !== null || offers === null) return;
        await matchArriving(trx, arrived, instrument, offers, { now, feedNowMs: marketData.now() });
      });
      const placed = await readVenueOrder(db, order.accountId, order.id);
      if (placed === null) throw new Error(`Paper order ${order.id} was stored and is not there.`);
      return placed;
    },

    async cancel({ accountId, id }) {
      const db = open(accountId);
      const now = await clock(db);
      await db
        .updateTable('paper_order')
        .set({ status: 'canceled', reason_code: 'canceled', reason: 'Canceled on request.', updated_at: now })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('status', '=', 'open')
        .execute();
      return readVenueOrder(db, accountId, id);
    },

    find: ({ accountId, id }) => readVenueOrder(open(accountId), accountId, id),

    advance: (tokenIds) => matchResting({ db: systemDb(pool), marketData, clock }, tokenIds),
  };
}

async function readInstrument(db: Db, tokenId: string): Promise<InstrumentRow> {
  return db
    .selectFrom('instrument')
    .selectAll()
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow(() => new Error(`The paper venue does not list ${tokenId}.`));
}

/** The offers an order would meet now, or null while the market cannot be seen. */
async function askForOffers(
  marketData: PaperMarketData,
  order: BrokerOrder,
  { kind }: InstrumentRow,
): Promise<Offers | null> {
  try {
    return await offersFor(marketData, order, kind);
  } catch (error) {
    if (error instanceof VenueError) return null;
    throw error;
  }
}

/** Takes what the offers give; the rest rests, or ends where it may not. */
async function matchArriving(
  trx: Db,
  order: PaperOrderRow,
  instrument: InstrumentRow,
  { levels: offers, isWhole, asOf }: Offers,
  { now, feedNowMs }: { now: Date; feedNowMs: number },
): Promise<void> {
  const mayRest = order.time_in_force === 'gtc';
  // The feed may live in another time: what it saw is as old in ours.
  const at = new Date(now.getTime() - Math.max(0, feedNowMs - asOf.getTime()));
  const sight = { offers, isWhole, at };
  const before = await readLevels(trx, sideOf(order));
  const seen = look(order.side, before, sight);
  const executions = takeOffers(demandOf(order), untaken(seen, offers));
  await keepLevels(trx, sideOf(order), before, take(seen, sight, executions));
  await recordExecutions(
    trx,
    order,
    executions,
    { liquidity: 'taker', asOf },
    feeScheduleOf(instrument.fee_schedule),
    mayRest
      ? { status: 'open', now }
      : {
          status: 'canceled',
          reasonCode: 'no_more_offers',
          reason: 'No more was offered within its limit.',
          now,
        },
  );
}

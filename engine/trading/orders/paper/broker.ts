import { accountDb, type Pool, systemDb } from '../../../../db/pool.ts';
import type { Db } from '../../../../db/tables.ts';
import type { Broker, BrokerOrder, OrderKey } from '../../../../venues/broker.ts';
import { VenueError } from '../../../../venues/port.ts';
import type { BooksKey, Clock } from '../../../platform/context.ts';
import { newId } from '../../../platform/ids.ts';
import type { Brokers } from '../execution/brokers.ts';
import { type InstrumentRow, instrumentOf } from '../row.ts';
import { executeArrival, preparePaperRequest } from './execute-arrival.ts';
import { matchRestingOrders } from './match-resting-orders.ts';
import { offersFor, type PaperMarketData } from './offers.ts';
import type { Offers } from './opposite-side.ts';
import {
  cancelPaperOrders,
  insertArrived,
  lockPaperMarket,
  readLevels,
  readPaperVenueOrder,
  storeLevels,
} from './store.ts';
import { openPaperOrders, paperBalances, paperFillsSince, paperPositions } from './venue-account.ts';
import { venueOrderOf } from './venue-order.ts';

export type PaperVenueOptions = {
  pool: Pool;
  /** Where the order books come from. */
  marketData: PaperMarketData;
  clock: Clock;
  /** Names trades, default {@link newId}. */
  newId?: () => string;
};

/** The paper venue: every account has its own venue account there. */
export type PaperVenue = Brokers & {
  /** Matches orders after quotes of these instruments changed; returns the orders that traded since the last call. */
  advance(tokenIds: readonly string[]): Promise<OrderKey[]>;
};

/** The venue enforces `validUntil` and reads its own books: the first poll after that time is proof. */
const ABSENCE_PROOF = { times: 1, apartMs: 0 };

/**
 * Opens the paper venue: it fills from the real market's offers, without money. Its books are separate from the service's
 * orders. Thus a lost response, a repeat or a crash is resolved by polling it, like any other venue. `docs/paper-trading.md`
 * states how it fills, and how that differs from a real venue.
 */
export function openPaperVenue(given: PaperVenueOptions): PaperVenue {
  const options = { newId, ...given };
  return {
    of: (books) => paperBroker(options, books),
    advance: (tokenIds) => matchRestingOrders({ ...options, db: systemDb(options.pool) }, tokenIds),
  };
}

/** Broker of one account's paper orders. */
function paperBroker(
  { pool, marketData, clock, newId }: Required<PaperVenueOptions>,
  books: BooksKey,
): Broker {
  const { accountId } = books;
  const db = accountDb(pool, accountId);
  return {
    absenceProof: ABSENCE_PROOF,

    prepare: (order, _instrument, now) => preparePaperRequest(order, now),

    async place(order, _prepared, mayLeave) {
      const why = await mayLeave();
      if (why !== null) return { kind: 'withheld', ...why };
      if ((await readPaperVenueOrder(db, accountId, order.id)) !== null) return { kind: 'exists' };
      const instrument = await readInstrument(db, order.tokenId);
      const offers = await requestOffers(marketData, order, instrument);
      const arrived = await db.transaction().execute(async (trx) => {
        await lockPaperMarket(trx, accountId, order.tokenId);
        const key = { accountId, tokenId: order.tokenId, side: order.side };
        const levels = await readLevels(trx, key);
        const met = { instrument, offers, levels, feedNowMs: marketData.now() };
        const arrival = executeArrival(order, met, { now: await clock(trx), newId });
        if (!(await insertArrived(trx, arrival))) return null;
        await storeLevels(trx, key, levels, arrival.levels);
        return arrival;
      });
      if (arrived === null) return { kind: 'exists' };
      return { kind: 'taken', order: venueOrderOf(arrived.order, arrived.fills) };
    },

    async cancel({ id }) {
      const canceled = await cancelPaperOrders(db, accountId, await clock(db), id);
      return { kind: canceled > 0 ? 'asked' : 'gone' };
    },

    async find({ id }) {
      const asOf = await clock(db);
      const order = await readPaperVenueOrder(db, accountId, id);
      return order === null ? { kind: 'absent', asOf } : { kind: 'found', order };
    },

    listOpen: () => openPaperOrders(db, accountId),
    fillsSince: (cursor) => paperFillsSince(db, accountId, cursor),
    positions: () => paperPositions(db, accountId),
    balances: () => paperBalances(db, books),
    transfers: async () => [],
    status: async () => ({
      clockOffsetMs: 0,
      isTrading: true,
      resumesAt: null,
      permissions: ['read', 'trade'],
      fingerprint: accountId,
      keyExpiresAt: null,
    }),
    async cancelAll() {
      await cancelPaperOrders(db, accountId, await clock(db));
    },
  };
}

async function readInstrument(db: Db, tokenId: string): Promise<InstrumentRow> {
  const stored = await db
    .selectFrom('instrument')
    .selectAll()
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow(() => new Error(`The paper venue does not list ${tokenId}.`));
  return instrumentOf(stored);
}

/** Returns the offers that an order would meet now, or null while there is no market data. */
async function requestOffers(
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

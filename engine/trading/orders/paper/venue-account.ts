import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type {
  AccountFill,
  FillPage,
  OpenVenueOrder,
  VenueBalance,
  VenuePosition,
} from '../../../../venues/broker.ts';
import type { BooksKey } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { fillOf } from './venue-order.ts';

/*
 * Account reports of the paper venue: open orders, trades and holdings, from the venue's own record. Only the cash is not from
 * there: it is the paper cash of the account's ledger.
 */

const PAGE = 500;

export async function openPaperOrders(db: Db, accountId: string): Promise<OpenVenueOrder[]> {
  const rows = await db
    .selectFrom('paper_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .orderBy('placed_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    venueOrderId: row.id,
    clientOrderId: row.id,
    tokenId: row.token_id,
    side: row.side,
    amount: exact(row.amount).toFixed(),
    limitPrice: exact(row.limit_price).toFixed(),
    filledAmount: exact(row.filled_amount).toFixed(),
    placedAt: new Date(row.placed_at),
  }));
}

/** Returns a page of trades by time. The cursor is the time of its last one: trades of that instant are repeated. */
export async function paperFillsSince(db: Db, accountId: string, cursor: string | null): Promise<FillPage> {
  const rows = await db
    .selectFrom('paper_fill')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('at', '>=', cursor ?? '-infinity')
    .orderBy('at')
    .orderBy('id')
    .limit(PAGE)
    .execute();
  const fills = rows.map(
    (row): AccountFill => ({
      ...fillOf(row),
      venueOrderId: row.order_id,
      clientOrderId: row.order_id,
      tokenId: row.token_id,
      side: row.side,
    }),
  );
  return { fills, cursor: rows.at(-1)?.at ?? cursor ?? '-infinity' };
}

/** Sums the positions of its trades, without settled instruments. */
export async function paperPositions(db: Db, accountId: string): Promise<VenuePosition[]> {
  const rows = await db
    .selectFrom('paper_fill as f')
    .innerJoin('instrument as i', 'i.token_id', 'f.token_id')
    .select([
      'f.token_id',
      sql<string>`sum(case f.side when 'buy' then f.amount else -f.amount end)`.as('held'),
    ])
    .where('f.account_id', '=', accountId)
    .where('i.settlement_value', 'is', null)
    .groupBy('f.token_id')
    .orderBy('f.token_id')
    .execute();
  return rows
    .map(({ token_id, held }) => ({ tokenId: token_id, amount: exact(held).toFixed() }))
    .filter(({ amount }) => amount !== '0');
}

export async function paperBalances(db: Db, { accountId, mode }: BooksKey): Promise<VenueBalance[]> {
  const { cash } = await db
    .selectFrom('trading_account')
    .select('cash')
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .executeTakeFirstOrThrow();
  const total = exact(cash).toFixed();
  return [{ currency: 'USD', available: total, total }];
}

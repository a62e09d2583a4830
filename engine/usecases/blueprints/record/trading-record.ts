import { sql } from 'kysely';
import type { ORDER_ORIGINS } from '../../../../db/entities/order.ts';
import type { Side, Venue } from '../../../../db/vocabulary.ts';
import { tradeHistory } from '../../../books/accounting/trade-history.ts';
import { thinnedFills } from '../../../books/statistics/fill-thinner.ts';
import { type Trade, TradeTracker } from '../../../books/statistics/trade-tracker.ts';
import type { Work } from '../../../platform/context.ts';
import { readBlueprint } from '../drafts/row.ts';
import { type TradeFilter, tradePage } from './trade-page.ts';

const FILLS_MAX = 2_400;

type Origin = (typeof ORDER_ORIGINS)[number];

/** The reason why a holding ended: settled by its venue, or sold by a step, by a person, or for the written reason. */
export type ExitReason =
  | { readonly kind: 'settled'; readonly value: string }
  | {
      readonly kind: 'sold';
      readonly origin: Origin;
      readonly nodeId: string | null;
      readonly orderId: string;
    };

export type ClosedTrade = Trade & Held & { readonly leaving: ExitReason | null };

type Held = { readonly tokenId: string; readonly venue: Venue; readonly title: string };

/** An instrument a blueprint traded, with its buys and sells. If there are many fills, only whole cycles. */
export type TradedInstrument = Held & {
  readonly fills: readonly { readonly atMs: number; readonly side: Side; readonly price: string }[];
  readonly fillCount: number;
};

/**
 * Where a blueprint bought and sold, by instrument.
 *
 * @throws DomainError `not_found`.
 */
export async function tradedInstruments(work: Work, blueprintId: string): Promise<TradedInstrument[]> {
  await readBlueprint(work, blueprintId);
  const { events } = await tradeHistory(work, blueprintId);
  const held = await readHoldings(work, blueprintId);
  return [...Map.groupBy(events, ({ holding }) => holding)].flatMap(([holding, ofIt]) => {
    const of = held.get(holding);
    const fills = ofIt.flatMap((event) =>
      event.kind === 'fill' ? [{ atMs: event.atMs, side: event.side, price: event.price }] : [],
    );
    return of === undefined
      ? []
      : [{ ...of, fills: thinnedFills(fills, FILLS_MAX), fillCount: fills.length }];
  });
}

/**
 * Reads a page of a blueprint's closed trades, and the number of those that match the filter.
 *
 * @throws DomainError `not_found`.
 */
export async function closedTrades(
  work: Work,
  blueprintId: string,
  filter: TradeFilter,
): Promise<{ count: number; rows: ClosedTrade[] }> {
  await readBlueprint(work, blueprintId);
  const { events } = await tradeHistory(work, blueprintId);
  const held = await readHoldings(work, blueprintId);
  const record = new TradeTracker();
  const closed = events.flatMap((event) => {
    const trade = record.take(event);
    const of = trade && held.get(trade.holding);
    return trade && of ? [{ ...trade, ...of }] : [];
  });
  const { count, rows } = tradePage(closed, filter);
  const sales = Map.groupBy(await readSales(work, rows), ({ position_id }) => position_id);
  return {
    count,
    rows: rows.map((trade) => ({ ...trade, leaving: exitReasonOf(trade, sales.get(trade.holding) ?? []) })),
  };
}

type Sale = { position_id: string; at: string; origin: Origin; node_id: string | null; order_id: string };

/** The sale that closed the holding: the last one up to its end. Pure. */
export function exitReasonOf(
  { settledAt, closedAtMs }: Pick<Trade, 'settledAt' | 'closedAtMs'>,
  sales: readonly Omit<Sale, 'position_id'>[],
): ExitReason | null {
  if (settledAt !== null) return { kind: 'settled', value: settledAt };
  const last = sales.filter(({ at }) => Date.parse(at) <= closedAtMs).at(-1);
  return last === undefined
    ? null
    : { kind: 'sold', origin: last.origin, nodeId: last.node_id, orderId: last.order_id };
}

async function readHoldings({ db, accountId, mode }: Work, blueprintId: string): Promise<Map<string, Held>> {
  const rows = await db
    .selectFrom('position as p')
    .innerJoin('instrument as i', 'i.token_id', 'p.token_id')
    .select(['p.id', 'p.token_id', 'p.venue', 'i.title'])
    .where('p.account_id', '=', accountId)
    .where('p.mode', '=', mode)
    .where('p.blueprint_id', '=', blueprintId)
    .execute();
  return new Map(rows.map(({ id, token_id, venue, title }) => [id, { tokenId: token_id, venue, title }]));
}

/** Reads the sales of the holdings of these trades. */
async function readSales({ db, accountId, mode }: Work, trades: readonly Trade[]): Promise<Sale[]> {
  if (trades.length === 0) return [];
  const { rows } = await sql<Sale>`
    select a.position_id, f.at, o.origin, o.node_id, o.id as order_id
    from position p
      join fill_allocation a on a.account_id = p.account_id and a.position_id = p.id
      join fill f on f.account_id = a.account_id and f.id = a.fill_id and f.side = 'sell'
      join trade_order o on o.account_id = f.account_id and o.id = f.order_id
    where p.account_id = ${accountId} and p.mode = ${mode} and p.id = any(${[...new Set(trades.map(({ holding }) => holding))]}::uuid[])
    order by f.at, f.seq`.execute(db);
  return rows;
}

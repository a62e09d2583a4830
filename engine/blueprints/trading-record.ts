import { sql } from 'kysely';
import type { ORDER_ORIGINS, OrderStatus } from '../../db/entities/order.ts';
import type { Side, Venue } from '../../db/vocabulary.ts';
import { tradeHistory } from '../accounting/trade-history.ts';
import type { Work } from '../context.ts';
import { statusAtInSql } from '../fragments.ts';
import { nowInSql } from '../now-in-sql.ts';
import { type Trade, Trades } from '../statistics/trades.ts';
import { toIso } from '../time.ts';
import { readBlueprint } from './row.ts';

const TRADES_MAX = 200;
const FILLS_MAX = 600;
const FIRINGS_MAX = 200;

type Origin = (typeof ORDER_ORIGINS)[number];

/** Why a holding was left: settled by its venue, or sold by a step, by a person, or by what is written there. */
export type Leaving =
  | { readonly kind: 'settled'; readonly value: string }
  | {
      readonly kind: 'sold';
      readonly origin: Origin;
      readonly nodeId: string | null;
      readonly orderId: string;
    };

export type ClosedTrade = Trade & { readonly tokenId: string; readonly leaving: Leaving | null };

/** What a blueprint traded of one instrument: where it bought and sold, of more fills evenly so many. */
export type TradedInstrument = {
  readonly tokenId: string;
  readonly venue: Venue;
  readonly title: string;
  readonly fills: readonly { readonly atMs: number; readonly side: Side; readonly price: string }[];
  readonly fillCount: number;
};

/** A step that acted: the order that came of it. */
export type Firing = {
  readonly orderId: string;
  readonly nodeId: string;
  readonly at: string;
  readonly origin: Origin;
  readonly side: Side;
  readonly amount: string;
  readonly tokenId: string;
  readonly title: string;
  readonly status: OrderStatus;
  readonly reason: string | null;
};

export type TradingRecord = {
  readonly instruments: readonly TradedInstrument[];
  /** The newest first. */
  readonly trades: readonly ClosedTrade[];
  readonly tradeCount: number;
  /** The newest first. */
  readonly firings: readonly Firing[];
};

/**
 * What a blueprint did: where it bought and sold, what each way in and out came to, and which step acted when.
 *
 * @throws DomainError `not_found`.
 */
export async function tradingRecord(work: Work, blueprintId: string): Promise<TradingRecord> {
  await readBlueprint(work, blueprintId);
  const { events } = await tradeHistory(work, blueprintId);
  const held = await readHoldings(work, blueprintId);
  const record = new Trades();
  const closed = events.flatMap((event) => record.take(event) ?? []);
  const sales = Map.groupBy(await readSales(work, blueprintId), ({ position_id }) => position_id);
  const instruments = [...Map.groupBy(events, ({ holding }) => holding)].flatMap(([holding, ofIt]) => {
    const of = held.get(holding);
    const fills = ofIt.flatMap((event) =>
      event.kind === 'fill' ? [{ atMs: event.atMs, side: event.side, price: event.price }] : [],
    );
    return of === undefined ? [] : [{ ...of, fills: everyNth(fills, FILLS_MAX), fillCount: fills.length }];
  });
  return {
    instruments,
    trades: closed
      .slice(-TRADES_MAX)
      .reverse()
      .map((trade) => ({
        ...trade,
        tokenId: held.get(trade.holding)?.tokenId ?? trade.holding,
        leaving: leavingOf(trade, sales.get(trade.holding) ?? []),
      })),
    tradeCount: closed.length,
    firings: await readFirings(work, blueprintId),
  };
}

type Sale = { position_id: string; at: string; origin: Origin; node_id: string | null; order_id: string };

/** The sale that left nothing, the last one up to its end. Pure. */
export function leavingOf(
  { settledAt, closedAtMs }: Pick<Trade, 'settledAt' | 'closedAtMs'>,
  sales: readonly Omit<Sale, 'position_id'>[],
): Leaving | null {
  if (settledAt !== null) return { kind: 'settled', value: settledAt };
  const last = sales.filter(({ at }) => Date.parse(at) <= closedAtMs).at(-1);
  return last === undefined
    ? null
    : { kind: 'sold', origin: last.origin, nodeId: last.node_id, orderId: last.order_id };
}

function everyNth<Row>(rows: readonly Row[], max: number): Row[] {
  const step = Math.ceil(rows.length / max);
  return rows.filter((_, index) => step <= 1 || index % step === 0);
}

async function readHoldings({ db, accountId, mode }: Work, blueprintId: string) {
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

async function readSales({ db, accountId, mode }: Work, blueprintId: string): Promise<Sale[]> {
  const { rows } = await sql<Sale>`
    select a.position_id, f.at, o.origin, o.node_id, o.id as order_id
    from position p
      join fill_allocation a on a.account_id = p.account_id and a.position_id = p.id
      join fill f on f.account_id = a.account_id and f.id = a.fill_id and f.side = 'sell'
      join trade_order o on o.account_id = f.account_id and o.id = f.order_id
    where p.account_id = ${accountId} and p.mode = ${mode} and p.blueprint_id = ${blueprintId}
    order by f.at, f.seq`.execute(db);
  return rows;
}

async function readFirings(work: Work, blueprintId: string): Promise<Firing[]> {
  const { db, accountId, mode } = work;
  const rows = await db
    .selectFrom('trade_order as o')
    .innerJoin('instrument as i', 'i.token_id', 'o.token_id')
    .select(['o.id', 'o.node_id', 'o.created_at', 'o.origin', 'o.side', 'o.amount', 'o.token_id', 'i.title'])
    .select(['o.reason', statusAtInSql(await nowInSql(work), 'o').as('status')])
    .where('o.account_id', '=', accountId)
    .where('o.mode', '=', mode)
    .where('o.blueprint_id', '=', blueprintId)
    .where('o.node_id', 'is not', null)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(FIRINGS_MAX)
    .execute();
  return rows.flatMap(({ id, node_id, created_at, token_id, ...rest }) =>
    node_id === null
      ? []
      : [{ ...rest, orderId: id, nodeId: node_id, at: toIso(created_at), tokenId: token_id }],
  );
}

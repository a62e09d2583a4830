import { z } from 'zod';
import { ORDER_ORIGINS } from '../../../db/entities/order.ts';
import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { TRADE_SORTS, tradeId } from '../../../engine/usecases/blueprints/record/trade-page.ts';
import { closedTrades as closedTradesOf } from '../../../engine/usecases/blueprints/record/trading-record.ts';
import { BlueprintId } from '../../blueprints/schemas.ts';
import { decimalNumber, singleLineText, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';
import { TABLE_LIMIT_DEFAULT, TABLE_PAGE } from './table-page.ts';

const Leaving = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('settled'), value: decimalNumber }),
  z.object({
    kind: z.literal('sold'),
    origin: z.enum(ORDER_ORIGINS),
    nodeId: z.string().nullable(),
    orderId: z.uuid(),
  }),
]);

const Page = z.object({
  /** The number of trades that match the filter. */
  count: z.int(),
  rows: z.array(
    z.object({
      id: z.string(),
      tokenId: z.string(),
      venue: z.enum(VENUE_IDS),
      title: z.string(),
      openedAt: timestamp,
      closedAt: timestamp,
      entryPrice: decimalNumber,
      /** The mean price of all that was sold or settled; null if that is not one amount. */
      exitPrice: z.number().nullable(),
      fees: decimalNumber,
      pnl: decimalNumber,
      bought: decimalNumber,
      leaving: Leaving.nullable(),
    }),
  ),
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** The closed trades of a blueprint, in pages. */
export const closedTrades = procedure({ scope: 'portfolio:read' })
  .input(
    BlueprintId.extend({
      ...TABLE_PAGE,
      sort: z.enum(TRADE_SORTS).optional(),
      after: singleLineText(1, 100).optional(),
    }),
  )
  .output(Page)
  .query(async ({ ctx, input: { id, limit = TABLE_LIMIT_DEFAULT, ...filter } }) => {
    const { count, rows } = await closedTradesOf(ctx.work, id, { ...filter, limit });
    return {
      count,
      rows: rows.map((trade) => ({
        ...trade,
        id: tradeId(trade),
        openedAt: iso(trade.openedAtMs),
        closedAt: iso(trade.closedAtMs),
        exitPrice: exitPriceOf(trade),
      })),
    };
  });

/** The exit price of one unit; known if the whole bought amount was held at once. */
function exitPriceOf(trade: {
  bought: string;
  sold: string;
  entryPrice: string;
  amountMax: string;
}): number | null {
  const [bought, sold, entry, most] = [trade.bought, trade.sold, trade.entryPrice, trade.amountMax].map(
    Number,
  );
  if (!bought || !most || entry === undefined || sold === undefined) return null;
  return Math.abs(bought - entry * most) <= 1e-9 * bought ? sold / most : null;
}

import { z } from 'zod';
import { ORDER_ORIGINS, ORDER_STATUSES } from '../../db/entities/order.ts';
import { SIDES, VENUE_IDS } from '../../db/vocabulary.ts';
import { tradingRecord } from '../../engine/blueprints/trading-record.ts';
import { BlueprintId } from '../blueprints/schemas.ts';
import { decimalNumber, timestamp } from '../schemas.ts';
import { procedure } from '../trpc.ts';

const Leaving = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('settled'), value: decimalNumber }),
  z.object({
    kind: z.literal('sold'),
    origin: z.enum(ORDER_ORIGINS),
    nodeId: z.string().nullable(),
    orderId: z.uuid(),
  }),
]);

const Trading = z.object({
  instruments: z.array(
    z.object({
      tokenId: z.string(),
      venue: z.enum(VENUE_IDS),
      title: z.string(),
      fills: z.array(z.object({ at: timestamp, side: z.enum(SIDES), price: decimalNumber })),
      fillCount: z.int(),
    }),
  ),
  trades: z.array(
    z.object({
      tokenId: z.string(),
      openedAt: timestamp,
      closedAt: timestamp,
      amountMax: decimalNumber,
      entryPrice: decimalNumber,
      /** The mean price of all that was sold or settled; null where that is not one amount. */
      exitPrice: z.number().nullable(),
      fees: decimalNumber,
      pnl: decimalNumber,
      bought: decimalNumber,
      leaving: Leaving.nullable(),
    }),
  ),
  tradeCount: z.int(),
  firings: z.array(
    z.object({
      orderId: z.uuid(),
      nodeId: z.string(),
      at: timestamp,
      origin: z.enum(ORDER_ORIGINS),
      side: z.enum(SIDES),
      amount: decimalNumber,
      tokenId: z.string(),
      title: z.string(),
      status: z.enum(ORDER_STATUSES),
      reason: z.string().nullable(),
    }),
  ),
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** What a blueprint did, for its pictures: fills on prices, what each way in and out came to, and which step acted when. */
export const trading = procedure({ scope: 'portfolio:read' })
  .input(BlueprintId)
  .output(Trading)
  .query(async ({ ctx, input: { id } }) => {
    const { instruments, trades, tradeCount, firings } = await tradingRecord(ctx.work, id);
    return {
      instruments: instruments.map(({ fills, ...rest }) => ({
        ...rest,
        fills: fills.map(({ atMs, ...fill }) => ({ ...fill, at: iso(atMs) })),
      })),
      trades: trades.map(({ openedAtMs, closedAtMs, ...trade }) => ({
        ...trade,
        openedAt: iso(openedAtMs),
        closedAt: iso(closedAtMs),
        exitPrice: exitPriceOf(trade),
      })),
      tradeCount,
      firings: [...firings],
    };
  });

/** What one unit brought; known where all that was bought was held at once. */
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

import { z } from 'zod';
import { MARKET_STATUSES, VENUE_IDS } from '../../../db/vocabulary.ts';
import { notFound } from '../../../engine/platform/errors.ts';
import { tickAt } from '../../../venues/port.ts';
import { decimalNumber, singleLineText, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const LEVELS_MAX = 50;

const Level = z.object({ price: decimalNumber, size: decimalNumber });

const MarketNow = z.object({
  tokenId: z.string(),
  venue: z.enum(VENUE_IDS),
  title: z.string(),
  outcome: z.string(),
  status: z.enum(MARKET_STATUSES),
  tradable: z.boolean(),
  tickSize: decimalNumber,
  stepSize: decimalNumber,
  minSize: decimalNumber,
  closesAt: timestamp.nullable(),
  bids: z.array(Level),
  asks: z.array(Level),
  asOf: timestamp,
  /** The feed’s clock at the time of the answer. The age of the book can be computed from it in a simulated world too. */
  now: timestamp,
});

/** One instrument of any venue with its current book, for a person to read before a decision. */
export const market = procedure({ scope: 'market_data:read' })
  .input(z.strictObject({ tokenId: singleLineText(1, 200) }))
  .output(MarketNow)
  .query(async ({ ctx, input: { tokenId } }) => {
    const info = await ctx.market.instrument(tokenId);
    if (info === null) throw notFound();
    const book = await ctx.market.orderBook(tokenId);
    return {
      tokenId,
      venue: info.venue,
      title: info.title,
      outcome: info.outcome,
      status: info.status,
      tradable: info.tradable,
      tickSize: tickAt(info, book.bids[0]?.price ?? book.asks[0]?.price ?? '0.5'),
      stepSize: info.stepSize,
      minSize: info.minSize,
      closesAt: info.closesAt,
      bids: book.bids.slice(0, LEVELS_MAX),
      asks: book.asks.slice(0, LEVELS_MAX),
      asOf: book.asOf,
      now: new Date(ctx.market.now()).toISOString(),
    };
  });

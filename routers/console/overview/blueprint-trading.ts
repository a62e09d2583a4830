import { z } from 'zod';
import { SIDES, VENUE_IDS } from '../../../db/vocabulary.ts';
import { namesOfActingSteps } from '../../../engine/trading/orders/read/step-orders.ts';
import { readPriceLevels } from '../../../engine/usecases/blueprints/record/price-levels.ts';
import { tradedInstruments } from '../../../engine/usecases/blueprints/record/trading-record.ts';
import { BlueprintId } from '../../blueprints/schemas.ts';
import { decimalNumber, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const Trading = z.object({
  instruments: z.array(
    z.object({
      tokenId: z.string(),
      venue: z.enum(VENUE_IDS),
      title: z.string(),
      fills: z.array(z.object({ at: timestamp, side: z.enum(SIDES), price: decimalNumber })),
      fillCount: z.int(),
      /** Levels of its open position; none without one. */
      levels: z.array(
        z.object({
          kind: z.enum(['entry', 'stop', 'takeProfit', 'trailing', 'target']),
          price: decimalNumber,
        }),
      ),
    }),
  ),
  /** The steps that ever acted. */
  steps: z.array(z.string()),
});

/** The buys and sells of a blueprint, for its charts, and those of its steps that ever acted. */
export const trading = procedure({ scope: 'portfolio:read' })
  .input(BlueprintId)
  .output(Trading)
  .query(async ({ ctx, input: { id } }) => {
    const instruments = await tradedInstruments(ctx.work, id);
    const levels = await readPriceLevels(ctx.work, id);
    return {
      instruments: instruments.map(({ fills, ...rest }) => ({
        ...rest,
        levels: levels
          .filter(({ tokenId }) => tokenId === rest.tokenId)
          .map(({ kind, price }) => ({ kind, price })),
        fills: fills.map(({ atMs, ...fill }) => ({ ...fill, at: new Date(atMs).toISOString() })),
      })),
      steps: await namesOfActingSteps(ctx.work, id),
    };
  });

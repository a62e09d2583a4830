import { z } from 'zod';
import { PRICE_SOURCES, priceHistory } from '../../../engine/platform/price-source.ts';
import { procedure } from '../../trpc.ts';

const Prices = z.object({
  /** Whose prices orders are filled against now. */
  source: z.enum(PRICE_SOURCES),
  /** On which this account traded; null where that was not written down yet. */
  traded: z.array(z.enum(PRICE_SOURCES).nullable()),
});

/** Whether the numbers of this account are of real prices: no page may say so unless this does. */
export const prices = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(Prices)
  .query(async ({ ctx }) => {
    const { now, traded } = await priceHistory(ctx.work);
    return { source: now ?? ctx.entrance.prices, traded };
  });

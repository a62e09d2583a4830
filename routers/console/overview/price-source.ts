import { z } from 'zod';
import { PRICE_SOURCES, priceSourceHistory } from '../../../engine/platform/price-source.ts';
import { procedure } from '../../trpc.ts';

const Prices = z.object({
  /** The source of the prices that orders are filled against now. */
  source: z.enum(PRICE_SOURCES),
  /** The sources that this account traded on; null if that was not recorded yet. */
  traded: z.array(z.enum(PRICE_SOURCES).nullable()),
});

/** Whether the numbers of this account come from real prices. No page may claim so unless this does. */
export const prices = procedure({ scope: 'portfolio:read' })
  .input(z.strictObject({}))
  .output(Prices)
  .query(async ({ ctx }) => {
    const { now, traded } = await priceSourceHistory(ctx.work);
    return { source: now ?? ctx.signInOptions.prices, traded };
  });

import { z } from 'zod';
import { SeriesRule } from '../../../engine/strategy/graph/series-lists.ts';
import { resolveRule } from '../../../engine/usecases/series/resolve-series.ts';
import { limitVenueLookUps } from '../../limit-venue-look-ups.ts';
import { listOf } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

/** The instruments that a list by a series has now, in the order of their opening; or a sentence that says why it has none. */
export const seriesMembers = procedure({ scope: 'market_data:read', bucket: 'market_data' })
  .input(SeriesRule)
  .output(z.object({ tokenIds: listOf(z.string()), problem: z.string().nullable() }))
  .query(async ({ ctx, input }) => {
    const found = await resolveRule(ctx.work.db, input, {
      market: ctx.market,
      admit: limitVenueLookUps(ctx),
    });
    return found.ok
      ? { tokenIds: [...found.tokenIds], problem: null }
      : { tokenIds: [], problem: found.message };
  });

import { z } from 'zod';
import { venuesOfKind } from '../../../venues/catalogue.ts';
import type { History } from '../../../venues/port.ts';
import { HISTORY_INTERVALS } from '../../../venues/views.ts';
import { limitVenueLookUps } from '../../limit-venue-look-ups.ts';
import { decimalNumber, listOf, singleLineText, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

/** One chart draws at most this many lines. */
const REFS_MAX = 4;

const Line = z.object({
  ref: z.string(),
  /** Null: the venue did not give the history of this market. */
  points: listOf(z.object({ t: timestamp, p: decimalNumber })).nullable(),
});

/**
 * The histories of markets of one venue, in the order of the request, in one read. Each of them counts as a market data request. A
 * market whose history fails has none; the whole read fails only if all of them do.
 */
export const histories = procedure({ scope: 'market_data:read', bucket: 'market_data' })
  .input(
    z.strictObject({
      venue: z.enum(venuesOfKind('outcome')),
      refs: z
        .array(singleLineText(1, 100))
        .min(1)
        .max(REFS_MAX)
        .refine((refs) => new Set(refs).size === refs.length, { error: 'names a market twice' }),
      interval: z.enum(HISTORY_INTERVALS),
    }),
  )
  .output(listOf(Line))
  .query(async ({ ctx, input: { venue, refs, interval } }) => {
    const admit = limitVenueLookUps(ctx);
    for (const _ of refs.slice(1)) await admit();
    const at = ctx.market.at(venue);
    const settled = await Promise.allSettled(refs.map((ref) => at.history(ref, interval)));
    const [first] = settled;
    if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected'))
      throw first.reason;
    return refs.map((ref, index) => ({ ref, points: pointsOf(settled[index]) }));
  });

const pointsOf = (settled: PromiseSettledResult<History> | undefined) =>
  settled?.status === 'fulfilled' ? settled.value.points.map(({ t, p }) => ({ t, p })) : null;

import { z } from 'zod';
import { indicatorCurves } from '../../../engine/usecases/blueprints/record/indicator-curves.ts';
import { BlueprintId } from '../../blueprints/schemas.ts';
import { moment, singleLineText, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

/** The number of candles of a chart, with a margin. */
const INSTANTS_MAX = 200;
/** A time in an answer has a year of four digits. */
const LAST_MS = Date.UTC(9999, 11, 31);

const IndicatorCurveView = z.object({
  nodeId: z.string(),
  name: z.string(),
  /** Whether it can be drawn over the price. */
  isPrice: z.boolean(),
  points: z.array(z.object({ at: timestamp, value: z.number() })),
});

/**
 * The values of a blueprint’s indicators for an instrument at the end of each of `count` spans of `stepSec`. A point has the
 * time of its span's beginning.
 */
export const indicators = procedure({ scope: 'blueprints:read', bucket: 'market_data' })
  .input(
    BlueprintId.extend({
      tokenId: singleLineText(1, 200),
      from: moment,
      stepSec: z
        .int()
        .min(60)
        .max(7 * 86_400),
      count: z.int().min(1).max(INSTANTS_MAX),
    }).refine(({ from, stepSec, count }) => Date.parse(from) + stepSec * 1_000 * count <= LAST_MS, {
      error: 'the last of them lies beyond the year 9999',
    }),
  )
  .output(z.array(IndicatorCurveView))
  .query(async ({ ctx, input: { id, tokenId, from, stepSec, count } }) => {
    const stepMs = stepSec * 1_000;
    const fromMs = Date.parse(from);
    const instantsMs = Array.from({ length: count }, (_, index) => fromMs + stepMs * (index + 1));
    const curves = await indicatorCurves(ctx.work, ctx.market, { id, tokenId, instantsMs });
    return curves.map(({ points, ...rest }) => ({
      ...rest,
      points: points.map(({ atMs, value }) => ({ at: new Date(atMs - stepMs).toISOString(), value })),
    }));
  });

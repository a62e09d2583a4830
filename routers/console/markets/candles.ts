import { z } from 'zod';
import { CANDLE_INTERVALS } from '../../../venues/views.ts';
import { decimalNumber, moment, singleLineText, timestamp } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const PAGE = 100;

const Bar = z.object({
  t: timestamp,
  o: decimalNumber,
  h: decimalNumber,
  l: decimalNumber,
  c: decimalNumber,
  v: decimalNumber,
});

/** The candles of a coin that closed before an instant, ascending: at most {@link PAGE}, none if the venue has no older ones. */
export const candles = procedure({ scope: 'market_data:read' })
  .input(
    z.strictObject({ symbol: singleLineText(1, 20), interval: z.enum(CANDLE_INTERVALS), before: moment }),
  )
  .output(z.array(Bar))
  .query(async ({ ctx, input: { symbol, interval, before } }) => {
    // The venue refuses instants before 1970.
    const range = { limit: PAGE, endTime: Math.max(1, Date.parse(before)) };
    const found = await ctx.market.at('crypto').closedCandles(symbol, interval, range);
    return found.map(({ openTimeMs, open, high, low, close, volume }) => ({
      t: new Date(openTimeMs).toISOString(),
      o: open,
      h: high,
      l: low,
      c: close,
      v: volume,
    }));
  });

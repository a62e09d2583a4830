import { z } from 'zod';
import { SIDES } from '../../../db/vocabulary.ts';
import { readResultCharts } from '../../../engine/research/backtests/result-charts.ts';
import { decimalNumber, timestamp, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const Candle = z.object({
  at: timestamp,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number().nullable(),
});

const Instrument = z.object({
  tokenId: z.string(),
  candles: z.array(Candle),
  fills: z.array(z.object({ at: timestamp, side: z.enum(SIDES), price: decimalNumber })),
  /** The number of all fills; of many, `fills` has whole cycles evenly over the range. */
  fillCount: z.int(),
});

const Picture = z.object({
  equity: z.array(z.object({ at: timestamp, equity: decimalNumber, drawdown: z.number() })),
  hold: z.array(z.object({ at: timestamp, equity: z.number() })),
  instruments: z.array(Instrument),
  bins: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })),
  nodeLabels: z.array(z.object({ nodeId: z.string(), label: z.string() })),
});

const withTime = <Row extends { readonly atMs: number }>({ atMs, ...rest }: Row) => ({
  ...rest,
  at: new Date(atMs).toISOString(),
});

/** The chart data of a backtest: curves, fills on prices, and how trades ended, in some hundreds of points each. */
export const backtestPicture = procedure({ scope: 'blueprints:read' })
  .input(z.strictObject({ id: uuid }))
  .output(Picture)
  .query(async ({ ctx, input: { id } }) => {
    const { equity, hold, instruments, bins, nodeLabels } = await readResultCharts(
      ctx.work,
      ctx.historyArchive,
      id,
    );
    return {
      equity: equity.map(withTime),
      hold: hold.map(withTime),
      instruments: instruments.map(({ candles, fills, ...rest }) => ({
        ...rest,
        candles: candles.map(withTime),
        fills: [...fills],
      })),
      bins: [...bins],
      nodeLabels: [...nodeLabels],
    };
  });

import { z } from 'zod';
import { readRows } from '../../../engine/research/backtests/read.ts';
import { TradeView, viewTrade } from '../../backtests/trades.ts';
import { listOf, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const LIMIT_MAX = 500;

/** Trades of a backtest from any index on: a scrolled list requests its visible rows. */
export const backtestTrades = procedure({ scope: 'blueprints:read' })
  .input(z.strictObject({ id: uuid, from: z.int().min(0), limit: z.int().min(1).max(LIMIT_MAX) }))
  .output(listOf(TradeView))
  .query(async ({ ctx, input: { id, from, limit } }) =>
    (await readRows(ctx.work, id, { kind: 'trade', from, limit })).map(viewTrade),
  );

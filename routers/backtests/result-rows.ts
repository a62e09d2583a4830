import type { z } from 'zod';
import { readRows } from '../../engine/research/backtests/read.ts';
import type { PartKind } from '../../engine/research/playback/input.ts';
import type { AccountContext } from '../context.ts';
import { PageCursor } from '../cursor.ts';
import { cutCounted, offsetOf } from '../pages.ts';
import type { Call } from '../reply.ts';
import { queryInteger } from '../schemas.ts';
import { BacktestId } from './schemas.ts';

const LIMIT_MAX = 500;
const LIMIT_DEFAULT = 100;

/** The input of a page of a result. */
export const ResultRowsInput = BacktestId.extend({
  limit: queryInteger(1, LIMIT_MAX).optional().meta({ description: 'Most rows to return; 100 by default.' }),
  cursor: PageCursor,
});

/** A page of the rows of one kind, oldest first. */
export async function resultPageOf<Kind extends PartKind>(
  { ctx, reply, input }: Call<AccountContext, z.output<typeof ResultRowsInput>>,
  kind: Kind,
) {
  const { id, limit = LIMIT_DEFAULT, cursor } = input;
  const list = `backtest ${id} ${kind}`;
  const offset = offsetOf(ctx, cursor, list);
  const rows = await readRows(ctx.work, id, { kind, from: offset, limit: limit + 1 });
  return cutCounted({ ctx, reply }, rows, { list, limit, offset });
}

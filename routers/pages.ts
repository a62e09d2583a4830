import type { AccountContext } from './context.ts';
import { Cursors, type Position } from './cursor.ts';
import type { Call } from './reply.ts';

type Filters = Record<string, string | undefined>;
type List = {
  list: 'blueprints' | 'orders' | 'audit' | 'backtests' | 'sweeps' | 'deliveries';
  filters: Filters;
};

/** The start of a list, from the caller's cursor. */
export function startOf(ctx: AccountContext, cursor: string | undefined, list: List): Position | null {
  if (cursor === undefined) return null;
  return new Cursors(ctx.cursorSecret).read(cursor, { ...list, accountId: ctx.work.accountId });
}

/**
 * Cuts a list that was read one row past its limit, and returns the next page in `Link: …; rel="next"`
 * (RFC 8288). The path is relative to the API's own origin.
 */
export function cutPage<Row>(
  { ctx, reply }: Pick<Call<AccountContext, unknown>, 'ctx' | 'reply'>,
  rows: readonly Row[],
  page: List & { limit: number; positionOf: (row: Row) => Position },
): readonly Row[] {
  const { list, filters, limit, positionOf } = page;
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return rows;
  linkNext({ ctx, reply }, positionOf(last), { list, filters, limit });
  return rows.slice(0, limit);
}

/** Sends the link to the page after a position. */
export function linkNext(
  { ctx, reply }: Pick<Call<AccountContext, unknown>, 'ctx' | 'reply'>,
  last: Position,
  { list, filters, limit }: List & { limit: number },
): void {
  const cursor = new Cursors(ctx.cursorSecret).write(last, {
    list,
    filters,
    accountId: ctx.work.accountId,
  });
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  reply.next(ctx.path, query, cursor);
}

type CountedList = { list: string; filters?: Filters; limit: number };

/** The start of a list of counted rows: the number of rows before. */
export function offsetOf(
  ctx: AccountContext,
  cursor: string | undefined,
  list: string,
  filters: Filters = {},
): number {
  if (cursor === undefined) return 0;
  return new Cursors(ctx.cursorSecret).readOffset(cursor, {
    list,
    filters,
    accountId: ctx.work.accountId,
  });
}

/** As {@link cutPage}, for counted rows with `offset` rows before them. */
export function cutCounted<Row>(
  { ctx, reply }: Pick<Call<AccountContext, unknown>, 'ctx' | 'reply'>,
  rows: readonly Row[],
  { list, filters = {}, limit, offset }: CountedList & { offset: number },
): readonly Row[] {
  if (rows.length <= limit) return rows;
  const cursor = new Cursors(ctx.cursorSecret).writeOffset(offset + limit, {
    list,
    filters,
    accountId: ctx.work.accountId,
  });
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  reply.next(ctx.path, query, cursor);
  return rows.slice(0, limit);
}

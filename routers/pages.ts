import { Cursors, type Position } from './cursor.ts';
import type { Context } from './trpc.ts';

type Filters = Record<string, string | undefined>;
type PageContext = Context & { work: { accountId: string } };

/** Where a list starts, from the cursor the caller sent. */
export function startOf(ctx: PageContext, cursor: string | undefined, filters: Filters): Position | null {
  if (cursor === undefined) return null;
  return new Cursors(ctx.cursorSecret).read(cursor, ctx.work.accountId, filters);
}

/**
 * Cuts a list that was read one row past its limit, and says where the rest is in `Link: …; rel="next"`
 * (RFC 8288). The path is relative to the API's own origin.
 */
export function cutPage<Row>(
  ctx: PageContext,
  rows: readonly Row[],
  page: { limit: number; filters: Filters; positionOf: (row: Row) => Position },
): readonly Row[] {
  const last = rows[page.limit - 1];
  if (rows.length <= page.limit || last === undefined) return rows;
  const query = new URLSearchParams({ limit: String(page.limit) });
  for (const [name, value] of Object.entries(page.filters)) if (value !== undefined) query.set(name, value);
  query.set(
    'cursor',
    new Cursors(ctx.cursorSecret).write(page.positionOf(last), ctx.work.accountId, page.filters),
  );
  ctx.replyHeaders['Link'] = `<${ctx.path}?${query}>; rel="next"`;
  return rows.slice(0, page.limit);
}

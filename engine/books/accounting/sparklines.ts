import { sql } from 'kysely';
import type { Work } from '../../platform/context.ts';

const SPAN_MS = 7 * 86_400_000;
/** Points of a sparkline in a table. */
const POINTS = 42;

/** A blueprint's cumulative result at instants of the last week, oldest first, USD. */
export type Sparkline = { readonly blueprintId: string; readonly made: readonly number[] };

/**
 * Reads a sparkline for every blueprint that traded: the last stored point of each of equal spans, from its first point of the
 * week until now.
 */
export async function readSparklines(work: Work): Promise<Sparkline[]> {
  const now = await work.clock(work.db);
  const { rows } = await sql<{ blueprint_id: string; made: number[] }>`
    select blueprint_id, array_agg(made order by at) as made from (
      select distinct on (blueprint_id, stretch) blueprint_id, at, (realized_pnl + unrealized_pnl)::float8 as made,
        width_bucket(extract(epoch from at), min(extract(epoch from at)) over (partition by blueprint_id),
          extract(epoch from ${now}::timestamptz) + 1, ${POINTS}) as stretch
      from blueprint_equity
      where account_id = ${work.accountId} and mode = ${work.mode} and at > ${new Date(now.getTime() - SPAN_MS)} and at <= ${now}
      order by blueprint_id, stretch, at desc
    ) last group by blueprint_id`.execute(work.db);
  return rows.map(({ blueprint_id, made }) => ({ blueprintId: blueprint_id, made }));
}

import { sql } from 'kysely';
import { PRICE_SOURCES, type PriceSource } from '../../db/entities/market.ts';
import type { Db } from '../../db/tables.ts';
import type { Work } from './context.ts';

export { PRICE_SOURCES, type PriceSource } from '../../db/entities/market.ts';

/** Writes down whose prices are traded on from `now` on, where that is not what was written last. */
export async function notePriceSource(db: Db, source: PriceSource, now: Date): Promise<void> {
  await sql`
    insert into price_period (since, source)
    select ${now}::timestamptz, ${source}
    where (select source from price_period order by since desc limit 1) is distinct from ${source}
    on conflict do nothing`.execute(db);
}

/** Whether an account at a venue was ever connected while prices were simulated, so that live books may hold money that is none. */
export async function hasSimulatedConnections(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with period as (select since, source, lead(since) over (order by since) as until from price_period)
    select exists (
      select 1 from period join venue_connection c
        on c.created_at >= period.since and (period.until is null or c.created_at < period.until)
      where period.source = 'simulator') as found`.execute(db);
  return rows[0]?.found === true;
}

/** The source of the prices at a moment that a query speaks of, or null where none was written down by then. */
export const priceSourceAt = (moment: string) =>
  sql<PriceSource | null>`(select source from price_period where since <= ${sql.ref(moment)} order by since desc limit 1)`;

/** Whose prices the account trades on now, and on which it traded before. Null stands for what was never written down. */
export type PriceHistory = { now: PriceSource | null; traded: (PriceSource | null)[] };

export async function priceHistory(work: Work): Promise<PriceHistory> {
  const { rows } = await sql<{ source: PriceSource | null; current: boolean; traded: boolean }>`
    with period as (
      select source, since, lead(since) over (order by since) as until from price_period
      union all
      select null, null, (select min(since) from price_period)
    )
    select source, until is null and source is not null as current, exists (
      select 1 from fill where account_id = ${work.accountId} and mode = ${work.mode} and kind = 'trade'
        and (since is null or applied_at >= since) and (until is null or applied_at < until)) as traded
    from period`.execute(work.db);
  const traded = new Set(rows.filter((row) => row.traded).map(({ source }) => source));
  return {
    now: rows.find(({ current }) => current)?.source ?? null,
    traded: [...PRICE_SOURCES, null].filter((source) => traded.has(source)),
  };
}

import { sql } from 'kysely';
import { PRICE_SOURCES, type PriceSource } from '../../db/entities/market.ts';
import type { Db } from '../../db/tables.ts';
import type { Work } from './context.ts';

export { PRICE_SOURCES, type PriceSource } from '../../db/entities/market.ts';

/** Records the price source from `now` on, if it differs from the last recorded one. */
export async function recordPriceSource(db: Db, source: PriceSource, now: Date): Promise<void> {
  await sql`
    insert into price_period (since, source)
    select ${now}::timestamptz, ${source}
    where (select source from price_period order by since desc limit 1) is distinct from ${source}
    on conflict do nothing`.execute(db);
}

/** Whether an account was ever connected to a venue while prices were simulated. Live books may then hold simulated money. */
export async function hasSimulatedConnections(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with period as (select since, source, lead(since) over (order by since) as until from price_period)
    select exists (
      select 1 from period join venue_connection c
        on c.created_at >= period.since and (period.until is null or c.created_at < period.until)
      where period.source = 'simulator') as found`.execute(db);
  return rows[0]?.found === true;
}

/** SQL for the price source at an instant named by a query; null if none was recorded by then. */
export const priceSourceInSql = (moment: string) =>
  sql<PriceSource | null>`(select source from price_period where since <= ${sql.ref(moment)} order by since desc limit 1)`;

/** The price source on which the account trades now, and those on which it traded before. Null: not recorded. */
export type PriceSourceHistory = { now: PriceSource | null; traded: (PriceSource | null)[] };

export async function priceSourceHistory(work: Work): Promise<PriceSourceHistory> {
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

import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import { type InstrumentInfo, type PriceRange, VenueError } from '../../../../venues/port.ts';
import { type InstrumentRow, instrumentOf } from '../row.ts';

/** Maximum age of terms for a new deployment or a preview; older terms are requested from the venue at once. */
export const TERMS_MAX_AGE_MS = 300_000;
/** Maximum age of incomplete terms: the venue may state the rest shortly after. */
const INCOMPLETE_MAX_AGE_MS = 2_000;

/** Source of instrument terms. */
type Terms = { instrument(tokenId: string): Promise<InstrumentInfo | null> };

/**
 * Returns the stored instrument, requested from its venue on first use; null if no venue knows it. Instruments with another
 * quote currency than USD, USDT and USDC, or an unknown fee formula, are stored as not tradable: data only.
 *
 * @throws VenueError while the venue is unavailable.
 */
export async function ensureInstrument(
  db: Db,
  marketData: Terms,
  tokenId: string,
): Promise<InstrumentRow | null> {
  return (await findInstrument(db, tokenId))?.row ?? requestAndStore(db, marketData, tokenId);
}

/**
 * Returns the instrument with recent terms: at most five minutes old, or two seconds if they are incomplete. While the venue is
 * unavailable, older complete terms are used.
 *
 * @throws VenueError while the venue is unavailable and there are no complete terms.
 */
export async function freshInstrument(
  db: Db,
  marketData: Terms,
  tokenId: string,
): Promise<InstrumentRow | null> {
  const known = await findInstrument(db, tokenId);
  if (known?.isFresh) return known.row;
  try {
    return await requestAndStore(db, marketData, tokenId);
  } catch (error) {
    if (known?.row.tradable && error instanceof VenueError) return known.row;
    throw error;
  }
}

/**
 * Updates a stored instrument with the venue's terms. A fee missing now keeps its stored value, so that holdings can be sold;
 * buys are then refused. Terms can close a market, only a quote opens it again. A settlement value stays once stated.
 */
export async function updateTerms(db: Db, info: InstrumentInfo): Promise<void> {
  const c = columnsOf(info);
  await sql`
    update instrument set (title, contract, series, opens_at, closes_at, tick_size, price_ranges, step_size, min_size, min_notional, fee_schedule,
        quote_currency, tradable, status, settlement_value, terms_at, delisted_at, updated_at) =
      (c.title, c.contract, c.series, c.opens_at, c.closes_at, c.tick_size, c.price_ranges, c.step_size, c.min_size, c.min_notional, c.fee_schedule,
        c.quote_currency, c.tradable, c.status, c.settlement_value, clock_timestamp(), null,
        case when (instrument.title, instrument.contract, instrument.series, instrument.opens_at, instrument.closes_at, instrument.tick_size, instrument.price_ranges, instrument.step_size,
            instrument.min_size, instrument.min_notional, instrument.fee_schedule, instrument.quote_currency,
            instrument.tradable, instrument.status, instrument.settlement_value) is distinct from
          (c.title, c.contract, c.series, c.opens_at, c.closes_at, c.tick_size, c.price_ranges, c.step_size, c.min_size, c.min_notional, c.fee_schedule,
            c.quote_currency, c.tradable, c.status, c.settlement_value)
          then clock_timestamp() else instrument.updated_at end)
    from (
      select i.token_id, ${c.title}::varchar as title, ${c.contract}::varchar as contract,
        coalesce(${c.series}::varchar, i.series) as series,
        coalesce(${c.opens_at}::timestamptz(3), i.opens_at) as opens_at, ${c.closes_at}::timestamptz(3) as closes_at,
        ${c.tick_size}::numeric as tick_size, ${c.price_ranges}::jsonb as price_ranges,
        ${c.step_size}::numeric as step_size, ${c.min_size}::numeric as min_size,
        ${c.min_notional}::numeric as min_notional, ${c.quote_currency}::varchar as quote_currency,
        ${c.tradable}::boolean as tradable,
        case when ${c.fee_schedule}::jsonb = 'null' then i.fee_schedule else ${c.fee_schedule}::jsonb end as fee_schedule,
        case when i.settlement_value is null and ${c.status}::text <> 'open' then ${c.status}::text else i.status end
          as status,
        coalesce(i.settlement_value, ${c.settlement_value}::numeric) as settlement_value
      from instrument i where i.token_id = ${c.token_id}
    ) c
    where instrument.token_id = c.token_id`.execute(db);
}

/** Marks an instrument as delisted by its venue, once. New terms clear the mark. */
export async function markDelisted(db: Db, tokenId: string): Promise<void> {
  await sql`update instrument set delisted_at = clock_timestamp(), updated_at = clock_timestamp()
    where token_id = ${tokenId} and delisted_at is null`.execute(db);
}

async function requestAndStore(db: Db, marketData: Terms, tokenId: string): Promise<InstrumentRow | null> {
  const info = await marketData.instrument(tokenId);
  if (info === null) return null;
  await storeInstrument(db, info);
  return (await findInstrument(db, tokenId))?.row ?? null;
}

/** Stores an instrument as its venue states it now. */
export async function storeInstrument(db: Db, info: InstrumentInfo): Promise<void> {
  await db
    .insertInto('instrument')
    .values({
      ...columnsOf(info),
      terms_at: sql<string>`clock_timestamp()`,
      updated_at: sql<string>`clock_timestamp()`,
    })
    .onConflict((conflict) => conflict.column('token_id').doNothing())
    .execute();
  await updateTerms(db, info);
}

/** A stored instrument, and whether its terms are recent. */
export type KnownInstrument = { row: InstrumentRow; isFresh: boolean };

/** Finds which of these instruments are stored, by token. */
export async function findInstruments(
  db: Db,
  tokenIds: readonly string[],
): Promise<Map<string, KnownInstrument>> {
  const rows = await db
    .selectFrom('instrument')
    .selectAll()
    .select(sql<number | null>`extract(epoch from clock_timestamp() - terms_at)::float8 * 1000`.as('age_ms'))
    .where('token_id', '=', sql<string>`any(${tokenIds}::text[])`)
    .execute();
  return new Map(
    rows.map(({ age_ms, ...row }) => {
      const maxAgeMs = row.tradable ? TERMS_MAX_AGE_MS : INCOMPLETE_MAX_AGE_MS;
      // Terms from the future come from a clock that went back.
      return [
        row.token_id,
        { row: instrumentOf(row), isFresh: age_ms !== null && Math.abs(age_ms) <= maxAgeMs },
      ];
    }),
  );
}

const findInstrument = async (db: Db, tokenId: string): Promise<KnownInstrument | null> =>
  (await findInstruments(db, [tokenId])).get(tokenId) ?? null;

const columnsOf = (info: InstrumentInfo) => ({
  token_id: info.tokenId,
  venue: info.venue,
  kind: info.kind,
  market: info.market,
  series: info.series,
  outcome: info.outcome,
  contract: info.contract ?? null,
  title: info.title,
  tick_size: info.tickSize,
  price_ranges: JSON.stringify(ascending(info.priceRanges)),
  step_size: info.stepSize,
  min_size: info.minSize,
  min_notional: info.minNotional ?? '0',
  fee_schedule: JSON.stringify(info.feeSchedule),
  quote_currency: info.quoteCurrency,
  delisted_at: null,
  tradable: info.tradable && info.feeSchedule !== null,
  opens_at: info.opensAt,
  closes_at: info.closesAt,
  status: info.status,
  settlement_value: info.settlementValue,
});

const ascending = (ranges: readonly PriceRange[]): PriceRange[] =>
  ranges.toSorted((a, b) => Number(a.start) - Number(b.start));

import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { InstrumentInfo, PriceRange } from '../../venues/port.ts';
import type { InstrumentRow } from './row.ts';

/**
 * The stored instrument, asked of its venue on first use; null where no venue knows it. Instruments quoted in
 * anything but USD, USDT and USDC, or charged in a way we do not know, are stored as not tradable: data only.
 *
 * @throws VenueError while the venue is in trouble.
 */
export async function ensureInstrument(
  db: Db,
  marketData: { instrument(tokenId: string): Promise<InstrumentInfo | null> },
  tokenId: string,
): Promise<InstrumentRow | null> {
  const known = await findInstrument(db, tokenId);
  if (known !== null) return known;
  const info = await marketData.instrument(tokenId);
  if (info === null) return null;
  await db
    .insertInto('instrument')
    .values(columnsOf(info))
    .onConflict((conflict) => conflict.column('token_id').doNothing())
    .execute();
  return findInstrument(db, tokenId);
}

/**
 * Takes over what the venue has changed of a stored instrument: when it closes, and the steps and minima it trades in.
 * Its status and what it pays come with its quotes.
 */
export async function updateTerms(db: Db, info: InstrumentInfo, at: Date): Promise<void> {
  const { closes_at, tick_size, price_ranges, step_size, min_size, min_notional } = columnsOf(info);
  await db
    .updateTable('instrument')
    .set({ closes_at, tick_size, price_ranges, step_size, min_size, min_notional, updated_at: at })
    .where('token_id', '=', info.tokenId)
    .where(
      sql<boolean>`(closes_at, tick_size, price_ranges, step_size, min_size, min_notional) is distinct from
        (${closes_at}::timestamptz, ${tick_size}::numeric, ${price_ranges}::jsonb, ${step_size}::numeric,
        ${min_size}::numeric, ${min_notional}::numeric)`,
    )
    .execute();
}

/** Those of these instruments that are stored, by token. */
export async function findInstruments(
  db: Db,
  tokenIds: readonly string[],
): Promise<Map<string, InstrumentRow>> {
  const rows = await db
    .selectFrom('instrument')
    .selectAll()
    .where('token_id', '=', sql<string>`any(${tokenIds}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.token_id, row]));
}

async function findInstrument(db: Db, tokenId: string): Promise<InstrumentRow | null> {
  const row = await db
    .selectFrom('instrument')
    .selectAll()
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  return row ?? null;
}

const columnsOf = (info: InstrumentInfo) => ({
  token_id: info.tokenId,
  venue: info.venue,
  market: info.market,
  outcome: info.outcome,
  title: info.title,
  tick_size: info.tickSize,
  price_ranges: JSON.stringify(ascending(info.priceRanges)),
  step_size: info.stepSize,
  min_size: info.minSize,
  min_notional: info.minNotional ?? '0',
  fee_schedule: JSON.stringify(info.feeSchedule),
  quote_currency: info.quoteCurrency,
  tradable: info.tradable && info.feeSchedule !== null,
  closes_at: info.closesAt,
  status: info.status,
  settlement_value: info.settlementValue,
  updated_at: new Date(),
});

const ascending = (ranges: readonly PriceRange[]): PriceRange[] =>
  ranges.toSorted((a, b) => Number(a.start) - Number(b.start));

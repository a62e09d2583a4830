import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Venue } from '../../../../db/vocabulary.ts';
import { LIVE_STATUSES } from '../../../../engine/platform/order-states.ts';
import { statusList } from '../../../../engine/platform/sql-fragments.ts';
import { venueOf } from '../../../../venues/port.ts';

/** Instruments that need quotes: of live deployments, open positions and live orders. */
export const INSTRUMENTS_IN_USE = sql<{ token_id: string }>`
  select unnest(token_ids) as token_id from deployment where ended_at is null
  union select token_id from position where amount > 0
  union select token_id from trade_order where status in ${statusList(LIVE_STATUSES)}`;

/** The instruments of one venue that are in use, sorted. */
export async function readInstrumentsInUse(db: Db, venue: Venue): Promise<string[]> {
  const { rows } = await INSTRUMENTS_IN_USE.execute(db);
  return rows
    .map(({ token_id }) => token_id)
    .filter((tokenId) => venueOf(tokenId) === venue)
    .sort();
}

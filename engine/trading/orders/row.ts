import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import type { FeeSchedule } from '../../../venues/port.ts';
import { feeScheduleOf } from '../../platform/instruments/fee-schedule.ts';

/** An order as stored. */
export type OrderRow = Selectable<Database['trade_order']>;
/** An instrument as stored, with its parsed fee schedule: null if its venue has stated none. */
export type InstrumentRow = Omit<StoredInstrument, 'fee_schedule'> & {
  readonly fee_schedule: FeeSchedule | null;
};
type StoredInstrument = Selectable<Database['instrument']>;

/** Parses a stored instrument. Throws for an unknown fee schedule. */
export const instrumentOf = (stored: StoredInstrument): InstrumentRow => ({
  ...stored,
  fee_schedule: feeScheduleOf(stored.fee_schedule),
});

/** Columns of a quote that orders are priced and matched by. */
export type QuoteRow = Pick<
  Selectable<Database['quote']>,
  'token_id' | 'bid' | 'bid_size' | 'ask' | 'ask_size' | 'last' | 'market_status' | 'as_of'
>;
/** An instrument and its last quote, if it has any. */
export type Market = { instrument: InstrumentRow; quote: QuoteRow | null };

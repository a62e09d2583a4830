import type { Selectable } from 'kysely';
import type { Database } from '../../db/tables.ts';

/** An order as stored. */
export type OrderRow = Selectable<Database['trade_order']>;
export type InstrumentRow = Selectable<Database['instrument']>;
/** What orders read of a quote: what they are priced and matched by. */
export type QuoteRow = Pick<
  Selectable<Database['quote']>,
  'token_id' | 'bid' | 'bid_size' | 'ask' | 'ask_size' | 'last' | 'market_status' | 'as_of'
>;
/** An instrument and its last quote, if it has any. */
export type Market = { instrument: InstrumentRow; quote: QuoteRow | null };

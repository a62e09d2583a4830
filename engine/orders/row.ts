import type { Selectable } from 'kysely';
import type { Database } from '../../db/tables.ts';

/** An order as stored. */
export type OrderRow = Selectable<Database['trade_order']>;
export type InstrumentRow = Selectable<Database['instrument']>;
export type QuoteRow = Selectable<Database['quote']>;

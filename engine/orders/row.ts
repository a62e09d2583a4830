import type { Selectable } from 'kysely';
import type { Database } from '../../db/tables.ts';

/** An order as stored. */
export type OrderRow = Selectable<Database['trade_order']>;
export type InstrumentRow = Selectable<Database['instrument']>;
/** What orders read of a quote: its prices. Volume and the like concern strategies only. */
export type QuoteRow = Omit<Selectable<Database['quote']>, 'volume24h' | 'open_interest' | 'change24h'>;

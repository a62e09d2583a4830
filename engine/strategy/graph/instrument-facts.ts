import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import { lotOf } from '../../platform/instruments/lot.ts';
import { ladderOf } from '../../platform/instruments/price-ladder.ts';
import type { InstrumentFacts } from './types.ts';

/** An instrument as the graph needs it: what it takes to make a valid order. Pure. */
export const factsOf = (row: Omit<Selectable<Database['instrument']>, 'fee_schedule'>): InstrumentFacts => ({
  tokenId: row.token_id,
  kind: row.kind,
  title: row.title,
  quoteCurrency: row.quote_currency,
  tradable: row.tradable,
  ...ladderOf(row),
  ...lotOf(row),
  closesAt: row.closes_at === null ? null : Date.parse(row.closes_at),
});

import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import { lotOf } from '../../platform/instruments/lot.ts';
import { ladderOf } from '../../platform/instruments/price-ladder.ts';
import type { InstrumentFacts } from './types.ts';

/** Converts an instrument to the facts that valid orders need. Pure. */
export const instrumentFactsOf = (
  row: Omit<Selectable<Database['instrument']>, 'fee_schedule'>,
): InstrumentFacts => ({
  tokenId: row.token_id,
  kind: row.kind,
  title: row.title,
  quoteCurrency: row.quote_currency,
  tradable: row.tradable,
  ...ladderOf(row),
  ...lotOf(row),
  opensAt: msOf(row.opens_at),
  closesAt: msOf(row.closes_at),
  hasEnded: row.status === 'closed' || row.status === 'settled' || row.delisted_at !== null,
});

const msOf = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));

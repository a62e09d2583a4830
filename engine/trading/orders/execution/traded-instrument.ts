import type { TradedInstrument } from '../../../../venues/broker.ts';
import { exact } from '../../../platform/decimal.ts';
import { ladderOf } from '../../../platform/instruments/price-ladder.ts';
import type { InstrumentRow } from '../row.ts';

const plain = (stored: string): string => exact(stored).toFixed();

/** Converts a stored instrument to the form that brokers need for requests. Pure. */
export const tradedInstrumentOf = (row: InstrumentRow): TradedInstrument => ({
  tokenId: row.token_id,
  venue: row.venue,
  kind: row.kind,
  market: row.market,
  outcome: row.outcome ?? '',
  ...(row.contract === null ? {} : { contract: row.contract }),
  tickSize: plain(row.tick_size),
  priceRanges: [...ladderOf(row).priceRanges],
  stepSize: plain(row.step_size),
  minSize: plain(row.min_size),
  minNotional: plain(row.min_notional),
  feeSchedule: row.fee_schedule,
  status: row.status,
});

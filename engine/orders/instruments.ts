import type { Db } from '../../db/tables.ts';
import type { MarketData } from '../../venues/port.ts';
import type { InstrumentRow } from './row.ts';

/** The stored instrument, asked of its venue on first use; null where no venue knows it. */
export async function ensureInstrument(
  _db: Db,
  _marketData: MarketData,
  _tokenId: string,
): Promise<InstrumentRow | null> {
  throw new Error('under construction');
}

import { DomainError } from '../../../../engine/platform/errors.ts';
import type { InstrumentRow, Market, QuoteRow } from '../../../../engine/trading/orders/row.ts';
import { VENUE_A_FEE } from '../../../support/fees.ts';

export const NOW = new Date('2026-11-20T12:00:00.000Z');

export const INSTRUMENT: InstrumentRow = {
  token_id: 'KXTEST:yes',
  venue: 'venue-a',
  kind: 'outcome',
  market: 'KXTEST',
  series: null,
  outcome: 'yes',
  contract: null,
  title: 'Test',
  tick_size: '0.01',
  price_ranges: [],
  step_size: '1',
  min_size: '1',
  min_notional: '0',
  fee_schedule: VENUE_A_FEE,
  quote_currency: 'USD',
  tradable: true,
  opens_at: null,
  closes_at: null,
  status: 'open',
  settlement_value: null,
  terms_at: null,
  delisted_at: null,
  updated_at: '2026-11-20 12:00:00+00',
};

/** A market of venue A at 0.48 to 0.50, `ageMs` old. */
export function market({
  instrument = {},
  quote = {},
  ageMs = 0,
}: {
  instrument?: Partial<InstrumentRow>;
  quote?: Partial<QuoteRow> | null;
  ageMs?: number;
} = {}): Market {
  return {
    instrument: { ...INSTRUMENT, ...instrument },
    quote: quote && {
      token_id: INSTRUMENT.token_id,
      bid: '0.480000000000',
      bid_size: '100',
      ask: '0.500000000000',
      ask_size: '100',
      last: null,
      market_status: 'open',
      as_of: new Date(NOW.getTime() - ageMs).toISOString(),
      ...quote,
    },
  };
}

/** Returns the refusal that `act` throws, which it must. */
export function refusalOf(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

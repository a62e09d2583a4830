import type { Side } from '../../../../db/vocabulary.ts';
import { isFresh } from '../../../platform/clock/freshness.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Market, QuoteRow } from '../row.ts';
import { marketEndReason, WRITE_OFF_HINT } from './unsellable.ts';

/** Builds the error for an instrument that no account has used yet. */
export const noSuchInstrumentError = (tokenId: string): DomainError =>
  new DomainError('not_found', `There is no instrument ${tokenId} that this account could trade.`);

/** Seconds after which a missing quote may be available: the feed polls more often. */
const QUOTE_RETRY_AFTER_SEC = 2;

/**
 * Returns the quote if it is fresh enough for a decision.
 *
 * @throws DomainError `quote_unavailable` if there is none, or it is older than `maxAgeMs` or from the future.
 */
export function requireFreshQuote({ instrument, quote }: Market, now: Date, maxAgeMs: number): QuoteRow {
  if (quote !== null && isFresh(Date.parse(quote.as_of), now.getTime(), maxAgeMs)) return quote;
  const age =
    quote === null ? 'there is none yet' : `the last one is of ${new Date(quote.as_of).toISOString()}`;
  throw new DomainError(
    'quote_unavailable',
    `No quote of ${instrument.token_id} is younger than ${maxAgeMs / 1_000} seconds: ${age}. Try again in a moment.`,
    { retryAfterSec: QUOTE_RETRY_AFTER_SEC },
  );
}

/**
 * Refuses a market that is not tradable. Holdings can still be sold with the last fee that the venue stated.
 *
 * @throws DomainError `validation_failed` for data-only instruments, `market_not_open` for the rest.
 */
export function refuseClosedMarket({ instrument, quote }: Market, side: Side): void {
  if (!instrument.tradable && (side === 'buy' || instrument.fee_schedule === null)) {
    throw new DomainError(
      'validation_failed',
      `${instrument.token_id} is quoted in ${instrument.quote_currency} or has no fee we know: it is data only.`,
    );
  }
  const end = marketEndReason(instrument);
  if (end !== null) throw new DomainError('market_not_open', `${end} ${WRITE_OFF_HINT}`);
  const status = instrument.status === 'open' ? (quote?.market_status ?? 'open') : instrument.status;
  if (status !== 'open') {
    throw new DomainError('market_not_open', `The market of ${instrument.token_id} is ${status}, not open.`);
  }
}

import type { Work } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { instrumentOf, type Market } from '../row.ts';

/**
 * Reads an instrument and its last quote in one statement.
 *
 * @throws DomainError `not_found` for an instrument nobody has used yet.
 */
export async function readMarket(work: Work, tokenId: string): Promise<Market> {
  const row = await work.db
    .selectFrom('instrument')
    .leftJoin('quote', 'quote.token_id', 'instrument.token_id')
    .selectAll('instrument')
    .select([
      'quote.bid',
      'quote.bid_size',
      'quote.ask',
      'quote.ask_size',
      'quote.last',
      'quote.market_status',
      'quote.as_of',
    ])
    .where('instrument.token_id', '=', tokenId)
    .executeTakeFirst();
  if (row === undefined) {
    throw new DomainError('not_found', `There is no instrument ${tokenId} that this account could trade.`);
  }
  const { bid, bid_size, ask, ask_size, last, market_status, as_of, ...instrument } = row;
  const isQuoted = market_status !== null && as_of !== null;
  return {
    instrument: instrumentOf(instrument),
    quote: isQuoted ? { token_id: tokenId, bid, bid_size, ask, ask_size, last, market_status, as_of } : null,
  };
}

import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Work } from '../../../platform/context.ts';
import { instrumentOf, type Market } from '../row.ts';
import { noSuchInstrumentError } from './market-checks.ts';

/**
 * Reads an instrument and its last quote in one statement.
 *
 * @throws DomainError `not_found` for an instrument that no account has used yet.
 */
export async function readMarket({ db }: Work, tokenId: string): Promise<Market> {
  const market = (await readMarkets(db, [tokenId])).get(tokenId);
  if (market === undefined) throw noSuchInstrumentError(tokenId);
  return market;
}

/** Reads several instruments with their last quotes, by token; instruments that no account has used yet are absent. */
export async function readMarkets(db: Db, tokenIds: readonly string[]): Promise<Map<string, Market>> {
  const rows = await markets(db)
    .where('instrument.token_id', '=', ({ fn, val }) => fn.any(sql<string[]>`${val(tokenIds)}::text[]`))
    .execute();
  return new Map(rows.map((row) => [row.token_id, marketOf(row)]));
}

const markets = (db: Db) =>
  db
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
    ]);

type MarketRow = Awaited<ReturnType<ReturnType<typeof markets>['executeTakeFirstOrThrow']>>;

function marketOf(row: MarketRow): Market {
  const { bid, bid_size, ask, ask_size, last, market_status, as_of, ...instrument } = row;
  const { token_id } = instrument;
  const isQuoted = market_status !== null && as_of !== null;
  return {
    instrument: instrumentOf(instrument),
    quote: isQuoted ? { token_id, bid, bid_size, ask, ask_size, last, market_status, as_of } : null,
  };
}

/** A recorded event of Polymarket, its first market as the venue's only one, and the books of its tokens. */
import { fixture } from './replay.ts';

export type Fields = Record<string, unknown>;

export const EVENT = fixture<Fields & { markets: Fields[] }>('gamma-event.json');
export const MARKET: Fields = {
  ...EVENT.markets[0],
  events: [{ id: '101772', slug: EVENT['slug'], title: EVENT['title'] }],
};
export const [YES = '', NO = ''] = JSON.parse(String(MARKET['clobTokenIds'])) as string[];
export const BOOKS = fixture<(Fields & { bids: unknown[]; asks: unknown[] })[]>('clob-books.json');

/** One market as the venue's only one, with some fields changed (undefined removes a field). */
export const withMarket = (changes: Fields, books: unknown = BOOKS) => ({
  '/gamma/markets/keyset': { markets: [{ ...MARKET, ...changes }] },
  '/clob/books': books,
});

/** Finds Polymarket's records and books, one by one and in batches. */

import type { z } from 'zod';
import type { Answer, Answers } from '../answers.ts';
import { VenueError } from '../errors.ts';
import type { Deadline } from '../http/deadline.ts';
import type { Priority, Upstream } from '../http/upstream.ts';
import type { ParsedRecords, RecordParser } from '../parse/record-parser.ts';
import { SECOND_MS } from '../time.ts';
import { chunks } from '../trading.ts';
import type { Market, MarketEvent } from '../views.ts';
import { eventOf, isBinary, marketOf, statusOf, withBooks } from './normalize.ts';
import {
  BooksAnswer,
  MarketsPage,
  RawMarkets,
  WireBook,
  WireEvent,
  WireMarket,
  WireOffers,
  WireQuoted,
  type WireStatus,
} from './wire.ts';

/** Token ids have 78 digits: more of them would make the URL too long. */
const TOKENS_PER_RECORD_CALL = 40;
const TOKENS_PER_BOOKS_CALL = 100;
/** Market status and settlement of the feed; prices come from the books. */
const RECORDS_TTL_MS = 15 * SECOND_MS;
const BOOKS_TTL_MS = SECOND_MS;

/** Closed markets are returned only on request. */
const OPEN_THEN_CLOSED = [undefined, true] as const;

type BySlug = { event: MarketEvent } | { event: null; market: Market };

export class MarketRecordReader {
  readonly #gamma: Upstream;
  readonly #clob: Upstream;
  readonly #answers: Answers;
  readonly #reader: RecordParser;

  constructor(hosts: { gamma: Upstream; clob: Upstream }, answers: Answers, reader: RecordParser) {
    this.#gamma = hosts.gamma;
    this.#clob = hosts.clob;
    this.#answers = answers;
    this.#reader = reader;
  }

  /** The market of a token: among the open ones, else among the closed ones. A market that cannot be parsed is not unknown. */
  async byToken<T extends WireStatus>(schema: z.ZodType<T>, token: string, deadline: Deadline): Promise<T> {
    for (const closed of OPEN_THEN_CLOSED) {
      const { read, unread } = await this.#listed(schema, [token], closed, deadline);
      const found = read.find((market) => market.clobTokenIds.includes(token) && isBinary(market));
      if (found !== undefined) return found;
      if (unread > 0) throw this.#reader.unreadable();
    }
    throw unknownToken(token);
  }

  /** Events and their markets, as far as they can be parsed. */
  events(records: readonly unknown[]): MarketEvent[] {
    return this.#reader.some(WireEvent, records, 'slug').map((event) => this.#eventOf(event, false));
  }

  /** Markets of a list, as far as they can be parsed. */
  markets(records: readonly unknown[]): WireMarket[] {
    return this.#reader.some(WireMarket, records, 'slug');
  }

  /** Includes long texts only for an event that was requested by name. */
  #eventOf(event: WireEvent, isWhole: boolean): MarketEvent {
    return eventOf(event, this.#reader.all(WireMarket, event.markets ?? [], 'slug').read, isWhole);
  }

  /** The venue's own record of a token's market, untouched. */
  async raw(token: string, deadline: Deadline): Promise<Record<string, unknown>> {
    for (const closed of OPEN_THEN_CLOSED) {
      const { markets } = await this.#gamma.request('markets/keyset', {
        schema: RawMarkets,
        query: { clob_token_ids: token, closed },
        deadline,
      });
      const found = markets.find((record) => JSON.stringify(record['clobTokenIds'] ?? '').includes(token));
      if (found !== undefined) return found;
    }
    throw unknownToken(token);
  }

  /** An event by its slug, else a market by its slug. */
  async bySlug(slug: string, deadline: Deadline): Promise<BySlug> {
    const path = encodeURIComponent(slug);
    try {
      const options = { schema: WireEvent, deadline, callersValue: true };
      return { event: this.#eventOf(await this.#gamma.request(`events/slug/${path}`, options), true) };
    } catch (error) {
      if (!(error instanceof VenueError) || error.kind !== 'not_found') throw error;
    }
    const unknown = VenueError.notFound(`venue B has no event or market ${slug}`);
    const refusal = () => unknown;
    const market = await this.#gamma.request(`markets/slug/${path}`, {
      schema: WireMarket,
      deadline,
      refusal,
    });
    if (!isBinary(market)) throw unknown;
    return { event: null, market: await this.priced(market, deadline) };
  }

  /** The view of one market. While it is open, bid and ask come from its books, as the record's may be minutes old. */
  async priced(market: WireMarket, deadline: Deadline): Promise<Market> {
    const view = marketOf(market, undefined, market.description);
    if (statusOf(market) !== 'open') return view;
    return withBooks(view, (await this.#books(market.clobTokenIds, deadline)).read);
  }

  async book(token: string, deadline: Deadline, priority: Priority = 'view'): Promise<WireBook> {
    const refusal = () => VenueError.notFound(`venue B has no order book for token ${token}`);
    const query = { token_id: token };
    const book = await this.#clob.request('book', { schema: WireBook, query, deadline, priority, refusal });
    if (book.asset_id !== token) throw VenueError.mismatched('venue B', `token ${token}`);
    return book;
  }

  /** Markets by token. The status may be slightly stale while the records are unavailable: prices come from the books. */
  async ofTokens(tokens: readonly string[]): Promise<Map<string, WireStatus>> {
    const answers = await Promise.all(
      batches(tokens, TOKENS_PER_RECORD_CALL).map((batch) =>
        this.#answers.get(`records:${batch.join()}`, { ttlMs: RECORDS_TTL_MS }, (deadline) =>
          this.#openOrClosed(batch, deadline),
        ),
      ),
    );
    const markets = this.#reader.someOf(answers.map(({ value }) => value)).filter(isBinary);
    return new Map(markets.flatMap((market) => market.clobTokenIds.map((token) => [token, market] as const)));
  }

  /** Books by token; tokens without one (closed markets) are missing. `asOf` is that of the oldest. */
  async booksOf(tokens: readonly string[]): Promise<Pick<Answer<Map<string, WireOffers>>, 'value' | 'asOf'>> {
    const answers = await Promise.all(
      batches(tokens, TOKENS_PER_BOOKS_CALL).map((batch) =>
        this.#answers.get(`books:${batch.join()}`, { ttlMs: BOOKS_TTL_MS, staleAllowed: false }, (deadline) =>
          this.#books(batch, deadline, 'trading'),
        ),
      ),
    );
    const books = this.#reader.someOf(answers.map(({ value }) => value));
    const [asOf = ''] = answers.map((answer) => answer.asOf).sort();
    return { value: new Map(books.map((book) => [book.asset_id, book])), asOf };
  }

  async #openOrClosed(tokens: readonly string[], deadline: Deadline): Promise<ParsedRecords<WireStatus>> {
    const open = await this.#listed(WireQuoted, tokens, undefined, deadline);
    const found = new Set(open.read.flatMap(({ clobTokenIds }) => clobTokenIds));
    const missing = tokens.filter((token) => !found.has(token));
    if (missing.length === 0) return open;
    const closed = await this.#listed(WireQuoted, missing, true, deadline);
    return { read: [...open.read, ...closed.read], unread: open.unread + closed.unread };
  }

  /** Records of tokens. Closed ones are returned only on request; several ids repeat the key (commas are refused). */
  async #listed<T>(
    schema: z.ZodType<T>,
    tokens: readonly string[],
    closed: true | undefined,
    deadline: Deadline,
  ): Promise<ParsedRecords<T>> {
    const { markets } = await this.#gamma.request('markets/keyset', {
      schema: MarketsPage,
      query: { clob_token_ids: tokens, closed, limit: 100 },
      deadline,
    });
    return this.#reader.all(schema, markets, 'slug');
  }

  async #books(
    tokens: readonly string[],
    deadline: Deadline,
    priority: Priority = 'view',
  ): Promise<ParsedRecords<WireOffers>> {
    const body = tokens.map((token) => ({ token_id: token }));
    const books = await this.#clob.request('books', { schema: BooksAnswer, body, deadline, priority });
    return this.#reader.all(WireOffers, books, 'asset_id');
  }
}

const batches = (tokens: readonly string[], size: number) => chunks([...new Set(tokens)].sort(), size);

const unknownToken = (token: string) => VenueError.notFound(`venue B has no market with token ${token}`);

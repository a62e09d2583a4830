/**
 * Finds Kalshi markets. The trade API has no text search, so tickers come from the exchange's own (undocumented) v1 search. If
 * that fails, they come from an index of all open events, crawled in the background by documented calls.
 */

import { VenueError } from '../errors.ts';
import { type Deadline, deadlineIn } from '../http/deadline.ts';
import type { Upstream } from '../http/upstream.ts';
import type { RecordParser } from '../parse/record-parser.ts';
import { MINUTE_MS } from '../time.ts';
import { CrawledEvent, CrawledMarket, CrawlPage, FoundEvent, FoundMarket, SearchAnswer } from './wire.ts';

/** As many tickers as one `GET /markets?tickers=` accepts. */
export const TICKERS_MAX = 100;
/** The search may take this much of a call; the rest is for requesting the prices of its results. */
const SEARCH_TIMEOUT_MS = 1_500;
const SEARCH_EVENTS = 25;
const TOP_EVENTS = 50;
/** The most candidates of one event in the top list; otherwise one ladder would fill it. */
const TOP_PER_EVENT = 4;

const INDEX_TTL_MS = 10 * MINUTE_MS;
/** The crawl requests one page at a time, with the lowest priority. */
const CRAWL = { pageSize: 100, maxPages: 300, pageTimeoutMs: 20_000, retryAfterSec: 30 };
const TOP_MAX = 200;

type Index = {
  /** By the monotonic clock, which never goes back. */
  builtAtMs: number;
  events: { text: string; tickers: string[] }[];
  /** Tickers by 24-hour volume, largest first. */
  top: string[];
};

export class Catalogue {
  readonly #api: Upstream;
  readonly #search: Upstream;
  readonly #reader: RecordParser;
  #index: Index | null = null;
  #crawl: Promise<void> | null = null;

  constructor(hosts: { api: Upstream; search: Upstream }, reader: RecordParser) {
    this.#api = hosts.api;
    this.#search = hosts.search;
    this.#reader = reader;
  }

  /** Tickers of markets whose event matches the text, best match first. */
  async matching(text: string, deadline: Deadline): Promise<string[]> {
    const query = { query: text, order_by: 'querymatch', page_size: SEARCH_EVENTS, fuzzy_threshold: 4 };
    const groups = await this.#searched(query, deadline);
    const found = groups instanceof VenueError ? matches(this.#indexed(groups), text) : groups;
    return found.flat().slice(0, TICKERS_MAX);
  }

  /** Tickers of the busiest markets. */
  async busiest(deadline: Deadline): Promise<string[]> {
    const groups = await this.#searched({ order_by: 'trending', page_size: TOP_EVENTS }, deadline);
    if (groups instanceof VenueError) return this.#indexed(groups).top.slice(0, TICKERS_MAX);
    return groups.flatMap((group) => group.slice(0, TOP_PER_EVENT)).slice(0, TICKERS_MAX);
  }

  /** Tickers per event by the v1 search, or the reason why there are none: it is unavailable, or has changed. */
  async #searched(
    query: Record<string, string | number>,
    deadline: Deadline,
  ): Promise<string[][] | VenueError> {
    using own = deadlineIn(Math.min(SEARCH_TIMEOUT_MS, deadline.remainingMs()));
    try {
      const answer = await this.#search.request('search/series', {
        schema: SearchAnswer,
        query: { ...query, status: 'open' },
        deadline: own,
      });
      const events = this.#reader.some(FoundEvent, answer.current_page ?? [], 'event_ticker');
      return events.map(({ markets }) =>
        this.#reader.all(FoundMarket, markets ?? [], 'ticker').read.map(({ ticker }) => ticker),
      );
    } catch (error) {
      if (error instanceof VenueError) return error;
      throw error;
    }
  }

  /** The index, refreshed in the background. While there is none yet, the error asks the caller to retry. */
  #indexed(searchError: VenueError): Index {
    if (this.#index === null || performance.now() - this.#index.builtAtMs >= INDEX_TTL_MS) this.#startCrawl();
    if (this.#index === null) {
      const message = `${searchError.message}; an index for searches is being built`;
      throw VenueError.unavailable(message, CRAWL.retryAfterSec, searchError);
    }
    return this.#index;
  }

  #startCrawl(): void {
    // A crawl that fails leaves the old index; the next search tries again.
    this.#crawl ??= this.#build()
      .catch(() => undefined)
      .finally(() => {
        this.#crawl = null;
      });
  }

  async #build(): Promise<void> {
    const events: Index['events'] = [];
    let ranked: { ticker: string; volume: number }[] = [];
    let cursor = '';
    for (let page = 0; page < CRAWL.maxPages; page += 1) {
      const answer = await this.#page(cursor);
      for (const event of this.#reader.some(CrawledEvent, answer.events, 'event_ticker')) {
        const markets = this.#reader.all(CrawledMarket, event.markets ?? [], 'ticker').read;
        const open = markets.filter(({ status }) => status === 'active');
        const words = [event.title, event.sub_title ?? '', event.event_ticker].join(' ').toLowerCase();
        events.push({ text: words, tickers: open.slice(0, TICKERS_MAX).map(({ ticker }) => ticker) });
        ranked.push(
          ...open.map(({ ticker, volume_24h_fp }) => ({ ticker, volume: Number(volume_24h_fp ?? 0) })),
        );
      }
      ranked = ranked.sort((a, b) => b.volume - a.volume).slice(0, TOP_MAX);
      cursor = answer.cursor ?? '';
      if (cursor === '') break;
    }
    this.#index = { builtAtMs: performance.now(), events, top: ranked.map(({ ticker }) => ticker) };
  }

  async #page(cursor: string): Promise<CrawlPage> {
    using deadline = deadlineIn(CRAWL.pageTimeoutMs);
    return await this.#api.request('events', {
      schema: CrawlPage,
      query: {
        status: 'open',
        with_nested_markets: true,
        limit: CRAWL.pageSize,
        cursor: cursor === '' ? undefined : cursor,
      },
      deadline,
      priority: 'background',
    });
  }
}

/** Events that contain every word of the text, those that begin with it first. */
function matches({ events }: Index, text: string): string[][] {
  const wanted = text.toLowerCase();
  const words = wanted.split(/\s+/);
  return events
    .filter((event) => words.every((word) => event.text.includes(word)))
    .sort((a, b) => Number(b.text.startsWith(wanted)) - Number(a.text.startsWith(wanted)))
    .map(({ tickers }) => tickers);
}

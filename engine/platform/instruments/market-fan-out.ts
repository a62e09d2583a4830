import type { Venue } from '../../../db/vocabulary.ts';
import {
  type MarketData,
  type OrderBook,
  type Quote,
  VENUES,
  VenueError,
  venueOf,
} from '../../../venues/port.ts';

/** Least time between two polls of a venue. */
const POLL_MS_MIN = 1_000;
/** A poll takes two requests; a third of a venue's rate is left to them. */
const SHARE_OF_RATE = 1 / 3;
const REQUESTS_PER_POLL = 2;
/** How often due venues are looked for. */
const CHECK_MS = 250;
/** Instruments in one request for prices: venues weigh longer requests more. */
const PRICES_PER_POLL = 40;

/** The price of an instrument, or its order book. */
export type Subject = { of: 'price' | 'book'; tokenId: string };

export type MarketUpdate =
  | { kind: 'price'; quote: Quote }
  | { kind: 'book'; book: OrderBook }
  | { kind: 'unavailable'; subject: Subject; code: 'not_found' | 'upstream_unavailable' };

/** Called with each update and the key of its subject. It must not throw. */
export type MarketReader = (key: string, update: MarketUpdate) => void;

/** A stream that follows subjects, and its account. */
type Following = { accountId: string; read: MarketReader; over: AbortSignal };

type Topic = {
  readonly key: string;
  readonly subject: Subject;
  /** The readers, each with its account. */
  readonly readers: Map<MarketReader, string>;
  latest: MarketUpdate | null;
  /** The latest update as text, without its time. */
  text: string;
  polledAtMs: number;
};

/**
 * Follows prices and books for all streams of this process: each instrument is requested once, however many streams show it. A
 * poll of a venue takes one request for prices and one for a book. Accounts take turns, and each is served what was polled longest
 * ago. More subjects of an account make its own updates later, and cost the venue no further requests.
 */
export class MarketFanOut {
  readonly #market: Pick<MarketData, 'quotes' | 'orderBook'>;
  readonly #onDefect: (error: unknown) => void;
  readonly #topics = new Map<string, Topic>();
  readonly #dueAtMs = new Map<Venue, number>();
  #timer: NodeJS.Timeout | null = null;

  /** @param onDefect Called with an error that is no venue's. */
  constructor(market: Pick<MarketData, 'quotes' | 'orderBook'>, onDefect: (error: unknown) => void) {
    this.#market = market;
    this.#onDefect = onDefect;
  }

  /** Number of followed subjects. */
  get size(): number {
    return this.#topics.size;
  }

  /** Calls `read` with the present of each subject, once known, and with each change, until `over` aborts. */
  follow(subjects: readonly Subject[], { accountId, read, over }: Following): void {
    if (over.aborted || subjects.length === 0) return;
    const topics = subjects.map((subject) => this.#topicOf(subject));
    over.addEventListener('abort', () => this.#unfollow(topics, read), { once: true });
    for (const { key, readers, latest } of topics) {
      readers.set(read, accountId);
      if (latest !== null) read(key, latest);
    }
    this.#timer ??= setInterval(() => this.#pollDue(), CHECK_MS).unref();
    this.#pollDue();
  }

  #topicOf(subject: Subject): Topic {
    const key = `${subject.of}:${subject.tokenId}`;
    const known = this.#topics.get(key);
    if (known) return known;
    // Behind those that wait already: a stream that is opened often must not be served first.
    const polledAtMs = performance.now();
    const made: Topic = { key, subject, readers: new Map(), latest: null, text: '', polledAtMs };
    this.#topics.set(key, made);
    return made;
  }

  #unfollow(topics: readonly Topic[], reader: MarketReader): void {
    for (const { key, readers } of topics) {
      readers.delete(reader);
      if (readers.size === 0) this.#topics.delete(key);
    }
    if (this.#topics.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #pollDue(): void {
    const nowMs = performance.now();
    for (const [venue, topics] of Map.groupBy(this.#topics.values(), ({ subject }) =>
      venueOf(subject.tokenId),
    )) {
      if (venue === null || nowMs < (this.#dueAtMs.get(venue) ?? 0)) continue;
      this.#dueAtMs.set(venue, Number.POSITIVE_INFINITY);
      void this.#poll(topics, nowMs).finally(() => this.#dueAtMs.set(venue, nowMs + periodMsOf(venue)));
    }
  }

  async #poll(topics: readonly Topic[], nowMs: number): Promise<void> {
    const prices = inTurns(topics, 'price', PRICES_PER_POLL);
    const books = inTurns(topics, 'book', 1);
    for (const topic of [...prices, ...books]) topic.polledAtMs = nowMs;
    await Promise.all([this.#pollPrices(prices), ...books.map((topic) => this.#pollBook(topic))]);
  }

  async #pollPrices(topics: readonly Topic[]): Promise<void> {
    if (topics.length === 0) return;
    try {
      const quotes = await this.#market.quotes(topics.map(({ subject }) => subject.tokenId));
      const known = new Map(quotes.map((quote) => [quote.tokenId, quote]));
      for (const topic of topics) {
        const quote = known.get(topic.subject.tokenId);
        publish(topic, quote ? { kind: 'price', quote } : unavailable(topic.subject, 'not_found'));
      }
    } catch (error) {
      const code = this.#codeOf(error);
      for (const topic of topics) publish(topic, unavailable(topic.subject, code));
    }
  }

  async #pollBook(topic: Topic): Promise<void> {
    try {
      publish(topic, { kind: 'book', book: await this.#market.orderBook(topic.subject.tokenId) });
    } catch (error) {
      publish(topic, unavailable(topic.subject, this.#codeOf(error)));
    }
  }

  #codeOf(error: unknown): 'not_found' | 'upstream_unavailable' {
    if (!(error instanceof VenueError)) this.#onDefect(error);
    return error instanceof VenueError && error.kind !== 'unavailable' ? 'not_found' : 'upstream_unavailable';
  }
}

const unavailable = (subject: Subject, code: 'not_found' | 'upstream_unavailable'): MarketUpdate => ({
  kind: 'unavailable',
  subject,
  code,
});

const byPoll = (one: Topic, other: Topic): number => one.polledAtMs - other.polledAtMs;

/**
 * Returns at most `most` subjects to poll, one of each account in turn. The account whose last poll is longest ago begins, and
 * each gives what was polled longest ago.
 */
function inTurns(topics: readonly Topic[], of: Subject['of'], most: number): Topic[] {
  const ofAccount = new Map<string, Topic[]>();
  for (const topic of topics.filter(({ subject }) => subject.of === of).sort(byPoll)) {
    for (const accountId of new Set(topic.readers.values())) {
      const queue = ofAccount.get(accountId) ?? [];
      ofAccount.set(accountId, queue);
      queue.push(topic);
    }
  }
  const queues = [...ofAccount.values()].sort((one, other) => lastPollOf(one) - lastPollOf(other));
  const chosen = new Set<Topic>();
  for (let turn = 0; queues.some(({ length }) => turn < length); turn++) {
    for (const queue of queues) {
      const topic = queue[turn];
      if (topic !== undefined) chosen.add(topic);
      if (chosen.size === most) return [...chosen];
    }
  }
  return [...chosen];
}

const lastPollOf = (queue: readonly Topic[]): number => queue.at(-1)?.polledAtMs ?? 0;

/** Passes an update to the readers, unless it repeats the latest one. */
function publish(topic: Topic, update: MarketUpdate): void {
  const text = JSON.stringify(update, (name, value) => (name === 'asOf' ? undefined : value));
  if (text === topic.text) return;
  topic.text = text;
  topic.latest = update;
  for (const read of topic.readers.keys()) read(topic.key, update);
}

/** Returns the time from one poll of a venue to the next. */
function periodMsOf(venue: Venue): number {
  const rates = Object.values(VENUES[venue].apis).map(({ limits }) => limits.ratePerSec);
  return Math.max(POLL_MS_MIN, (REQUESTS_PER_POLL * 1_000) / (Math.min(...rates) * SHARE_OF_RATE));
}

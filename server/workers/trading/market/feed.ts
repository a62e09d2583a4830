import type { Venue } from '../../../../db/vocabulary.ts';
import type { RecordedQuote } from '../../../../engine/history/quote-columns.ts';
import { ensureInstrument } from '../../../../engine/trading/orders/terms/instruments.ts';
import { isOfKind, type Quote, VenueError } from '../../../../venues/port.ts';
import { pauseRound } from '../../../kernel/rounds/idle-gate.ts';
import { LockSession, lockKey, type Statements } from '../../../kernel/rounds/lock-session.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { polls } from '../../../kernel/rounds/runner-events.ts';
import { withDeadline } from '../../../kernel/rounds/with-deadline.ts';
import { Delistings } from './delistings.ts';
import { isOneClock } from './feed-time-converter.ts';
import { readInstrumentsInUse } from './instruments-in-use.ts';
import { QuoteRecorder } from './quote-recorder.ts';
import { SeriesFollower } from './series-follower.ts';
import { TermsRefresher } from './terms-refresher.ts';

/** An unchanged quote is stored again at this age, which shows that the venue still answers. */
const CONFIRM_AFTER_MS = 2_000;
/** The largest share of time for finding the instruments in use. */
const IN_USE_SHARE = 0.05;

type Written = { quote: Quote; asOf: Date };

/**
 * The quotes of one venue, polled by one process whatever the number of blueprints. Each period takes one upstream call for all
 * instruments in use, and one statement for the changed quotes.
 */
export class VenueFeed {
  readonly #venue: Venue;
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #session: LockSession;
  readonly #delistings: Delistings;
  readonly #terms: TermsRefresher;
  readonly #series: SeriesFollower | null;
  readonly #recorder: QuoteRecorder | null;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | null = null;
  #inUse: readonly string[] = [];
  #inUseAtMs = Number.NEGATIVE_INFINITY;
  #inUseTookMs = 0;
  #written = new Map<string, Written>();
  readonly #ensured = new Set<string>();

  constructor(venue: Venue, context: RunnerContext, log: LogOnce) {
    this.#venue = venue;
    this.#context = context;
    this.#log = log;
    this.#session = new LockSession(context.pool, venue, context.leaseMs);
    this.#delistings = new Delistings(context);
    this.#terms = new TermsRefresher(context, log, `terms of ${venue}`);
    this.#series = isOfKind(venue, 'outcome') ? new SeriesFollower(venue, context, log) : null;
    this.#recorder =
      context.quoteLog === null ? null : new QuoteRecorder(context, log, `recorded quotes of ${venue}`);
  }

  start(): void {
    this.#loop = this.#pollForever();
  }

  /** Finishes the poll in progress and lets another process take over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#terms.stop();
    await this.#series?.stop();
    await this.#recorder?.write();
    await this.#session.close();
  }

  async #pollForever(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const startedMs = performance.now();
      await this.poll();
      const leftMs = this.#context.quotePeriodMs - (performance.now() - startedMs);
      await pauseRound(leftMs, signal, {
        idle: this.#context.idle,
        kind: 'market',
        // A lock session sends heartbeats: it is closed while there is nothing to poll.
        onRest: () => this.#session.close(),
      });
    }
  }

  /** Polls once, if this process holds the venue's lock. A failing venue is not an error: its quotes become stale. */
  async poll(): Promise<void> {
    const subject = `feed of ${this.#venue}`;
    try {
      await withDeadline(this.#context.log, subject, (signal) => this.#pollOnce(signal));
      this.#log.recovered(subject);
    } catch (error) {
      // The stored rows are unknown now: the write may have failed, or the database was restored.
      this.#written.clear();
      this.#ensured.clear();
      this.#log.failed(subject, error);
    }
    this.#recorder?.writeDue();
  }

  async #pollOnce(signal: AbortSignal): Promise<void> {
    // A poll that does not end loses the lock, so that it does not write beside the next one.
    signal.addEventListener('abort', () => void this.#session.close(), { once: true });
    if (!(await this.#session.hold())) return this.#rest();
    const tokenIds = await this.#tokensInUse();
    if (tokenIds.length > 0) await this.#pollTokens(tokenIds);
    this.#series?.followNext();
    this.#publishAges(tokenIds);
  }

  /** Another process polls this venue. */
  #rest(): void {
    this.#written.clear();
    this.#publishAges([]);
  }

  /** Publishes the age of the quotes in use. An instrument without any quote has no age: its strategies report that. */
  #publishAges(tokenIds: readonly string[]): void {
    if (!polls.hasSubscribers) return;
    const times = tokenIds.flatMap((id) => this.#written.get(id)?.asOf.getTime() ?? []);
    const oldestMs = times.reduce((oldest, at) => Math.max(oldest, Date.now() - at), 0);
    polls.publish({ venue: this.#venue, instruments: tokenIds.length, oldestMs });
  }

  /** Reads the instruments in use every period while that is cheap, and less often if there are many. */
  async #tokensInUse(): Promise<readonly string[]> {
    const nowMs = performance.now();
    const isCheap = this.#inUseTookMs <= this.#context.quotePeriodMs * IN_USE_SHARE;
    if (!isCheap && nowMs - this.#inUseAtMs < this.#inUseTookMs / IN_USE_SHARE) return this.#inUse;
    this.#inUse = await readInstrumentsInUse(this.#context.db, this.#venue);
    this.#inUseAtMs = performance.now();
    this.#inUseTookMs = this.#inUseAtMs - nowMs;
    return this.#inUse;
  }

  async #pollTokens(tokenIds: readonly string[]): Promise<void> {
    for (const tokenId of tokenIds) if (!this.#ensured.has(tokenId)) await this.#ensure(tokenId);
    const quotes = await this.#context.market.quotes(tokenIds);
    await this.#write(quotes);
    const answered = new Set(quotes.map(({ tokenId }) => tokenId));
    await this.#delistings.check(tokenIds.filter((tokenId) => !answered.has(tokenId)));
    this.#terms.refreshNext(tokenIds);
  }

  /** One instrument that its venue does not describe now must not block the quotes of the others. */
  async #ensure(tokenId: string): Promise<void> {
    const { market, db } = this.#context;
    const subject = `instrument ${tokenId}`;
    try {
      if ((await ensureInstrument(db, market, tokenId)) !== null) this.#ensured.add(tokenId);
      this.#log.recovered(subject);
    } catch (error) {
      if (!(error instanceof VenueError)) throw error;
      this.#log.failed(subject, error);
    }
  }

  async #write(quotes: readonly Quote[]): Promise<void> {
    const { market, clock, db } = this.#context;
    const receivedAt = await clock(db);
    const needsNoTranslation = isOneClock(market.now(), receivedAt.getTime());
    const changed = quotes
      .filter(({ tokenId }) => this.#ensured.has(tokenId))
      .map((quote) => {
        const asOfMs = needsNoTranslation
          ? Math.min(Date.parse(quote.asOf), receivedAt.getTime())
          : receivedAt.getTime();
        return { quote, asOf: new Date(asOfMs) };
      })
      .filter((next) => isNews(this.#written.get(next.quote.tokenId), next));
    if (changed.length === 0) return;
    await this.#session.transaction(async (client) => {
      await upsertQuotes(client, changed);
      await updateInstruments(client, changed, receivedAt);
    });
    for (const written of changed) {
      this.#written.set(written.quote.tokenId, written);
      this.#recorder?.take(written.quote.tokenId, recordedOf(written));
    }
  }
}

const recordedOf = ({ quote, asOf }: Written): RecordedQuote => ({
  atMs: asOf.getTime(),
  bid: numberOf(quote.bid),
  bidSize: numberOf(quote.bidSize),
  ask: numberOf(quote.ask),
  askSize: numberOf(quote.askSize),
  last: numberOf(quote.last),
  volume24h: numberOf(quote.volume24h),
  openInterest: numberOf(quote.openInterest),
  change24h: numberOf(quote.change24h),
  settlementValue: numberOf(quote.settlementValue),
  marketStatus: quote.marketStatus,
  isTopOfBookKnown: quote.topOfBookUnknown !== true,
});
const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

/** Whether to store a quote. If its time went backwards, the clock did: the stored row is of the future, and is replaced. */
function isNews(written: Written | undefined, { quote, asOf }: Written): boolean {
  if (written === undefined) return true;
  const ageMs = asOf.getTime() - written.asOf.getTime();
  const isDue = ageMs < 0 || ageMs >= CONFIRM_AFTER_MS;
  return isDue || FIELDS.some((field) => quote[field] !== written.quote[field]);
}

/**
 * Fields whose change makes a quote new. Slow ones (volume, open interest, the day's change) are stored with its next
 * confirmation.
 */
const FIELDS = [
  'bid',
  'bidSize',
  'ask',
  'askSize',
  'topOfBookUnknown',
  'last',
  'marketStatus',
  'settlementValue',
] as const satisfies (keyof Quote)[];

/** The lock makes the order of numbers the order of commits, so readers that fetch newer rows miss nothing. */
async function upsertQuotes(client: Statements, rows: readonly Written[]): Promise<void> {
  const column = (field: keyof Quote) => rows.map(({ quote }) => quote[field]);
  await client.query('select pg_advisory_xact_lock($1, $2)', lockKey('quotes'));
  await client.query(
    `insert into quote (token_id, bid, bid_size, ask, ask_size, last, volume24h, open_interest, change24h,
       market_status, as_of, touch_known, seq)
     select q.*, nextval('quote_seq')
     from unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[],
       $8::numeric[], $9::numeric[], $10::text[], $11::timestamptz[], $12::boolean[]) as q(token_id, bid, bid_size,
       ask, ask_size, last, volume24h, open_interest, change24h, market_status, as_of, touch_known)
     on conflict (token_id) do update set bid = excluded.bid, bid_size = excluded.bid_size, ask = excluded.ask,
       ask_size = excluded.ask_size, last = excluded.last, volume24h = excluded.volume24h,
       open_interest = excluded.open_interest, change24h = excluded.change24h,
       market_status = excluded.market_status, as_of = excluded.as_of, touch_known = excluded.touch_known,
       seq = excluded.seq`,
    [
      rows.map(({ quote }) => quote.tokenId),
      column('bid'),
      column('bidSize'),
      column('ask'),
      column('askSize'),
      column('last'),
      column('volume24h'),
      column('openInterest'),
      column('change24h'),
      column('marketStatus'),
      rows.map(({ asOf }) => asOf.toISOString()),
      rows.map(({ quote }) => quote.topOfBookUnknown !== true),
    ],
  );
}

/** Copies the market's data from the venue to its instrument. A stated settlement value stays. */
async function updateInstruments(client: Statements, rows: readonly Written[], at: Date): Promise<void> {
  await client.query(
    `update instrument i set status = q.status, settlement_value = q.settlement_value, updated_at = $4
     from unnest($1::text[], $2::text[], $3::numeric[]) as q(token_id, status, settlement_value)
     where i.token_id = q.token_id and i.settlement_value is null
       and (i.status, i.settlement_value) is distinct from (q.status, q.settlement_value)`,
    [
      rows.map(({ quote }) => quote.tokenId),
      rows.map(({ quote }) => quote.marketStatus),
      rows.map(({ quote }) => quote.settlementValue),
      at,
    ],
  );
}

import { isDeepStrictEqual } from 'node:util';
import { ClosedCandles, candleKey, closedAt, NO_CANDLES } from '../../../../engine/strategy/graph/candles.ts';
import type { Candle, CandleNeed, CandleSeries } from '../../../../engine/strategy/graph/types.ts';
import { INTERVAL_MS, nextCandleClose } from '../../../../venues/parse/intervals.ts';
import type { CandleInterval, MarketData } from '../../../../venues/port.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';

/** The most candles of one response. */
const PAGE = 1_000;
/** 60,000 candles: six weeks of minutes. After a longer absence, a blueprint continues from there. */
const PAGES_MAX = 60;
/** Pause before the next request if the newest candle is not published yet, or the request failed. */
const RETRY_MS = 1_000;
/** Past the needs of indicators, this many candles stay for blueprints that are behind. */
const SPARE = 2_000;
/** How often an open candle is read. */
const OPEN_PERIOD_MS = 2_000;
/** A series without a reader is dropped after this time. */
const UNWANTED_MS = 600_000;

type Entry = {
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** Candles that one step needs, the maximum over all plans. */
  window: number;
  /** Close time of the last candle stepped by the blueprint furthest behind; infinite if none is behind. */
  steppedUntil: number;
  wantsOpen: boolean;
  wantedAtMs: number;
  /** The venue has no older candles. */
  isComplete: boolean;
  retryAtMs: number;
  openAtMs: number;
  loading: Promise<void> | null;
};

/**
 * Closed candles per (symbol, interval), once per process. New candles are appended, because indicator values are stored by
 * series. The venue gets a request when a new candle must have closed, not before.
 */
export class CandleCache {
  readonly byKey = new Map<string, CandleSeries>();
  readonly #entries = new Map<string, Entry>();
  readonly #market: MarketData;
  readonly #log: LogOnce;

  constructor(market: MarketData, log: LogOnce) {
    this.#market = market;
    this.#log = log;
  }

  /**
   * Registers that a plan reads a series and has stepped it up to `steppedUntil` (0: not yet). False while the series does not
   * reach back to the first missed step: evaluating earlier would skip candles.
   */
  want(need: CandleNeed, steppedUntil: number): boolean {
    const key = candleKey(need.symbol, need.interval);
    const entry = this.#entries.get(key) ?? this.#open(key, need);
    entry.wantedAtMs = performance.now();
    entry.wantsOpen ||= need.open;
    entry.window = Math.max(entry.window, need.window);
    if (this.#covers(key, entry, need.window, steppedUntil)) return true;
    if (steppedUntil > 0) entry.steppedUntil = Math.min(entry.steppedUntil, steppedUntil);
    return false;
  }

  /** Fetches the candles that must have closed since the last call. Settles when all due ones have arrived or failed. */
  async refresh(): Promise<void> {
    const nowMs = performance.now();
    const due: Promise<void>[] = [];
    for (const [key, entry] of this.#entries) {
      if (nowMs - entry.wantedAtMs > UNWANTED_MS) this.#drop(key);
      else if (entry.loading !== null) due.push(entry.loading);
      else if (nowMs >= entry.retryAtMs && this.#isDue(key, entry)) due.push(this.#start(key, entry));
      else if (entry.wantsOpen && nowMs >= entry.openAtMs) due.push(this.#start(key, entry));
    }
    await Promise.all(due);
  }

  #open(key: string, { symbol, interval, window, open }: CandleNeed): Entry {
    const entry: Entry = {
      symbol,
      interval,
      window,
      steppedUntil: Number.POSITIVE_INFINITY,
      wantsOpen: open,
      wantedAtMs: 0,
      isComplete: false,
      retryAtMs: 0,
      openAtMs: 0,
      loading: null,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #drop(key: string): void {
    this.#entries.delete(key);
    this.byKey.delete(key);
  }

  #covers(key: string, { isComplete }: Entry, window: number, steppedUntil: number): boolean {
    const closed = this.byKey.get(key)?.closed;
    if (closed === undefined) return false;
    if (isComplete) return true;
    const firstStep = steppedUntil > 0 ? closed.indexAt(steppedUntil) + 1 : closed.count;
    return firstStep >= Math.max(window, 1);
  }

  #isDue(key: string, entry: Entry): boolean {
    if (!this.#covers(key, entry, entry.window, finiteOrZero(entry.steppedUntil))) return true;
    const last = this.byKey.get(key)?.closed.newest;
    return last === undefined || this.#market.now() >= nextCandleClose(entry.interval, last.closeTimeMs);
  }

  #start(key: string, entry: Entry): Promise<void> {
    const subject = `candles ${key}`;
    entry.loading = this.#load(key, entry)
      .then(() => this.#log.recovered(subject))
      .catch((error: unknown) => this.#log.failed(subject, error))
      .finally(() => {
        entry.loading = null;
      });
    return entry.loading;
  }

  async #load(key: string, entry: Entry): Promise<void> {
    const nowMs = performance.now();
    entry.retryAtMs = nowMs + RETRY_MS;
    entry.openAtMs = nowMs + OPEN_PERIOD_MS;
    const known = this.byKey.get(key)?.closed ?? NO_CANDLES;
    if (this.#isDue(key, entry)) this.#store(key, await this.#closed(entry, known));
    if (entry.wantsOpen) await this.#readOpen(key, entry);
  }

  /** Returns the series with its new candles appended and, for blueprints further behind, older ones prepended. */
  async #closed(entry: Entry, known: ClosedCandles): Promise<ClosedCandles> {
    const { symbol, interval } = entry;
    const last = known.newest;
    const missing = last ? Math.ceil((this.#market.now() - last.closeTimeMs) / INTERVAL_MS[interval]) : PAGE;
    const limit = Math.min(PAGE, Math.max(missing, 2));
    const newest = await this.#market.closedCandles(symbol, interval, { limit });
    const [first] = newest;
    if (first === undefined && last !== undefined) return known;
    const joins = last !== undefined && first !== undefined && first.openTimeMs <= closedAt(last);
    const stored = joins ? corrected(known, newest) : known;
    const added = joins ? newest.filter((candle) => candle.openTimeMs > last.openTimeMs) : newest;
    if (joins && added.length === 0) return this.#lengthened(entry, stored);
    // A gap between the stored candles and one page is filled from the new end, as after a long pause.
    if (last !== undefined && !joins) entry.steppedUntil = Math.min(entry.steppedUntil, closedAt(last));
    if (!joins) entry.isComplete = newest.length < limit;
    return this.#lengthened(entry, joins ? trimmed(stored.append(added), entry) : ClosedCandles.of(newest));
  }

  async #lengthened(entry: Entry, closed: ClosedCandles): Promise<ClosedCandles> {
    let series = closed;
    const steppedUntil = finiteOrZero(entry.steppedUntil);
    for (let page = 0; page < PAGES_MAX && !entry.isComplete; page++) {
      const firstStep = steppedUntil > 0 ? series.indexAt(steppedUntil) + 1 : series.count;
      if (series.count === 0 || firstStep >= entry.window) break;
      const first = series.at(0);
      const older = await this.#market.closedCandles(entry.symbol, entry.interval, {
        limit: PAGE,
        endTime: first.openTimeMs,
      });
      const before = older.filter((candle) => candle.openTimeMs < first.openTimeMs);
      entry.isComplete = before.length === 0;
      series = before.length === 0 ? series : ClosedCandles.of([...before, ...series]);
    }
    entry.steppedUntil = Number.POSITIVE_INFINITY;
    return series;
  }

  #store(key: string, closed: ClosedCandles): void {
    const series = this.byKey.get(key);
    if (series?.closed === closed) return;
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.retryAtMs = 0;
    const newest = closed.newest?.closeTimeMs ?? 0;
    const isStillOpen = series?.open != null && series.open.closeTimeMs > newest;
    this.byKey.set(key, {
      closed,
      open: isStillOpen ? series.open : null,
      openAsOf: isStillOpen ? series.openAsOf : null,
    });
  }

  async #readOpen(key: string, { symbol, interval }: Entry): Promise<void> {
    const { candle: open, asOf } = await this.#market.newestCandle(symbol, interval);
    const series = this.byKey.get(key);
    if (series === undefined || open === null) return;
    if (open.closeTimeMs <= (series.closed.newest?.closeTimeMs ?? 0)) return;
    this.byKey.set(key, { closed: series.closed, open, openAsOf: Date.parse(asOf) });
  }
}

/** Replaces the last candle by the venue's latest version; returns the same series if nothing changed. */
function corrected(known: ClosedCandles, newest: readonly Candle[]): ClosedCandles {
  const last = known.newest;
  const stated = newest.find(({ openTimeMs }) => openTimeMs === last?.openTimeMs);
  return stated === undefined || isDeepStrictEqual(stated, last)
    ? known
    : known.slice(0, known.count - 1).append([stated]);
}

/** Bounds memory once no blueprint is behind. */
function trimmed(closed: ClosedCandles, { window, steppedUntil }: Entry): ClosedCandles {
  const isLong = closed.count > window + 2 * SPARE && steppedUntil === Number.POSITIVE_INFINITY;
  return isLong ? closed.slice(closed.count - window - SPARE) : closed;
}

const finiteOrZero = (value: number): number => (Number.isFinite(value) ? value : 0);

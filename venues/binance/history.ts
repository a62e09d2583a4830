/** Binance's candles of any span, oldest first, page by page. */

import type { FeedClock } from '../clock.ts';
import { VenueError } from '../errors.ts';
import {
  type CandleRow,
  type HistoryPage,
  type HistoryRange,
  type HistorySeriesKey,
  KLINE_INTERVALS,
  KLINES_PER_REQUEST,
  type KlineInterval,
  rowsOfPage,
} from '../history-source.ts';
import { pageDeadline, RequestPacer } from '../http/request-pacer.ts';
import type { Upstream } from '../http/upstream.ts';
import { parseParam, SymbolText } from '../params.ts';
import { arePricesPossible } from '../parse/candle-checks.ts';
import { exactNumber, toNumber } from '../parse/decimal.ts';
import type { RecordParser } from '../parse/record-parser.ts';
import { refusalFor } from './symbols.ts';
import { UnreadKlinesAnswer, WireKline } from './wire.ts';

const KLINES_WEIGHT = 2;

/** Binance's name of this candle length, or null. */
export const intervalOf = (resolutionMs: number): KlineInterval | null =>
  (Object.keys(KLINE_INTERVALS) as KlineInterval[]).find((name) => KLINE_INTERVALS[name] === resolutionMs) ??
  null;

/**
 * A candle in its stored form, or its defect. It must lie on the interval's grid, be whole, and have possible prices. A double
 * must hold each of its prices.
 */
export const klineRow = (resolutionMs: number) =>
  WireKline.transform((kline, ctx): CandleRow => {
    const [openTimeMs, open, high, low, close, volume, closeTimeMs] = kline;
    const prices = [open, high, low, close].map(exactNumber);
    const [o, h, l, c] = prices;
    const isWhole = closeTimeMs === openTimeMs + resolutionMs - 1 && openTimeMs % resolutionMs === 0;
    const isExact = o != null && h != null && l != null && c != null;
    if (isWhole && isExact && arePricesPossible({ open: o, high: h, low: l, close: c })) {
      return { openTimeMs, closeTimeMs, open: o, high: h, low: l, close: c, volume: toNumber(volume) };
    }
    ctx.addIssue({ code: 'custom', message: 'not a candle of the interval' });
    return undefined as never;
  });

export class KlineHistory {
  readonly #api: Upstream;
  readonly #clock: FeedClock;
  readonly #reader: RecordParser;
  readonly #pace: RequestPacer;

  constructor(api: Upstream, clock: FeedClock, reader: RecordParser) {
    this.#api = api;
    this.#clock = clock;
    this.#reader = reader;
    this.#pace = new RequestPacer(api.backgroundRate(KLINES_WEIGHT));
  }

  /** Each page begins where the previous one ended, so a truncated page loses nothing; an empty page is the end. */
  async *pages(
    { tokenId, kind, resolutionMs }: HistorySeriesKey,
    span: HistoryRange,
    signal: AbortSignal,
  ): AsyncIterable<HistoryPage> {
    const symbol = parseParam(SymbolText, 'tokenId', tokenId);
    const interval = intervalOf(resolutionMs);
    if (kind !== 'candle' || interval === null) throw VenueError.badRequest('crypto has no such series');
    const schema = klineRow(resolutionMs);
    for (let fromMs = span.fromMs; fromMs < span.toMs; ) {
      const records = await this.#ask(
        { symbol, interval, startTime: fromMs, endTime: span.toMs - 1 },
        signal,
      );
      const { read, unread } = this.#reader.all(schema, records, '0');
      const nowMs = this.#clock.now();
      const closed = read.filter(({ closeTimeMs }) => closeTimeMs < nowMs);
      const { rows, conflicting } = rowsOfPage(closed, { fromMs, toMs: span.toMs });
      if (rows.length === 0 && unread + conflicting > 0) throw this.#reader.unreadable();
      const last = rows.at(-1);
      const toMs = last === undefined ? span.toMs : Math.min(span.toMs, last.closeTimeMs + 1);
      yield { rows, coveredRange: { fromMs, toMs } };
      fromMs = toMs;
    }
  }

  async #ask(query: Record<string, string | number>, signal: AbortSignal): Promise<unknown[]> {
    await this.#pace.waitForSlot(signal);
    using deadline = pageDeadline(signal);
    return await this.#api.request('api/v3/klines', {
      schema: UnreadKlinesAnswer,
      query: { ...query, limit: KLINES_PER_REQUEST },
      deadline,
      priority: 'background',
      refusal: refusalFor(String(query['symbol'])),
    });
  }
}

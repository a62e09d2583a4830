import { isOfKind, venueOf } from '../../venues/catalogue.ts';
import { INTERVAL_MS } from '../../venues/intervals.ts';
import type { CandleNeed, Needs } from '../graph/types.ts';
import type { SeriesKey } from '../history/series.ts';
import type { Watch } from './pace.ts';
import type { BacktestRequest } from './request.ts';

/** Candles in front of the span, as a multiple of what the drawing needs: the second half is for the start-up check. */
const WARM_UP_TIMES = 2;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A stretch of a series that a run reads. `isOptional`: it runs without, with less fidelity. */
export type SeriesNeed = {
  readonly key: SeriesKey;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isOptional: boolean;
};

/** A stretch of recorded quotes that a run reads where there are any. */
export type QuotesNeed = { readonly tokenId: string; readonly fromMs: number; readonly toMs: number };

export type RunNeeds = {
  readonly series: readonly SeriesNeed[];
  readonly quotes: readonly QuotesNeed[];
  /** Instruments whose facts must be there. */
  readonly instruments: readonly string[];
  /** How often the drawing is stepped at least. */
  readonly evaluations: number;
};

/**
 * What a run reads: candles of the drawing with what warms them up, prices of all that it quotes or trades, finer candles to
 * look inside bars. With `substitute` the instruments that are run instead of the one that is drawn. Pure.
 */
export function needsOfRun(
  needs: Needs,
  watch: Watch,
  { from, to, data }: Pick<BacktestRequest, 'from' | 'to' | 'data'>,
): RunNeeds {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const tokensFor = (tokenId: string): readonly string[] => data.substitute[tokenId] ?? [tokenId];
  const candles = needs.candles.flatMap((need) =>
    tokensFor(need.symbol).map((symbol) => candlesOf({ ...need, symbol }, fromMs, toMs)),
  );
  const priced = [...new Set([...needs.quotes, ...needs.books, ...needs.traded])].flatMap(tokensFor).sort();
  const span = { fromMs, toMs };
  const prices = priced.flatMap((tokenId) => pricesOf(tokenId, needs, watch, data, span));
  return {
    series: unique([...candles.flat(), ...prices]),
    quotes: data.source === 'bars' ? [] : priced.map((tokenId) => ({ tokenId, ...span })),
    instruments: [...new Set(needs.instruments.flatMap(tokensFor))].sort(),
    evaluations: evaluationsOf(needs, span),
  };
}

function candlesOf({ symbol, interval, window }: CandleNeed, fromMs: number, toMs: number): SeriesNeed[] {
  const venue = venueOf(symbol);
  if (venue === null) return [];
  const resolutionMs = INTERVAL_MS[interval];
  const key: SeriesKey = { venue, tokenId: symbol, kind: 'candle', resolutionMs };
  const warmUpMs = WARM_UP_TIMES * window * resolutionMs;
  return [{ key, fromMs: fromMs - warmUpMs, toMs, isOptional: false }];
}

type Span = { readonly fromMs: number; readonly toMs: number };

function pricesOf(
  tokenId: string,
  needs: Needs,
  watch: Watch,
  { detail }: BacktestRequest['data'],
  span: Span,
): SeriesNeed[] {
  const venue = venueOf(tokenId);
  if (venue === null) return [];
  const key = (kind: SeriesKey['kind'], resolutionMs: number): SeriesKey => ({
    venue,
    tokenId,
    kind,
    resolutionMs,
  });
  if (!isOfKind(venue, 'spot')) {
    const kind = venue === 'venue-a' ? 'bid_ask' : 'midpoint';
    return [{ key: key(kind, MINUTE_MS), ...span, isOptional: true }];
  }
  const hasOwn = needs.candles.some(({ symbol }) => symbol === tokenId);
  const isInside = watch.hasMovingConditions || watch.exits.some((exit) => exit.tokenId === tokenId);
  const finer =
    detail === '1s' ? [SECOND_MS] : detail === '1m' || (detail === 'auto' && isInside) ? [MINUTE_MS] : [];
  if (!hasOwn && finer.length === 0) finer.push(MINUTE_MS);
  return finer.map((resolutionMs) => ({ key: key('candle', resolutionMs), ...span, isOptional: hasOwn }));
}

/** One need a series, over all that is asked of it; required where any of them is. */
function unique(needs: readonly SeriesNeed[]): SeriesNeed[] {
  const byKey = Map.groupBy(needs, ({ key }) => JSON.stringify(key));
  return [...byKey.values()].flatMap((ofKey) => {
    const [first] = ofKey;
    return first === undefined
      ? []
      : {
          key: first.key,
          fromMs: Math.min(...ofKey.map(({ fromMs }) => fromMs)),
          toMs: Math.max(...ofKey.map(({ toMs }) => toMs)),
          isOptional: ofKey.every(({ isOptional }) => isOptional),
        };
  });
}

function evaluationsOf({ candles }: Needs, { fromMs, toMs }: Span): number {
  const steps = candles.map(({ interval }) => Math.floor((toMs - fromMs) / INTERVAL_MS[interval]));
  return Math.max(0, ...steps);
}

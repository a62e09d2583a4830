import { isOfKind, venueOf } from '../../../venues/catalogue.ts';
import { INTERVAL_MS } from '../../../venues/parse/intervals.ts';
import { pastOf } from '../../../venues/port.ts';
import type { SeriesKey } from '../../history/series.ts';
import type { CandleNeed, Needs } from '../../strategy/graph/types.ts';
import type { IntrabarTriggers } from './intrabar-triggers.ts';
import type { BacktestRequest } from './request.ts';

/** Candles before the span, as a multiple of the graph's needs: the second half is for the start-up check. */
const WARM_UP_TIMES = 2;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A range of a series that a run reads. `isOptional`: the run works without it, with less fidelity. */
export type SeriesNeed = {
  readonly key: SeriesKey;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isOptional: boolean;
};

/** A range of recorded quotes that a run reads if there are any. */
export type QuotesNeed = { readonly tokenId: string; readonly fromMs: number; readonly toMs: number };

export type RunDataNeeds = {
  readonly series: readonly SeriesNeed[];
  readonly quotes: readonly QuotesNeed[];
  /** Minutes that resting orders meet in addition to recorded quotes: optional, and only read with such quotes. */
  readonly minutes: readonly SeriesNeed[];
  /** Signals whose values are played again. */
  readonly signals: readonly string[];
  /** Instruments whose facts are required. */
  readonly instruments: readonly string[];
  /** Instruments whose listing must be known from the first instant on. */
  readonly listings: readonly string[];
  /** Minimum number of steps of the graph. */
  readonly evaluations: number;
};

/**
 * Returns the data that a run reads: the graph's candles with their warm-up, prices of all instruments quoted or traded, and
 * finer candles for prices inside bars. With `substitute`, the data are those of the substituted instruments. Pure.
 */
export function runDataNeedsOf(
  needs: Needs,
  watch: IntrabarTriggers,
  { from, to, data }: Pick<BacktestRequest, 'from' | 'to' | 'data'>,
): RunDataNeeds {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const tokensFor = (tokenId: string): readonly string[] => data.substitute[tokenId] ?? [tokenId];
  const candles = needs.candles.flatMap((need) =>
    tokensFor(need.symbol).map((symbol) => candlesOf({ ...need, symbol }, fromMs, toMs)),
  );
  const priced = [...new Set([...needs.quotes, ...needs.books, ...needs.traded])].flatMap(tokensFor).sort();
  const span = { fromMs, toMs };
  const prices = priced.flatMap((tokenId) => pricesOf(tokenId, needs, watch, data, span));
  const series = unique([...candles.flat(), ...prices]);
  const traded = data.source === 'bars' ? [] : [...new Set(needs.traded.flatMap(tokensFor))].sort();
  return {
    series,
    minutes: traded.flatMap((tokenId) => minutesOf(tokenId, span, series)),
    quotes: data.source === 'bars' ? [] : priced.map((tokenId) => ({ tokenId, ...span })),
    signals: needs.signals,
    instruments: [...new Set(needs.instruments.flatMap(tokensFor))].sort(),
    listings: [...new Set(needs.listings.flatMap(tokensFor))].sort(),
    evaluations: evaluationsOf(needs, isStill(needs, watch) ? [] : prices, span) * timesOf(data),
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
  watch: IntrabarTriggers,
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
    return pastOf(venue)
      .filter(({ resolutionMs }) => resolutionMs === MINUTE_MS)
      .map(({ kind }) => ({ key: key(kind, MINUTE_MS), ...span, isOptional: true }));
  }
  const hasOwn = needs.candles.some(({ symbol }) => symbol === tokenId);
  const isInside = watch.hasMovingConditions || watch.exits.some((exit) => exit.tokenId === tokenId);
  const finer =
    detail === '1s' ? [SECOND_MS] : detail === '1m' || (detail === 'auto' && isInside) ? [MINUTE_MS] : [];
  if (!hasOwn && finer.length === 0) finer.push(MINUTE_MS);
  return finer.map((resolutionMs) => ({ key: key('candle', resolutionMs), ...span, isOptional: hasOwn }));
}

function minutesOf(tokenId: string, span: Span, read: readonly SeriesNeed[]): SeriesNeed[] {
  const venue = venueOf(tokenId);
  if (venue === null || !isOfKind(venue, 'spot')) return [];
  const key: SeriesKey = { venue, tokenId, kind: 'candle', resolutionMs: MINUTE_MS };
  const isRead = read.some(({ key: one }) => one.tokenId === tokenId && one.resolutionMs === MINUTE_MS);
  return isRead ? [] : [{ key, ...span, isOptional: true }];
}

/** Merges needs of the same series; required if any of them is. */
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

/** Whether only closes of candles can make a graph act. */
const isStill = ({ candles }: Needs, { hasMovingConditions, exits }: IntrabarTriggers): boolean =>
  candles.length > 0 && !hasMovingConditions && exits.length === 0;

/** Number of simulated accounts that a graph is run on. */
const timesOf = ({ substitute }: BacktestRequest['data']): number =>
  Math.max(1, ...Object.values(substitute).map(({ length }) => length));

/** Counts closes, or prices if they step the graph. Steps inside bars come on top; their number is not known before. */
function evaluationsOf({ candles }: Needs, prices: readonly SeriesNeed[], { fromMs, toMs }: Span): number {
  const periods = [
    ...candles.map(({ interval }) => INTERVAL_MS[interval]),
    ...prices.map(({ key }) => key.resolutionMs),
  ];
  return Math.max(0, ...periods.map((periodMs) => Math.floor((toMs - fromMs) / periodMs)));
}

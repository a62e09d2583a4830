import { type CurvePoint, equityDrawdownCurve } from '../../books/statistics/equity-drawdown-curve.ts';
import { FillThinner, thinnedFills } from '../../books/statistics/fill-thinner.ts';
import type { HistoryArchive } from '../../history/archived-bodies.ts';
import type { SeriesRows } from '../../history/series.ts';
import { readHistory } from '../../history/store.ts';
import type { Work } from '../../platform/context.ts';
import { labelsOfGraph, type NodeLabel } from '../../strategy/graph/compile/labels-of-graph.ts';
import { withMembers } from '../../strategy/graph/series-lists.ts';
import type { FillPartRow } from '../playback/result.ts';
import { backtestEquityCurve, resultEndMs } from './backtest-equity-curve.ts';
import { allRows } from './read.ts';
import { type BacktestRow, type CoveredSeries, readBacktest } from './row.ts';

const EQUITY_POINTS_MAX = 900;
const CANDLES_MAX = 700;
/** Limit over all instruments. */
const FILLS_MAX = 2_400;
const BINS = 40;
/** A run over hundreds of instruments shows the first few that it traded. */
const INSTRUMENTS_MAX = 12;

export type PriceCandle = {
  readonly atMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** In units of the instrument; null where none was recorded. */
  readonly volume: number | null;
};

/** A traded instrument: its price, and its buys and sells. Many fills are reduced to whole round trips. */
export type ChartInstrument = {
  readonly tokenId: string;
  readonly candles: readonly PriceCandle[];
  readonly fills: readonly Pick<FillPartRow, 'at' | 'side' | 'price'>[];
  readonly fillCount: number;
};

export type HistogramBin = { readonly from: number; readonly to: number; readonly count: number };

export type ResultCharts = {
  readonly equity: readonly CurvePoint[];
  /** The same money held in the traded coin from the start; empty for contracts, and for several coins. */
  readonly hold: readonly { readonly atMs: number; readonly equity: number }[];
  readonly instruments: readonly ChartInstrument[];
  /** Number of trades by their result, USD; no bin mixes losses and gains. */
  readonly bins: readonly HistogramBin[];
  /** Labels in the graph that ran. */
  readonly nodeLabels: readonly NodeLabel[];
};

/**
 * Reads the charts of a result, small enough for a page however long the run was.
 *
 * @throws DomainError `not_found`, `archived_unavailable`.
 */
export async function readResultCharts(
  work: Work,
  archive: HistoryArchive | null,
  id: string,
): Promise<ResultCharts> {
  const row = await readBacktest(work, id);
  const { from, cash } = row.request;
  const curve = await backtestEquityCurve(work, id, EQUITY_POINTS_MAX);
  const instruments = await chartInstruments(work, archive, row, resultEndMs(row, curve));
  return {
    equity: equityDrawdownCurve(cash, Date.parse(from), curve),
    hold: holdOf(Number(cash), row.summary, instruments),
    instruments,
    bins: histogramOf(await results(work, id)),
    nodeLabels: labelsOfGraph(withMembers(row.visual, row.request.members ?? null)),
  };
}

/** A holding begins within its first candle, plus costs up to this part of the price. */
const COSTS_MAX = 0.02;

/**
 * The price of the only instrument, scaled to end at the return of holding that the summary states. Empty if that return is of
 * something else, which a holding that began outside the first candle shows. Pure.
 */
export function holdOf(
  cash: number,
  summary: Pick<NonNullable<BacktestRow['summary']>, 'benchmark' | 'buyAndHold'> | null,
  [only, ...others]: readonly Pick<ChartInstrument, 'candles'>[],
): ResultCharts['hold'] {
  const held = summary?.benchmark?.totalReturn.value ?? summary?.buyAndHold;
  const [first, last] = [only?.candles[0], only?.candles.at(-1)];
  if (held == null || summary?.benchmark === null || !only || !first || !last || others.length > 0) return [];
  const begun = last.close / (1 + held);
  if (!(begun >= first.low * (1 - COSTS_MAX) && begun <= first.high * (1 + COSTS_MAX))) return [];
  return only.candles.map(({ atMs, close }) => ({ atMs, equity: (cash * close) / begun }));
}

async function results(work: Work, id: string): Promise<number[]> {
  const found: number[] = [];
  for await (const rows of allRows(work, id, 'trade')) for (const { pnl } of rows) found.push(Number(pnl));
  return found;
}

/** Groups results of trades in equal bins with round borders, one of them zero. Pure. */
export function histogramOf(values: readonly number[]): HistogramBin[] {
  let [low, high] = [0, 0];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low === 0 && high === 0) return values.length === 0 ? [] : [{ from: 0, to: 0, count: values.length }];
  const width = roundStep((high - low) / BINS);
  const below = Math.ceil(-low / width);
  const above = Math.ceil(high / width);
  const counts = Array.from({ length: below + above }, () => 0);
  for (const value of values) {
    const bin = Math.min(counts.length - 1, Math.floor(value / width) + below);
    counts[Math.max(0, bin)] = (counts[Math.max(0, bin)] ?? 0) + 1;
  }
  const border = (bin: number) => Number(((bin - below) * width).toPrecision(BORDER_DIGITS));
  return counts.map((count, bin) => ({ from: border(bin), to: border(bin + 1), count }));
}

/** More digits of a border are the noise of a division. */
const BORDER_DIGITS = 12;

/** The least of 1, 2, 5 and 10 times a power of ten that is not below `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return (ROUND.find((each) => each * power >= step) ?? 10) * power;
}
const ROUND = [1, 2, 5] as const;

type Range = { readonly fromMs: number; readonly toMs: number };

/** Reads the traded instruments of a run up to the end of its result: the first few of them. */
export async function chartInstruments(
  work: Work,
  archive: HistoryArchive | null,
  row: BacktestRow,
  toMs: number,
): Promise<ChartInstrument[]> {
  const range = { fromMs: Date.parse(row.request.from), toMs };
  const found = new Map<string, { thinner: FillThinner<FillPartRow>; fillCount: number }>();
  for await (const rows of allRows(work, row.id, 'fill')) {
    for (const fill of rows) {
      const of = found.get(fill.tokenId) ?? { thinner: new FillThinner(FILLS_MAX), fillCount: 0 };
      if (found.size < INSTRUMENTS_MAX) found.set(fill.tokenId, of);
      of.fillCount++;
      of.thinner.add(fill);
    }
  }
  const instruments: ChartInstrument[] = [];
  for (const [tokenId, { thinner, fillCount }] of found) {
    instruments.push({
      tokenId,
      candles: await candlesOf(work, archive, row.coverage, tokenId, range),
      fills: thinnedFills(thinner.end(), Math.floor(FILLS_MAX / found.size)).map(({ at, side, price }) => ({
        at,
        side,
        price,
      })),
      fillCount,
    });
  }
  return instruments;
}

/** Reads the price of the run, coarse enough for a chart; empty if only quotes were recorded. */
async function candlesOf(
  work: Work,
  archive: HistoryArchive | null,
  coverage: BacktestRow['coverage'],
  tokenId: string,
  range: Range,
): Promise<PriceCandle[]> {
  const [series] = (coverage ?? [])
    .filter((each) => each.tokenId === tokenId)
    .sort((a, b) => b.resolutionMs - a.resolutionMs || a.kind.localeCompare(b.kind));
  const history = series === undefined ? null : await readHistory(work.db, keyOf(series), range, { archive });
  return history === null ? [] : mergedCandles(history.rows, CANDLES_MAX);
}

const keyOf = ({ venue, tokenId, kind, resolutionMs }: CoveredSeries) => ({
  venue,
  tokenId,
  kind,
  resolutionMs,
});

/** Reduces rows of any kind to at most `max` candles; bid and ask give their midpoint. Pure. */
export function mergedCandles(rows: SeriesRows, max: number): PriceCandle[] {
  const per = Math.max(1, Math.ceil(rows.count / max));
  const candles: PriceCandle[] = [];
  for (let from = 0; from < rows.count; from += per) {
    const to = Math.min(rows.count, from + per);
    let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let at = from; at < to; at++) {
      high = Math.max(high, priceIn(rows, 'high', at));
      low = Math.min(low, priceIn(rows, 'low', at));
    }
    const [open, close] = [priceIn(rows, 'open', from), priceIn(rows, 'close', to - 1)];
    if ([open, high, low, close].every(Number.isFinite)) {
      const atMs = rows.columns.closeTimeMs[to - 1] ?? 0;
      candles.push({ atMs, open, high, low, close, volume: volumeIn(rows, from, to) });
    }
  }
  return candles;
}

/** The volume of rows, without those that state none; null if none does. */
function volumeIn({ kind, columns }: SeriesRows, from: number, to: number): number | null {
  if (kind === 'midpoint') return null;
  const known = columns.volume.slice(from, to).filter(Number.isFinite);
  return known.length === 0 ? null : known.reduce((sum, volume) => sum + volume, 0);
}

type Part = 'open' | 'high' | 'low' | 'close';
const SIDES = {
  open: ['bidOpen', 'askOpen'],
  high: ['bidHigh', 'askHigh'],
  low: ['bidLow', 'askLow'],
  close: ['bidClose', 'askClose'],
} as const;

function priceIn({ kind, columns }: SeriesRows, part: Part, at: number): number {
  if (kind === 'candle') return columns[part][at] ?? Number.NaN;
  if (kind === 'midpoint') return columns.price[at] ?? Number.NaN;
  const [bid, ask] = SIDES[part].map((name) => columns[name][at] ?? Number.NaN);
  return ((bid ?? Number.NaN) + (ask ?? Number.NaN)) / 2;
}

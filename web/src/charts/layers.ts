export type Point = { at: string; value: number };
export type Candle = { at: string; open: number; high: number; low: number; close: number };
/** Where something was bought or sold. */
export type Marker = { at: string; side: 'buy' | 'sell' };

/** Lines of one chart are told apart by colour and by how they are drawn. */
export const LINE_TONES = ['accent', 'amber', 'violet', 'teal'] as const;
export type LineTone = (typeof LINE_TONES)[number];

type Drawn =
  | { kind: 'area'; points: readonly Point[] }
  /** Green above, red below. */
  | { kind: 'baseline'; points: readonly Point[]; baseline: number }
  | { kind: 'line'; points: readonly Point[]; tone: LineTone }
  /** Filled from nothing downwards, as a drawdown. */
  | { kind: 'below'; points: readonly Point[] }
  | { kind: 'candles'; candles: readonly Candle[] };

export type Layer = Drawn & {
  write: (value: number) => string;
  /** The smallest step its axis is marked with. */
  step?: number;
  markers?: readonly Marker[];
  /** Below the picture, in one of its own, with the same axis of time. */
  isBelow?: boolean;
};

/**
 * The same points with their last value at this instant: a curve read a moment before or after the one it is drawn under
 * ends where that one does. Points in order of time.
 */
export function endingAt(points: readonly Point[], at: string): Point[] {
  const last = points.at(-1);
  if (last === undefined) return [];
  const endMs = Date.parse(at);
  return [...points.filter((point) => Date.parse(point.at) < endMs), { at, value: last.value }];
}

/** More points than this make a chart slow and no clearer. */
const POINTS_MAX = 2_000;
const MARKERS_MAX = 600;

/** The same layers with at most {@link POINTS_MAX} points between them: what is left out lies between what is shown. */
export function fitted(layers: readonly Layer[]): Layer[] {
  const max = Math.floor(POINTS_MAX / Math.max(1, layers.length));
  return layers.map((layer) => ({
    ...layer,
    ...(layer.kind === 'candles'
      ? { candles: merged(layer.candles, max) }
      : { points: thinned(layer.points, max) }),
    ...(layer.markers && { markers: everyNth(layer.markers, MARKERS_MAX) }),
  }));
}

/** The first, the last, and of each stretch between them its lowest and its highest. */
export function thinned(points: readonly Point[], max: number): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (points.length <= max || !first || !last) return points;
  const inner = points.slice(1, -1);
  const perBucket = inner.length / Math.floor((max - 2) / 2);
  const buckets = Object.values(Object.groupBy(inner, (_, index) => Math.floor(index / perBucket)));
  return [first, ...buckets.flatMap((bucket = []) => extremes(bucket)), last];
}

function extremes(points: readonly Point[]): Point[] {
  const low = points.reduce((found, each) => (each.value < found.value ? each : found));
  const high = points.reduce((found, each) => (each.value > found.value ? each : found));
  return points.filter((point) => point === low || point === high);
}

/** Neighbours as one candle, so that no high and no low is lost. */
export function merged(candles: readonly Candle[], max: number): readonly Candle[] {
  if (candles.length <= max) return candles;
  const perBucket = Math.ceil(candles.length / max);
  return Object.values(Object.groupBy(candles, (_, index) => Math.floor(index / perBucket))).flatMap(
    (bucket = []) => {
      const [first, last] = [bucket[0], bucket.at(-1)];
      if (!first || !last) return [];
      return [
        {
          at: first.at,
          open: first.open,
          high: bucket.reduce((high, each) => Math.max(high, each.high), first.high),
          low: bucket.reduce((low, each) => Math.min(low, each.low), first.low),
          close: last.close,
        },
      ];
    },
  );
}

function everyNth<Row>(rows: readonly Row[], max: number): readonly Row[] {
  const step = Math.ceil(rows.length / max);
  return step <= 1 ? rows : rows.filter((_, index) => index % step === 0);
}

/** Says which points these are, for a chart of them under a key: equal points of another answer are the same. */
export function revisionOf(key: string, points: readonly (Point | Candle)[]): string {
  const [first, last] = [points[0], points.at(-1)];
  const end = last && ('value' in last ? last.value : last.close);
  return [key, points.length, first?.at, last?.at, end].join(' ');
}

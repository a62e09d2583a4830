import { fineShare } from '../format/number.ts';

export type Point = {
  at: string;
  value: number;
  /** Nothing is known from here to the next point: no line joins them. Of lines and baselines. */
  isBeforeGap?: true;
};
export type Candle = {
  at: string;
  open: number;
  high: number;
  low: number;
  close: number;
  /** In units of the instrument; absent where its source counts none. */
  volume?: number;
};
/** A buy or a sell. */
export type Marker = { at: string; side: 'buy' | 'sell'; price: number };

/** A horizontal line at a price, with its name. */
export type PriceLevel = { name: string; price: number; tone: 'text' | 'up' | 'down' | 'accent' };

/** Lines of one chart differ in colour and in stroke. */
export const LINE_TONES = ['accent', 'amber', 'violet', 'teal'] as const;
export type LineTone = (typeof LINE_TONES)[number];

type LayerContent =
  | { kind: 'area'; points: readonly Point[] }
  /** Green above, red below. */
  | { kind: 'baseline'; points: readonly Point[]; baseline: number }
  | {
      kind: 'line';
      points: readonly Point[];
      tone: LineTone;
      /** The name at its end, beside its newest value on the axis. */
      endName?: string;
    }
  /** Filled from zero downwards, as a drawdown. */
  | { kind: 'below'; points: readonly Point[] }
  | { kind: 'candles'; candles: readonly Candle[] }
  /** The volume of candles, from zero upwards. */
  | { kind: 'volume'; candles: readonly Candle[] };

export type Layer = LayerContent & {
  write: (value: number) => string;
  /** The smallest step of its axis. */
  step?: number;
  markers?: readonly Marker[];
  levels?: readonly PriceLevel[];
  /** The pane, counted from the top; all panes have one axis of time. Layers are in order of their panes. Default 0. */
  pane?: number;
  /** Its name in the legend, with its value at the cursor. A layer without one is not in the legend. */
  name?: string;
};

/** The drawdown of a curve, drawn under it. Shares of the peak, 0 and below. */
export const drawdownLayer = (points: readonly Point[]): Layer => ({
  kind: 'below',
  points,
  write: fineShare,
  step: 0.0001,
  pane: 1,
});

/** The points before an instant, and one at it. In order of time. */
export const endingWith = <Row extends { at: string }>(points: readonly Row[], end: Row): Row[] => [
  ...points.filter(({ at }) => Date.parse(at) < Date.parse(end.at)),
  end,
];

/** Identifies points by their values: equal points of another response are the same. */
export function pointsChangeKey(points: readonly (Point | Candle)[]): string {
  const [first, last] = [points[0], points.at(-1)];
  const end = last && ('value' in last ? last.value : last.close);
  return [points.length, first?.at, last?.at, end].join(' ');
}

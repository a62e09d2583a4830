import { amount, amountCompact, usd } from '../format/number.ts';
import { t } from '../language/language.ts';
import {
  type Candle,
  drawdownLayer,
  type Layer,
  type LineTone,
  type Marker,
  type Point,
  type PriceLevel,
} from './layers.ts';

/** A named curve. */
export type NamedCurve = { readonly name: string; readonly points: readonly Point[] };

/** The content of a strategy's chart, from the top. */
export type StrategyContent = {
  readonly price: {
    readonly name: string;
    /** Empty while unknown: then the fills are joined by a line. */
    readonly candles: readonly Candle[];
    readonly fills: readonly Marker[];
    /** The levels of an open position. */
    readonly levels: readonly PriceLevel[];
    readonly write: (value: number) => string;
    /** The strategy's own indicators, in units of the price. */
    readonly over: readonly NamedCurve[];
    /** Its other indicators, each in a pane of its own. */
    readonly apart: readonly NamedCurve[];
  } | null;
  readonly equity: NamedCurve;
  /** Curves drawn over the equity, in its units. */
  readonly beside: readonly NamedCurve[];
  /** Shares of the peak, 0 and below. */
  readonly drawdown: readonly Point[];
};

/** Heights of the panes, in px. */
const HEIGHTS = { price: 250, volume: 60, apart: 90, equity: 150, drawdown: 76 } as const;
/** Equity without a price above it. */
const EQUITY_ALONE = 230;
/** The axis of time and the lines between panes. */
const AXIS_PX = 30;

/** Tones of lines over candles and curves: not the accent, which areas use. */
const TONES: readonly LineTone[] = ['amber', 'violet', 'teal'];
const toneOf = (index: number): LineTone => TONES[index % TONES.length] ?? 'amber';

/** Arranges a strategy's chart: its layers in order of their panes, and all heights in px. Pure. */
export function strategyLayers({ price, equity, beside, drawdown }: StrategyContent): {
  layers: readonly Layer[];
  panes: readonly number[];
  height: number;
} {
  const panes: { height: number; layers: readonly Layer[] }[] = [];
  if (price !== null) {
    const { candles, write, over, apart } = price;
    panes.push({
      height: HEIGHTS.price,
      layers: [priceLayer(price), ...over.map((curve, index) => lineOf(curve, toneOf(index), write))],
    });
    if (candles.some(({ volume = 0 }) => volume > 0)) {
      panes.push({
        height: HEIGHTS.volume,
        layers: [{ kind: 'volume', name: t('Volume'), candles, write: amountCompact }],
      });
    }
    for (const curve of apart) {
      panes.push({
        height: HEIGHTS.apart,
        layers: [{ ...lineOf(curve, 'violet', fiveDigits), step: 0.0001 }],
      });
    }
  }
  const { name, points } = equity;
  panes.push({
    height: price === null ? EQUITY_ALONE : HEIGHTS.equity,
    layers: [
      { kind: 'baseline', name, points, baseline: points[0]?.value ?? 0, write: usd },
      ...beside.map((curve, index) => lineOf(curve, toneOf(index), usd)),
    ],
  });
  panes.push({
    height: HEIGHTS.drawdown,
    layers: [{ ...drawdownLayer(drawdown), name: t('Drawdown') }],
  });
  return {
    layers: panes.flatMap(({ layers }, pane) => layers.map((layer) => ({ ...layer, pane }))),
    panes: panes.map(({ height }) => height),
    height: panes.reduce((sum, { height }) => sum + height, AXIS_PX),
  };
}

/** An indicator in units of its own: further digits are noise. */
const fiveDigits = (value: number): string => amount(Number(value.toPrecision(5)));

function priceLayer({ candles, fills, name, levels, write }: NonNullable<StrategyContent['price']>): Layer {
  const shared = { name, markers: fills, levels, write };
  return candles.length > 0
    ? { kind: 'candles', candles, ...shared }
    : { kind: 'area', points: fills.map(({ at, price }) => ({ at, value: price })), ...shared };
}

const lineOf = ({ name, points }: NamedCurve, tone: LineTone, write: (value: number) => string): Layer => ({
  kind: 'line',
  name,
  tone,
  points,
  write,
});

/**
 * Scales a curve to the value that another has where both begin, so that they are compared by their returns. Null if either has
 * no points. Points in order of time. Pure.
 */
export function rebased(points: readonly Point[], onto: readonly Point[]): Point[] | null {
  const [first, other] = [points[0], onto[0]];
  if (first === undefined || other === undefined) return null;
  const startMs = Math.max(Date.parse(first.at), Date.parse(other.at));
  const [value, target] = [valueAt(points, startMs), valueAt(onto, startMs)];
  if (value === undefined || target === undefined || value <= 0) return null;
  return points.map((point) => ({ at: point.at, value: (point.value / value) * target }));
}

const valueAt = (points: readonly Point[], atMs: number): number | undefined =>
  points.findLast(({ at }) => Date.parse(at) <= atMs)?.value;

/** The points from an instant on, and the value at that instant. Points in order of time. */
export function pointsSince(points: readonly Point[], sinceMs: number): Point[] {
  const value = valueAt(points, sinceMs);
  const later = points.filter(({ at }) => Date.parse(at) > sinceMs);
  if (later.length === 0) return [];
  return value === undefined ? later : [{ at: new Date(sinceMs).toISOString(), value }, ...later];
}

import type { HighLow } from './request.ts';

/** How a price may have moved inside a bar: from its open over both extremes to its close. */
export type Bar = {
  readonly openMs: number;
  /** The instant it closed. */
  readonly closeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
};

/** Steps of a path at most. */
const STEPS_MAX = 64;
const STEP_SHARE = 0.0005;

/**
 * Whether the high is thought to come first. `likely`: a rising bar goes down first, a falling one up, which holds for about
 * nine bars of ten.
 */
export function isHighFirst({ open, close }: Bar, order: Exclude<HighLow, 'both'>): boolean {
  if (order !== 'likely') return order === 'high_first';
  return close < open;
}

/** Instants and prices between the open and the close of a bar, ascending in time. */
export type Path = { readonly atMs: readonly number[]; readonly prices: readonly number[] };

/**
 * The way from open to extreme to extreme to close, walked in steps of 5 basis points, or one tick where that is more, and
 * 64 of them at most; time passes as the way does. The extremes are met exactly. The close is not on it: it is the bar's own.
 */
export function pathOf(bar: Bar, order: Exclude<HighLow, 'both'>, tick: number): Path {
  const { open, high, low, close, openMs, closeMs } = bar;
  const corners = isHighFirst(bar, order) ? [open, high, low, close] : [open, low, high, close];
  const whole = corners
    .slice(1)
    .reduce((sum, price, at) => sum + Math.abs(price - (corners[at] ?? price)), 0);
  if (whole === 0) return { atMs: [], prices: [] };
  const step = Math.max(tick, open * STEP_SHARE, whole / (STEPS_MAX - corners.length));
  const atMs: number[] = [];
  const prices: number[] = [];
  let way = 0;
  const add = (price: number, gone: number) => {
    const at = Math.round(openMs + ((closeMs - openMs) * gone) / whole);
    if (at <= openMs || at >= closeMs) return;
    // Of two prices of one millisecond the later one stands.
    if (atMs.at(-1) === at) prices[prices.length - 1] = price;
    else {
      atMs.push(at);
      prices.push(price);
    }
  };
  for (let leg = 1; leg < corners.length; leg++) {
    const from = corners[leg - 1] as number;
    const to = corners[leg] as number;
    const length = Math.abs(to - from);
    const direction = Math.sign(to - from);
    for (let gone = step; gone < length; gone += step) {
      add(onTick(from + direction * gone, tick), way + gone);
    }
    way += length;
    if (leg < corners.length - 1) add(to, way);
  }
  return { atMs, prices };
}

const onTick = (price: number, tick: number): number =>
  Number((Math.round(price / tick) * tick).toPrecision(15));

import { exact } from '../../platform/decimal.ts';
import type { EquityPoint } from './daily-returns.ts';

/** One fall from a peak and, if there was one, its recovery. */
export type Drawdown = {
  /** Share of the peak; 1 or more where nothing was left. */
  readonly share: number;
  readonly usd: string;
  /** The last instant at the peak. */
  readonly peakAtMs: number;
  readonly troughAtMs: number;
  /** When the peak was reached again; null if it was not. */
  readonly recoveredAtMs: number | null;
};

export type Drawdowns = {
  /** Null for a curve that never fell. */
  readonly max: Drawdown | null;
  /** The longest time from a peak to its recovery, or to the end. */
  readonly longestMs: number;
  /** All time from a peak to its recovery, or to the newest point. */
  readonly underWaterMs: number;
  /** Deepest first. */
  readonly worst: readonly Drawdown[];
};

const WORST_COUNT = 10;

/**
 * Measures the drawdowns of an equity curve below its highest point so far, over all points and not days. The peak begins at
 * `start`, as of `fromMs`. From a peak of nothing there is no drawdown. Points are added in order of time, and none is
 * stored.
 */
export class DrawdownTracker {
  readonly #worst: Drawdown[] = [];
  #longestMs = 0;
  #underWaterMs = 0;
  #peak: EquityPoint;
  #trough: EquityPoint | null = null;
  /** Equity at the two, as numbers. */
  #peakValue: number;
  #troughValue = Number.POSITIVE_INFINITY;
  #last: EquityPoint;

  constructor(start: string, fromMs: number) {
    this.#peak = { atMs: fromMs, equity: start };
    this.#peakValue = Number(start);
    this.#last = this.#peak;
  }

  /** @param equity that of the point, if it is a number already. */
  add(point: EquityPoint, equity = Number(point.equity)): void {
    this.#last = point;
    if (point.flow !== undefined) this.#move(point.flow);
    if (equity >= this.#peakValue) {
      if (this.#trough !== null) {
        insertWorst(this.#worst, fallOf(this.#peak, this.#trough, point.atMs));
        this.#longestMs = Math.max(this.#longestMs, point.atMs - this.#peak.atMs);
        this.#underWaterMs += point.atMs - this.#peak.atMs;
        this.#trough = null;
        this.#troughValue = Number.POSITIVE_INFINITY;
      }
      this.#peak = point;
      this.#peakValue = equity;
    } else if (this.#peakValue > 0 && equity < this.#troughValue) {
      this.#trough = point;
      this.#troughValue = equity;
    }
  }

  /** The distance of the newest point below the peak, as a share of it; 0 without a drawdown. */
  share(): number {
    const peak = Number(this.#peak.equity);
    return peak > 0 ? Math.max(0, (peak - Number(this.#last.equity)) / peak) : 0;
  }

  /** Money brought in or taken out is no fall or rise: the peak and the low move with it. */
  #move(flow: string): void {
    const moved = <Point extends EquityPoint>(point: Point): Point => ({
      ...point,
      equity: exact(point.equity).plus(flow).toFixed(),
    });
    this.#peak = moved(this.#peak);
    this.#peakValue = Number(this.#peak.equity);
    if (this.#trough === null) return;
    this.#trough = moved(this.#trough);
    this.#troughValue = Number(this.#trough.equity);
  }

  /** The open drawdown, up to the newest point. */
  drawdowns(): Drawdowns {
    const worst = [...this.#worst];
    if (this.#trough !== null) insertWorst(worst, fallOf(this.#peak, this.#trough, null));
    const openMs = this.#trough === null ? 0 : this.#last.atMs - this.#peak.atMs;
    return {
      max: worst[0] ?? null,
      longestMs: Math.max(this.#longestMs, openMs),
      underWaterMs: this.#underWaterMs + openMs,
      worst,
    };
  }
}

const fallOf = (peak: EquityPoint, trough: EquityPoint, recoveredAtMs: number | null): Drawdown => ({
  share: (Number(peak.equity) - Number(trough.equity)) / Number(peak.equity),
  usd: exact(peak.equity).minus(trough.equity).toFixed(),
  peakAtMs: peak.atMs,
  troughAtMs: trough.atMs,
  recoveredAtMs,
});

function insertWorst(worst: Drawdown[], fall: Drawdown): void {
  const index = worst.findIndex(({ share }) => share < fall.share);
  worst.splice(index === -1 ? worst.length : index, 0, fall);
  if (worst.length > WORST_COUNT) worst.pop();
}

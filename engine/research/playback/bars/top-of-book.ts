import type { MarketStatus } from '../../../../db/vocabulary.ts';
import type { FillGrade } from '../result.ts';

/** The top of a market's book at one instant. Sizes are what an order may take; null for an empty side. */
export type TopOfBook = {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
  readonly bidSize: number | null;
  readonly askSize: number | null;
  /** When it was read, ms. */
  readonly asOfMs: number;
  /** Other fields of a recorded quote. */
  readonly quote?: {
    readonly volume24h: number | null;
    readonly openInterest: number | null;
    readonly change24h: number | null;
    readonly marketStatus: MarketStatus;
    readonly isTopOfBookKnown: boolean;
  };
};

/** Prices of one instrument along a tape. They never depend on anything after the current instant. */
export type InstrumentPrices = {
  /** Returns the instant of the next change, ms; Infinity at the end. Call again after each advance. */
  readonly nextMs: () => number;
  /** Advances to an instant, `nextMs` or earlier. True if the price changed. */
  readonly advance: (atMs: number) => boolean;
  /** Null if nothing is known, or the last value is no longer confirmed. */
  readonly topOfBookAt: (atMs: number) => TopOfBook | null;
  /** Returns how reliably the price at an instant is known. */
  readonly gradeAt: (atMs: number) => FillGrade;
};

/** More than any trade: stands for an unlimited amount. */
export const SIZE_MAX = 1e12;

/** Returns the amount that may be taken of a volume; any amount if the share is infinite. */
export function availableSizeOf(volume: number, share: number): number {
  if (share === Number.POSITIVE_INFINITY) return SIZE_MAX;
  return volume > 0 ? Math.min(volume * share, SIZE_MAX) : 0;
}

/** Half of a spread: a fixed amount, or this share of the price if that is more. */
export type HalfSpread = { readonly fixed: number; readonly share: number };

/** Bid and ask around a price: half a spread to either side, rounded away from it to the tick. */
export class Spread {
  readonly #half: HalfSpread;
  readonly #scale: number;
  readonly #tick: number;
  readonly #isBounded: boolean;

  /** `isBounded`: prices lie between 0 and 1, and a side without room is empty. */
  constructor(half: HalfSpread, tick: number, isBounded: boolean) {
    this.#half = half;
    const places = Math.max(0, Math.min(12, -Math.floor(Math.log10(tick) + 1e-9) + 2));
    this.#scale = 10 ** places;
    this.#tick = Math.max(1, Math.round(tick * this.#scale));
    this.#isBounded = isBounded;
  }

  bidOf(price: number): number | null {
    const half = this.#halfOf(price);
    if (half === 0) return price;
    const bid = this.#onTick(price - half, Math.floor, 1e-6);
    return bid > 0 ? bid : null;
  }

  askOf(price: number): number | null {
    const half = this.#halfOf(price);
    if (half === 0) return price;
    const ask = this.#onTick(price + half, Math.ceil, -1e-6);
    return this.#isBounded && ask >= 1 ? null : ask;
  }

  #halfOf(price: number): number {
    return Math.max(this.#half.fixed, this.#half.share * price);
  }

  #onTick(price: number, round: (value: number) => number, slack: number): number {
    return (round((price * this.#scale) / this.#tick + slack) * this.#tick) / this.#scale;
  }
}

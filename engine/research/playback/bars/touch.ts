import type { MarketStatus } from '../../../../db/vocabulary.ts';
import type { FillGrade } from '../result.ts';

/** What a market shows at one instant. Sizes are what an order may take; null where a side is not there. */
export type Touch = {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
  readonly bidSize: number | null;
  readonly askSize: number | null;
  /** When it was seen, ms. */
  readonly asOfMs: number;
  /** What a quote as it was recorded says besides. */
  readonly told?: {
    readonly volume24h: number | null;
    readonly openInterest: number | null;
    readonly change24h: number | null;
    readonly marketStatus: MarketStatus;
    readonly isTouchKnown: boolean;
  };
};

/** The prices of one instrument along a tape. Nothing of it tells what came after the instant it is at. */
export type Prices = {
  /** When it has something new, ms; Infinity at its end. Asked again after each advance. */
  readonly nextMs: () => number;
  /** Takes in all that was known at an instant, which is `nextMs` or before it. True where that was a new price. */
  readonly advance: (atMs: number) => boolean;
  /** Null where nothing is known, or what is known has not been confirmed. */
  readonly touchAt: (atMs: number) => Touch | null;
  /** How well what it shows at an instant is known. */
  readonly gradeAt: (atMs: number) => FillGrade;
};

/** More than anybody trades: what any amount is written as. */
export const SIZE_MAX = 1e12;

/** What may be taken of a volume; any amount where the share of it is infinite. */
export function sizeOf(volume: number, share: number): number {
  if (share === Number.POSITIVE_INFINITY) return SIZE_MAX;
  return volume > 0 ? Math.min(volume * share, SIZE_MAX) : 0;
}

/** Half of a spread: so much, or this share of the price where that is more. */
export type HalfSpread = { readonly fixed: number; readonly share: number };

/** Bid and ask about a price: half a spread to either side, away from it to the tick. */
export class Spread {
  readonly #half: HalfSpread;
  readonly #scale: number;
  readonly #tick: number;
  readonly #isBounded: boolean;

  /** `isBounded`: prices lie between 0 and 1, and a side without room has none. */
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

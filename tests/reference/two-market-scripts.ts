/** Strategies of two markets once more, as plain loops: every order trades at once, and fills what is offered. */
import { BAR_MS, BARS_OF_DAY, quoteAt } from './recorded-days.ts';
import { Desk, type Known, type RestingRow, sorted, watch } from './resting-orders.ts';

export type SizedQuote = {
  readonly atMs: number;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly bidSize: number | null;
  readonly askSize: number | null;
};

const DAY_MS = BARS_OF_DAY * BAR_MS;
const CONTRACT = { units: 0, price: 3 };
const TINY = 1e-9;

const complement = (price: number | null): number | null =>
  price === null ? null : Number((1 - price).toFixed(4));

/** The other side of a book: who bids for Yes offers No. Venue A has one book for both. */
export const mirrored = ({ atMs, bid, ask, bidSize, askSize }: SizedQuote): SizedQuote => ({
  atMs,
  bid: complement(ask),
  ask: complement(bid),
  bidSize: askSize,
  askSize: bidSize,
});

/** The same question at a slower venue, which shows the book of half a minute before. Null: nothing yet. */
export function slowerVenue(quotes: readonly SizedQuote[]): (SizedQuote | null)[] {
  return quotes.map(({ atMs }) => {
    const earlier = quotes.findLast((quote) => quote.atMs <= atMs - 30_000);
    return earlier === undefined ? null : { ...mirrored(earlier), atMs };
  });
}

/** The bar of a coin that had closed at this time of day, on the given recorded day: no day has both. */
export const barAt = (atMs: number, day: number): number =>
  day * BARS_OF_DAY + Math.floor((atMs % DAY_MS) / BAR_MS) - 1;

function riser(): (value: Known) => boolean {
  let before: Known = null;
  return (value) => {
    if (value === null) return false;
    const rises = value && before !== true;
    before = value;
    return rises;
  };
}

const FILL_MS = 30_000;
const UNDO_MS = 300_000;
const MAX_LOSS = 0.05;
const HIGHEST = 0.999;

/** One of two legs: what it traded since its basket began, and the worst price at which that is undone. */
class Side {
  readonly desk: Desk;
  readonly node: string;
  readonly #isBuy: boolean;
  #want = 0;
  #worst = 0;
  #base = 0;
  #undos = 0;
  #lastAt = 0;
  #undoSince: number | null = null;
  isGivenUp = false;

  constructor(desk: Desk, node: string, isBuy: boolean) {
    [this.desk, this.node, this.#isBuy] = [desk, node, isBuy];
  }

  begin(units: number, price: number): void {
    const { desk } = this;
    const limit = desk.onGrid(this.#isBuy ? 'buy' : 'sell', price);
    this.#worst = this.#isBuy
      ? desk.onGrid('sell', limit * (1 - MAX_LOSS))
      : Math.min(desk.onGrid('buy', limit * (1 + MAX_LOSS)), HIGHEST);
    [this.#want, this.#base, this.#undos, this.#undoSince] = [units, desk.held, 0, null];
    desk.place(this.node, this.#isBuy ? 'buy' : 'sell', units, limit);
  }

  get #alone(): number {
    return this.#isBuy ? this.desk.held - this.#base : this.#base - this.desk.held;
  }

  get isFull(): boolean {
    return this.#alone >= this.#want;
  }

  get isLive(): boolean {
    return this.desk.orders.has(this.node);
  }

  /** Undoes what it traded, until that is given up. Returns whether anything is left. */
  undo(mayFill: boolean, now: number, quote: Sized): boolean {
    if (this.#alone <= 0) return false;
    this.#undoSince ??= now;
    this.isGivenUp ||= now - this.#undoSince >= UNDO_MS;
    const isPausing = this.#undos > 0 && now - this.#lastAt < Math.min(1_000 * 2 ** (this.#undos - 1), 5_000);
    const price = this.#isBuy ? quote.bid : quote.ask;
    if (this.isGivenUp || mayFill || price === null || price <= 0) return true;
    if (this.#isBuy ? price < this.#worst - TINY : price > this.#worst + TINY) return true;
    if (isPausing) return true;
    [this.#undos, this.#lastAt] = [this.#undos + 1, now];
    if (this.#isBuy) this.desk.sellAt(this.node, this.#alone, this.#worst);
    else this.desk.buyAt(this.node, this.#alone, this.#worst, quote);
    return true;
  }
}

/** Two legs that are filled both, or undone. */
class Pair {
  readonly #sides: readonly [Side, Side];
  #phase: 'none' | 'filling' | 'undoing' = 'none';
  #begunAt = 0;
  #mayBegin = true;

  constructor(first: Side, second: Side) {
    this.#sides = [first, second];
  }

  get isBusy(): boolean {
    return this.#phase !== 'none';
  }

  /** Ends what has ended, and undoes what failed. Returns whether it may begin. */
  step(now: number, quotes: readonly [Sized, Sized], isWanted: Known): boolean {
    if (isWanted === false) this.#mayBegin = true;
    const isFull = this.#sides.every((side) => side.isFull);
    const isLate = now - this.#begunAt >= FILL_MS;
    if (this.#phase === 'filling' && isFull) this.#phase = 'none';
    else if (
      this.#phase === 'filling' &&
      this.#sides.some((side) => !side.isFull && (isLate || !side.isLive))
    )
      this.#phase = 'undoing';
    if (this.#phase === 'undoing') {
      const mayFill = this.#sides.some(({ isLive }) => isLive);
      for (const { desk, node } of this.#sides) desk.cancel(node);
      if (!mayFill && isFull) this.#phase = 'none';
      else {
        const isLeft = this.#sides.map((side, index) => side.undo(mayFill, now, quotes[index] as Sized));
        if (!mayFill && !isLeft.includes(true)) this.#phase = 'none';
      }
    }
    return isWanted === true && this.#mayBegin && !this.isBusy;
  }

  begin(now: number, units: readonly [number, number], prices: readonly [number, number]): void {
    [this.#phase, this.#begunAt, this.#mayBegin] = ['filling', now, false];
    for (const [index, side] of this.#sides.entries()) side.begin(units[index] ?? 0, prices[index] ?? 0);
  }
}

type Sized = Omit<SizedQuote, 'atMs'>;
const NOTHING: Sized = { bid: null, ask: null, bidSize: null, askSize: null };
const PAIR = 10;
const sumOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;

/** Yes here and No there: ten of both for less than 95 cents, sold together for more than 99; or none of either. */
export function arbitrageOf(
  [tokenA, tokenB]: readonly [string, string],
  quotes: readonly SizedQuote[],
): RestingRow[] {
  const [a, b] = [new Desk(tokenA, CONTRACT), new Desk(tokenB, CONTRACT)];
  const sides = [
    ...[new Side(a, 'first', true), new Side(b, 'second', true)],
    ...[new Side(a, 'out', false), new Side(b, 'out2', false)],
  ] as const;
  const [enter, leave] = [new Pair(sides[0], sides[1]), new Pair(sides[2], sides[3])];
  const others = slowerVenue(quotes);
  for (const [index, here] of quotes.entries()) {
    const now = here.atMs;
    const there = others[index] ?? NOTHING;
    a.open(now, here);
    b.open(now, there);
    const [asks, bids] = [sumOf(here.ask, there.ask), sumOf(here.bid, there.bid)];
    const isDeep = (here.bidSize ?? 0) >= PAIR && (here.askSize ?? 0) >= PAIR && here.bid !== null;
    const mayEnter = enter.step(now, [here, there], asks === null ? null : asks < 0.95 - TINY);
    const mayLeave = leave.step(now, [here, there], bids === null ? null : bids > 0.99 + TINY);
    if (sides.some(({ isGivenUp }) => isGivenUp)) continue;
    if (mayEnter && !leave.isBusy && isDeep && a.held + a.resting('buy') < PAIR)
      enter.begin(now, [PAIR, PAIR], [Number(here.ask), Number(there.ask)]);
    // A bid of zero is no price.
    const isSold = Math.min(here.bid ?? 0, there.bid ?? 0) > 0 && a.held > 0 && b.held > 0;
    if (mayLeave && !enter.isBusy && isSold)
      leave.begin(now, [a.held, b.held], [Number(here.bid), Number(there.bid)]);
  }
  return sorted([...a.rows, ...b.rows]);
}

/** Twenty contracts of No at an edge above five cents, with coin for each; the coin is sold once they are. */
export function hedgeOf(
  token: string,
  closesAt: number,
  quotes: readonly SizedQuote[],
  day: number,
): RestingRow[] {
  const [contracts, coin] = [new Desk(token, CONTRACT), new Desk('BTCUSDT', { units: 5, price: 2 })];
  const [buys, covers] = [riser(), riser()];
  for (const quote of quotes) {
    const { atMs: now, bid, ask } = quote;
    contracts.open(now, quote);
    coin.open(now, quoteAt('BTCUSDT', barAt(now, day)));
    const [held, covered] = [contracts.held, coin.held];
    const isCheap = ask === null ? null : 0.6 - ask - 0.07 * ask * (1 - ask) > 0.05 + TINY;
    const isFit = bid !== null && ask !== null && ask - bid <= 0.05 + TINY && held < 20;
    const fit: Known = isCheap === true && !isFit ? null : isCheap;
    watch(contracts, 'exit', { stop: 0.5, closesInMs: closesAt - now, beforeMs: 600_000 });
    if (held < 1 && covered > 0) coin.leave('uncover');
    if (buys(fit) && !contracts.isSelling && ask !== null) contracts.take('buy', 20, quote);
    const missing = held * 0.00002 - covered;
    if (covers(missing > 0.0001) && !coin.isSelling) coin.cover('cover', missing);
  }
  return sorted([...contracts.rows, ...coin.rows]);
}

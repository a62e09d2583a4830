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

/** True once a condition has been true for a minute. */
function laster(): (isTrue: boolean, now: number) => boolean {
  let since: number | null = null;
  return (isTrue, now) => {
    since = isTrue ? (since ?? now) : null;
    return since !== null && now - since >= 60_000;
  };
}

/** Yes here and No there for less than 95 cents: ten of both. A leg that is alone for a minute is sold. */
export function arbitrageOf(
  [tokenA, tokenB]: readonly [string, string],
  quotes: readonly SizedQuote[],
): RestingRow[] {
  const [a, b] = [new Desk(tokenA, CONTRACT), new Desk(tokenB, CONTRACT)];
  const [rises, isFirstAlone, isSecondAlone] = [riser(), laster(), laster()];
  const others = slowerVenue(quotes);
  let bought = 0;
  for (const [index, here] of quotes.entries()) {
    const now = here.atMs;
    const there = others[index] ?? null;
    a.open(now, here);
    b.open(now, there ?? { bid: null, ask: null });
    const over = a.held - b.held;
    const filled = bought;
    bought = 0;
    const isDeep = (here.bidSize ?? 0) >= 10 && (here.askSize ?? 0) >= 10 && here.bid !== null;
    const isOffered = here.ask !== null && there !== null && there.ask !== null;
    const isCheap = isOffered ? Number(here.ask) + Number(there.ask) < 0.95 - TINY : null;
    const fit: Known = isCheap === true && !(isDeep && a.held < 10) ? null : isCheap;
    if (isFirstAlone(over > 0.5, now) && a.held > 0 && here.bid !== null) a.leave('undo');
    if (isSecondAlone(over < -0.5, now) && b.held > 0 && there !== null && there.bid !== null)
      b.leave('undo2');
    if (rises(fit) && !a.isSelling) bought = a.take('first', 10, here);
    if (filled > 0 && there !== null && there.ask !== null && !b.isSelling) b.take('second', filled, there);
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

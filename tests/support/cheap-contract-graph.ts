import { type Exact, exact } from '../../engine/platform/decimal.ts';
import { graphFrom, iso } from './backtest.ts';
import type { SettledMarket } from './contracts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Cash of each market's own account, USD. */
export const CASH = '100';

/** Buys ten of a contract, at 0.35 at most. Its offer must be 0.30 or less, with a minute left. */
export function cheapContractGraph(tokenId: string) {
  const drawn = graphFrom([
    ['ask', 'market.price', { instrument: tokenId, field: 'ask' }],
    ['most', 'constant', { value: 0.3 }],
    ['cheap', 'compare', { op: 'lte' }, { a: 'ask', b: 'most' }],
    ['left', 'market.info', { instrument: tokenId, field: 'secondsToClose' }],
    ['minute', 'constant', { value: 60 }],
    ['early', 'compare', { op: 'gte' }, { a: 'left', b: 'minute' }],
    ['both', 'logic', { op: 'and' }, { in: 'cheap' }],
    ['once', 'cooldown', { seconds: 31_536_000 }, { in: 'both' }],
    ['amount', 'constant', { value: 10 }],
    ['limit', 'constant', { value: 0.35 }],
    [
      'buy',
      'order',
      { instrument: tokenId, side: 'buy', type: 'limit', timeInForce: 'ioc' },
      { when: 'once', amount: 'amount', price: 'limit' },
    ],
  ]);
  // The second edge into the logic node, which has one port for many.
  return { ...drawn, edges: [...drawn.edges, { source: 'early', target: 'both', targetHandle: 'in' }] };
}

/** A trade: a purchase, or the payout at settlement. */
export type TradeRow = { tokenId: string; at: string; amount: string; price: string; fee: string };

/** Trades that a loop over the quotes of markets finds for the graph of {@link cheapContractGraph}. */
export type LoopResult = {
  readonly decided: number;
  readonly bought: readonly TradeRow[];
  readonly settled: readonly TradeRow[];
  /** USD, of all accounts together. */
  readonly cash: string;
};

/** The fee of the venue: 7 % of p (1 - p) a contract, of the whole order, rounded up to a hundredth of a cent. */
const feeOf = (amount: Exact, price: Exact): Exact =>
  exact('0.07').times(amount).times(price).times(exact(1).minus(price)).times(10_000).ceil().div(10_000);

export function tradesByLoop(markets: readonly SettledMarket[]): LoopResult {
  const bought: TradeRow[] = [];
  const settled: TradeRow[] = [];
  let cash = exact(CASH).times(markets.length);
  let decided = 0;
  for (const { tokenId, closeMs, result, quotes } of markets) {
    const first = quotes.find(({ ask, atMs }) => ask !== null && ask <= 0.3 && closeMs - atMs >= MINUTE_MS);
    if (first === undefined) continue;
    decided++;
    const arrivesMs = first.atMs + 2_000;
    const met = quotes.findLast(({ atMs }) => atMs <= arrivesMs);
    if (met?.ask == null || met.ask > 0.35 || met.askSize === null || met.askSize <= 0) continue;
    // Venues trade whole contracts: of 5.25 offered, five are taken.
    const amount = exact(Math.floor(Math.min(10, met.askSize)));
    if (amount.isZero()) continue;
    const price = exact(met.ask);
    const fee = feeOf(amount, price);
    const row = { tokenId, amount: amount.toFixed() };
    bought.push({ ...row, at: iso(arrivesMs), price: price.toFixed(), fee: fee.toFixed() });
    cash = cash.minus(amount.times(price)).minus(fee);
    if (result === '') continue;
    const value = result === 'yes' ? 1 : 0;
    settled.push({ ...row, at: iso(closeMs + HOUR_MS), price: String(value), fee: '0' });
    cash = cash.plus(amount.times(value));
  }
  return { decided, bought, settled, cash: cash.toFixed() };
}

/** From before the first quote to after the last settlement. */
export function spanOf(markets: readonly SettledMarket[]): { from: string; to: string } {
  const starts = markets.flatMap(({ quotes }) => quotes[0]?.atMs ?? []);
  const to = Math.max(...markets.map(({ closeMs }) => closeMs)) + 2 * HOUR_MS;
  return { from: iso(Math.min(...starts) - 1_000), to: iso(to) };
}

/** The final terms of a market as its venue states them. */
export const termsOf = ({ closeMs, result }: SettledMarket) => ({
  closes_at: iso(closeMs),
  status: result === '' ? ('open' as const) : ('settled' as const),
  settlement_value: result === '' ? null : result === 'yes' ? '1' : '0',
});

/** The trades that a run reports, in the order in which the loop finds them. */
export function reportedTrades(
  fills: readonly (TradeRow & { readonly source: string })[],
  markets: readonly SettledMarket[],
): Pick<LoopResult, 'bought' | 'settled'> {
  const places = new Map(markets.map(({ tokenId }, place) => [tokenId, place]));
  const of = (source: string): TradeRow[] =>
    fills
      .filter((fill) => fill.source === source)
      .map(({ tokenId, at, amount, price, fee }) => ({ tokenId, at, amount, price, fee }))
      .toSorted((a, b) => (places.get(a.tokenId) ?? 0) - (places.get(b.tokenId) ?? 0));
  return { bought: of('order'), settled: of('settlement') };
}

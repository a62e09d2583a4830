import { gammaCatalogue } from '../../simulator/gamma-catalogue.ts';
import { tokenOf } from '../../simulator/world/tokens.ts';
import { crossingGraph, graphFrom } from './backtest.ts';

const close = (symbol: string, interval = '1m') =>
  ['close', 'crypto.candle', { symbol, interval, field: 'close', closedOnly: true }] as const;
const mean = (id: string, period: number, kind = 'sma') =>
  [id, 'indicator', { kind, period }, { in: 'close' }] as const;
const constant = (id: string, value: number) => [id, 'constant', { value }] as const;
const market = (instrument: string, side: string) => ({ instrument, side, type: 'market' });

/** Buys when the current price falls below a mean of closes, and exits by its exit node. */
const dip = (symbol: string, amount: number, exit: object) =>
  graphFrom([
    close(symbol),
    mean('mean', 5),
    ['now', 'crypto.price', { symbol, field: 'last' }],
    ['under', 'compare', { op: 'lt' }, { a: 'now', b: 'mean' }],
    constant('amount', amount),
    ['buy', 'order', market(symbol, 'buy'), { when: 'under', amount: 'amount' }],
    ['exit', 'exit', { instrument: symbol, ...exit }],
  ]);

/** Bids below the market and lets the order rest for a while; sells when the mean falls. */
const patient = (symbol: string, amount: number, offset: number, expireAfterSec: number) =>
  graphFrom([
    close(symbol),
    mean('fast', 3),
    mean('slow', 8),
    ['above', 'compare', { op: 'gt' }, { a: 'fast', b: 'slow' }],
    ['below', 'compare', { op: 'lt' }, { a: 'fast', b: 'slow' }],
    constant('amount', amount),
    [
      'buy',
      'order',
      {
        instrument: symbol,
        side: 'buy',
        type: 'limit',
        priceOffset: offset,
        timeInForce: 'gtc',
        expireAfterSec,
      },
      { when: 'above', amount: 'amount' },
    ],
    ['sell', 'close', { instrument: symbol }, { when: 'below' }],
  ]);

/** True on a schedule. */
const beat = (everySec: number) => ['beat', 'schedule', { mode: 'every', everySec }] as const;
const ioc = (instrument: string) => ({ instrument, side: 'buy', type: 'limit', timeInForce: 'ioc' });
const bid = (instrument: string, priceOffset: number, expireAfterSec: number) => ({
  instrument,
  side: 'buy',
  type: 'limit',
  priceOffset,
  timeInForce: 'gtc',
  expireAfterSec,
});

/** Buys at each beat that its pause lets through; stops, takes and time limits sell. */
const again = (symbol: string, amount: number, exit: object) =>
  graphFrom([
    beat(60),
    ['pause', 'cooldown', { seconds: 150 }, { in: 'beat' }],
    constant('amount', amount),
    ['buy', 'order', market(symbol, 'buy'), { when: 'pause', amount: 'amount' }],
    ['exit', 'exit', { instrument: symbol, ...exit }],
  ]);

/** Holds two coins, each with an exit of its own: one bought as it dips for a while, the other bid for below the market. */
const twoCoins = () =>
  graphFrom([
    close('BTCUSDT'),
    mean('mean', 5),
    ['now', 'crypto.price', { symbol: 'BTCUSDT', field: 'last' }],
    ['under', 'compare', { op: 'lt' }, { a: 'now', b: 'mean' }],
    ['lasting', 'hold', { seconds: 30 }, { in: 'under' }],
    constant('coins', 0.01),
    ['buy', 'order', market('BTCUSDT', 'buy'), { when: 'lasting', amount: 'coins' }],
    ['exit', 'exit', { instrument: 'BTCUSDT', stopLoss: 0.0008, takeProfit: 0.0008 }],
    beat(120),
    constant('ether', 0.2),
    ['bid', 'order', bid('ETHUSDT', -0.8, 90), { when: 'beat', amount: 'ether' }],
    ['out', 'exit', { instrument: 'ETHUSDT', trailing: 0.001, maxHoldSec: 600 }],
  ]);

/** Accumulates contracts until their market is settled, and trades another one beside with stops and takes. */
const toSettlement = (settling: string, other: string) =>
  graphFrom([
    beat(60),
    constant('few', 3),
    ['gather', 'order', ioc(settling), { when: 'beat', amount: 'few' }],
    ['pause', 'cooldown', { seconds: 180 }, { in: 'beat' }],
    constant('some', 10),
    ['buy', 'order', ioc(other), { when: 'pause', amount: 'some' }],
    ['exit', 'exit', { instrument: other, stopLoss: 0.02, takeProfit: 0.02, maxHoldSec: 600 }],
  ]);

/** Buys one question where it is cheaper than at the other venue, and sells it where it is dearer there. */
const spread = (a: string, b: string, least: number) =>
  graphFrom([
    ['here', 'market.price', { instrument: a, field: 'mid' }],
    ['there', 'market.price', { instrument: b, field: 'mid' }],
    ['apart', 'math', { op: 'subtract' }, { a: 'there', b: 'here' }],
    constant('least', least),
    constant('most', -least),
    ['isCheap', 'compare', { op: 'gt' }, { a: 'apart', b: 'least' }],
    ['isDear', 'compare', { op: 'lt' }, { a: 'apart', b: 'most' }],
    constant('amount', 10),
    ['buyHere', 'order', ioc(a), { when: 'isCheap', amount: 'amount' }],
    ['sellHere', 'close', { instrument: a }, { when: 'isDear' }],
    ['buyThere', 'order', market(b, 'buy'), { when: 'isDear', amount: 'amount' }],
    ['sellThere', 'close', { instrument: b, fraction: 0.5 }, { when: 'isCheap' }],
    ['exit', 'exit', { instrument: b, stopLoss: 0.02, takeProfit: 0.02 }],
  ]);

/** Bids for a contract below its offer, and offers above it what it bought. */
const patientContract = (tokenId: string) =>
  graphFrom([
    beat(60),
    constant('amount', 10),
    ['bid', 'order', bid(tokenId, -0.002, 120), { when: 'beat', amount: 'amount' }],
    ['held', 'position', { instrument: tokenId, field: 'amount' }],
    constant('enough', 30),
    ['isFull', 'compare', { op: 'gte' }, { a: 'held', b: 'enough' }],
    ['rest', 'order', { ...bid(tokenId, 0.002, 120), side: 'sell' }, { when: 'isFull', amount: 'amount' }],
    ['exit', 'exit', { instrument: tokenId, stopLoss: 0.01, trailing: 0.01, maxHoldSec: 900 }],
  ]);

/**
 * Reads past candles: buys for a while after two rises of three, more while the price rises. Sells two candles after the last.
 */
const rising = (symbol: string, amount: number) =>
  graphFrom([
    close(symbol),
    ['before', 'lag', { period: 2 }, { in: 'close' }],
    ['up', 'compare', { op: 'gt' }, { a: 'close', b: 'before' }],
    ['often', 'count', { period: 3 }, { in: 'up' }],
    constant('two', 2),
    ['strong', 'compare', { op: 'gte' }, { a: 'often', b: 'two' }],
    ['burst', 'pulse', { seconds: 120 }, { in: 'strong' }],
    constant('much', amount),
    constant('little', amount / 2),
    ['amount', 'select', {}, { if: 'up', yes: 'much', no: 'little' }],
    ['buy', 'order', market(symbol, 'buy'), { when: 'burst', amount: 'amount' }],
    ['ago', 'since', { unit: 'steps' }, { in: 'up' }],
    ['gone', 'compare', { op: 'gte' }, { a: 'ago', b: 'two' }],
    ['sell', 'close', { instrument: symbol }, { when: 'gone' }],
  ]);

/** Buys at beats while the account has room, and sells holdings that cost less than they are worth now. */
const byAccount = (symbol: string, amount: number, most: number) =>
  graphFrom([
    beat(60),
    ['stake', 'account', { field: 'exposure', instrument: symbol }],
    constant('most', most),
    ['hasRoom', 'compare', { op: 'lt' }, { a: 'stake', b: 'most' }],
    ['both', 'logic', { op: 'and' }, { in: ['beat', 'hasRoom'] }],
    constant('amount', amount),
    ['buy', 'order', market(symbol, 'buy'), { when: 'both', amount: 'amount' }],
    ['paid', 'order.result', { field: 'averagePrice' }, { of: 'buy' }],
    ['now', 'crypto.price', { symbol, field: 'bid' }],
    ['won', 'compare', { op: 'gt' }, { a: 'now', b: 'paid' }],
    ['sell', 'close', { instrument: symbol }, { when: 'won' }],
    ['exit', 'exit', { instrument: symbol, maxHoldSec: 300 }],
  ]);

const EASTERN_MS = -5 * 3_600_000;
const QUARTER_MS = 900_000;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The market of the quarter of an hour that begins at an instant, as venue A names it. */
function quarterFrom(fromMs: number): string {
  const [year, month, day, hour, minute] = new Date(fromMs + QUARTER_MS + EASTERN_MS)
    .toISOString()
    .slice(2, 16)
    .split(/[-T:]/);
  return `KXBTC15M-${year}${MONTHS[Number(month) - 1]}${day}${hour}${minute}-${minute}:yes`;
}

/** One question at both venues: what the Fed decides in October. */
const HOLD_A = 'KXFEDDECISION-26OCT-H0:yes';
function holdAtVenueB(): string {
  const catalogue = gammaCatalogue('any', () => {
    throw new Error('What the Fed decides hangs on no coin.');
  });
  const market = catalogue.market('fed-decision-in-october-2026-no-change');
  if (market === null) throw new Error('The simulated venue B has another name for it.');
  return tokenOf(catalogue, market, 0);
}

/**
 * Twenty strategies: on candles and on current prices, with stops, takes and time limits. Some have resting orders or several
 * positions, or trade contracts of both venues. One is settled a quarter of an hour after `fromMs`.
 */
export const twentyGraphs = (fromMs: number) => [
  crossingGraph(3, 8, 0.05, '1m'),
  crossingGraph(5, 13, 0.02, '1m'),
  crossingGraph(2, 5, 0.01, '5m'),
  crossingGraph(4, 9, 0.5, '1m', 'ETHUSDT'),
  crossingGraph(3, 6, 0.3, '5m', 'ETHUSDT'),
  rising('BTCUSDT', 0.03),
  dip('BTCUSDT', 0.02, { stopLoss: 0.001, takeProfit: 0.001 }),
  dip('BTCUSDT', 0.01, { trailing: 0.001 }),
  dip('ETHUSDT', 0.2, { stopLoss: 0.0005 }),
  dip('ETHUSDT', 0.1, { takeProfit: 0.0005, maxHoldSec: 300 }),
  byAccount('BTCUSDT', 0.03, 2_000),
  patient('BTCUSDT', 0.01, -5, 120),
  patient('BTCUSDT', 0.02, -1, 600),
  patient('ETHUSDT', 0.1, -0.5, 300),
  patient('ETHUSDT', 0.2, 0, 60),
  again('BTCUSDT', 0.01, { stopLoss: 0.0006, takeProfit: 0.0006, maxHoldSec: 600 }),
  twoCoins(),
  toSettlement(quarterFrom(fromMs), 'KXPRESPARTY-2028-R:yes'),
  spread(HOLD_A, holdAtVenueB(), 0.002),
  patientContract(holdAtVenueB()),
];

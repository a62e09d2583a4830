import { crossing, drawing } from './backtest.ts';

const close = (symbol: string, interval = '1m') =>
  ['close', 'crypto.candle', { symbol, interval, field: 'close', closedOnly: true }] as const;
const mean = (id: string, period: number, kind = 'sma') =>
  [id, 'indicator', { kind, period }, { in: 'close' }] as const;
const constant = (id: string, value: number) => [id, 'constant', { value }] as const;
const market = (instrument: string, side: string) => ({ instrument, side, type: 'market' });

/** Buys when the price of the moment falls below a mean of closes, and gets out by its exit. */
const dip = (symbol: string, amount: number, exit: object) =>
  drawing([
    close(symbol),
    mean('mean', 5),
    ['now', 'crypto.price', { symbol, field: 'last' }],
    ['under', 'compare', { op: 'lt' }, { a: 'now', b: 'mean' }],
    constant('amount', amount),
    ['buy', 'order', market(symbol, 'buy'), { when: 'under', amount: 'amount' }],
    ['exit', 'exit', { instrument: symbol, ...exit }],
  ]);

/** Bids below the market and lets that rest for a while; sells when the mean falls. */
const patient = (symbol: string, amount: number, offset: number, expireAfterSec: number) =>
  drawing([
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

/** Buys again and again, with a pause between. */
const again = (symbol: string, amount: number, seconds: number) =>
  drawing([
    ['now', 'crypto.price', { symbol, field: 'last' }],
    constant('zero', 0),
    ['is', 'compare', { op: 'gt' }, { a: 'now', b: 'zero' }],
    ['pause', 'cooldown', { seconds }, { in: 'is' }],
    constant('amount', amount),
    ['buy', 'order', market(symbol, 'buy'), { when: 'pause', amount: 'amount' }],
    ['exit', 'exit', { instrument: symbol, maxHoldSec: 2 * seconds }],
  ]);

/** Bids for a contract at what it is offered for, no more than what is stated. */
const contract = (tokenId: string, most: number, seconds: number) =>
  drawing([
    ['ask', 'market.price', { instrument: tokenId, field: 'ask' }],
    constant('most', most),
    ['cheap', 'compare', { op: 'lte' }, { a: 'ask', b: 'most' }],
    ['pause', 'cooldown', { seconds }, { in: 'cheap' }],
    constant('amount', 2),
    [
      'buy',
      'order',
      { instrument: tokenId, side: 'buy', type: 'limit', timeInForce: 'ioc' },
      { when: 'pause', amount: 'amount', price: 'most' },
    ],
    ['exit', 'exit', { instrument: tokenId, maxHoldSec: 3 * seconds }],
  ]);

/** Twenty strategies: on candles, on prices of the moment, with exits, with orders that rest, on contracts. */
export const twentyDrawings = (contracts: readonly [string, string]) => [
  crossing(3, 8, 0.05, '1m'),
  crossing(5, 13, 0.02, '1m'),
  crossing(2, 5, 0.01, '5m'),
  crossing(4, 9, 0.5, '1m', 'ETHUSDT'),
  crossing(3, 6, 0.3, '5m', 'ETHUSDT'),
  crossing(5, 20, 0.03, '1m'),
  dip('BTCUSDT', 0.02, { stopLoss: 0.001, takeProfit: 0.001 }),
  dip('BTCUSDT', 0.01, { trailing: 0.001 }),
  dip('ETHUSDT', 0.2, { stopLoss: 0.0005 }),
  dip('ETHUSDT', 0.1, { takeProfit: 0.0005, maxHoldSec: 300 }),
  dip('BTCUSDT', 0.03, { maxHoldSec: 120 }),
  patient('BTCUSDT', 0.01, -5, 120),
  patient('BTCUSDT', 0.02, -1, 600),
  patient('ETHUSDT', 0.1, -0.5, 300),
  patient('ETHUSDT', 0.2, 0, 60),
  again('BTCUSDT', 0.01, 60),
  again('ETHUSDT', 0.1, 150),
  contract(contracts[0], 0.95, 60),
  contract(contracts[1], 0.95, 90),
  contract(contracts[0], 0.5, 120),
];

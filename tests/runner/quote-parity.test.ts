import { beforeAll, expect, test } from 'vitest';
import { graphFrom } from '../support/backtest.ts';
import { type ParityResult, paperAndBacktest } from '../support/parity.ts';

const FROM_MS = Date.UTC(2026, 9, 5, 12);
const STEPS = 60;

const number = (id: string, value: number) => [id, 'constant', { value }] as const;

/** Bids below and offers above the middle; the sell side offers what the bids have bought. */
const twoSided = (instrument: string, units: number, apart: number, settings: object) =>
  graphFrom([
    ['mid', 'market.price', { instrument, field: 'mid' }],
    number('apart', apart),
    number('units', units),
    number('most', units * 3),
    number('none', 0),
    ['under', 'math', { op: 'subtract' }, { a: 'mid', b: 'apart' }],
    ['over', 'math', { op: 'add' }, { in: ['mid', 'apart'] }],
    ['held', 'position', { instrument, field: 'amount' }],
    ['hasRoom', 'compare', { op: 'lt' }, { a: 'held', b: 'most' }],
    ['hasAny', 'compare', { op: 'gt' }, { a: 'held', b: 'none' }],
    [
      'bid',
      'quote',
      { instrument, side: 'buy', ...settings },
      { when: 'hasRoom', amount: 'units', price: 'under' },
    ],
    [
      'offer',
      'quote',
      { instrument, side: 'sell', ...settings },
      { when: 'hasAny', amount: 'units', price: 'over' },
    ],
    ['exit', 'exit', { instrument, stopLoss: 0.002, maxHoldSec: 300 }],
  ]);

/** Bids for half of each minute only. */
const inTurns = (instrument: string, units: number, below: number) =>
  graphFrom([
    ['now', 'crypto.price', { symbol: instrument, field: 'bid' }],
    number('below', below),
    number('units', units),
    ['price', 'math', { op: 'subtract' }, { a: 'now', b: 'below' }],
    ['beat', 'schedule', { mode: 'every', everySec: 60 }],
    ['window', 'pulse', { seconds: 30 }, { in: 'beat' }],
    [
      'bid',
      'quote',
      { instrument, side: 'buy', refreshMinSec: 10, refreshAboveTicks: 10 },
      { when: 'window', amount: 'units', price: 'price' },
    ],
    ['sell', 'close', { instrument, fraction: 1 }, { when: 'beat' }],
  ]);

/** Buys at the market or below it, whichever fills first, and sells by two targets and a stop. */
const bracket = (instrument: string, units: number, below: number) =>
  graphFrom([
    ['ask', 'crypto.price', { symbol: instrument, field: 'ask' }],
    number('below', below),
    number('units', units),
    number('none', 0),
    ['dip', 'math', { op: 'subtract' }, { a: 'ask', b: 'below' }],
    ['held', 'position', { instrument, field: 'amount' }],
    ['isFlat', 'compare', { op: 'lte' }, { a: 'held', b: 'none' }],
    ...(['ask', 'dip'] as const).map(
      (price) =>
        [
          `by ${price}`,
          'quote',
          { instrument, side: 'buy', refreshMinSec: 10, oneCancelsOther: 'entry' },
          { when: 'isFlat', amount: 'units', price },
        ] as const,
    ),
    ['near', 'target', { instrument, takeProfit: 0.0002, part: 0.5 }],
    ['far', 'target', { instrument, takeProfit: 0.0006, part: 0.5 }],
    ['stop', 'exit', { instrument, stopLoss: 0.0008, maxHoldSec: 200 }],
  ]);

/** A price below the second coin's, and the first half of each minute. */
const minutely = (units: number, below: number) =>
  [
    number('below', below),
    number('units', units),
    ['under', 'math', { op: 'subtract' }, { a: 'eth', b: 'below' }],
    ['beat', 'schedule', { mode: 'every', everySec: 60 }],
    ['window', 'pulse', { seconds: 30 }, { in: 'beat' }],
  ] as const;

/** Each minute buys two coins together, one below the market: often only one of them is filled, and is sold back. */
const basket = (units: number, below: number) =>
  graphFrom([
    ['btc', 'crypto.price', { symbol: 'BTCUSDT', field: 'ask' }],
    ['eth', 'crypto.price', { symbol: 'ETHUSDT', field: 'ask' }],
    ...minutely(units, below),
    ...(
      [
        ['one', 'BTCUSDT', 'btc'],
        ['two', 'ETHUSDT', 'under'],
      ] as const
    ).map(
      ([leg, instrument, price]) =>
        [
          leg,
          'leg',
          { instrument, basket: 'pair', maxLoss: 0.01, fillWithinSec: 20 },
          { when: 'window', amount: 'units', price },
        ] as const,
    ),
    ['out one', 'exit', { instrument: 'BTCUSDT', maxHoldSec: 100 }],
    ['out two', 'exit', { instrument: 'ETHUSDT', maxHoldSec: 100 }],
  ]);

/** Buys a coin each minute, and switches to another, whose leg is below the market: often the sale is bought back. */
const switching = (units: number, below: number) =>
  graphFrom([
    ['btc', 'crypto.price', { symbol: 'BTCUSDT', field: 'bid' }],
    ['eth', 'crypto.price', { symbol: 'ETHUSDT', field: 'ask' }],
    ...minutely(units, below),
    [
      'stock',
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'market' },
      { when: 'beat', amount: 'units' },
    ],
    [
      'sale',
      'leg',
      { instrument: 'BTCUSDT', basket: 'switch', side: 'sell', maxLoss: 0.01, fillWithinSec: 20 },
      { when: 'window', amount: 'units', price: 'btc' },
    ],
    [
      'switch',
      'leg',
      { instrument: 'ETHUSDT', basket: 'switch', maxLoss: 0.01, fillWithinSec: 20 },
      { when: 'window', amount: 'units', price: 'under' },
    ],
    ['out', 'exit', { instrument: 'ETHUSDT', maxHoldSec: 100 }],
  ]);

let ran: ParityResult;
beforeAll(async () => {
  ran = await paperAndBacktest({
    fromMs: FROM_MS,
    steps: STEPS,
    visuals: [
      twoSided('BTCUSDT', 0.01, 2, { refreshMinSec: 10, afterFill: 'repeat' }),
      twoSided('ETHUSDT', 0.2, 0.4, { refreshMinSec: 30, refreshAboveTicks: 20 }),
      twoSided('KXPRESPARTY-2028-R:yes', 10, 0.01, { refreshMinSec: 10, afterFill: 'repeat' }),
      inTurns('BTCUSDT', 0.02, 1),
      bracket('BTCUSDT', 0.02, 1),
      basket(0.02, 0.4),
      switching(0.02, 0.4),
    ],
  });
}, 120_000);

test('a backtest of quotes over the recorded data has the result of the paper run', () => {
  for (const { paper, backtest } of ran.pairs) expect(backtest).toEqual(paper);
  const orders = ran.pairs.flatMap(({ paper }) => paper.orders);
  const sold = new Set(orders.filter(({ status }) => status === 'filled').map(({ nodeId }) => nodeId));
  expect([...sold]).toEqual(expect.arrayContaining(['by ask', 'near', 'stop']));
  const pair = orders.filter(({ nodeId }) => nodeId === 'one' || nodeId === 'two');
  for (const [side, status] of [
    ['buy', 'filled'],
    ['buy', 'canceled'],
    ['sell', 'filled'],
  ])
    expect(pair.filter((order) => order.side === side && order.status === status).length).toBeGreaterThan(0);
  const sales = orders.filter(({ nodeId, status }) => nodeId === 'sale' && status === 'filled');
  expect(new Set(sales.map(({ side }) => side))).toEqual(new Set(['sell', 'buy']));
  const quoted = orders.filter(({ nodeId }) => nodeId === 'bid' || nodeId === 'offer');
  for (const [side, status] of [
    ['buy', 'filled'],
    ['buy', 'canceled'],
    ['sell', 'filled'],
  ])
    expect(quoted.filter((order) => order.side === side && order.status === status).length).toBeGreaterThan(
      0,
    );
});

test('their recorded inputs raise the same orders and cancels, and leave the same memory, at every step', () => {
  expect(ran.replayed).toEqual(
    ran.pairs.map(() => ({ kind: 'equal', steps: STEPS, intents: expect.any(Number) })),
  );
});

import { expect, test } from 'vitest';
import {
  buyAtLimit,
  FREE_COIN,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, coinHistory, flat } from '../../../support/bars.ts';
import { quoteOf } from '../../../support/contracts.ts';

const T = Date.UTC(2026, 0, 5);
const MINUTE_MS = 60_000;

test('row 12: a resting order in a coin with recorded quotes meets each closed minute as well, as on paper', () => {
  const resting = graphFrom([
    ['now', 'crypto.price', { symbol: 'BTCUSDT', field: 'last' }],
    ['price', 'constant', { value: 99.5 }],
    ['high', 'compare', { op: 'gte' }, { a: 'now', b: 'price' }],
    ['limit', 'constant', { value: 98 }],
    ['amount', 'constant', { value: 150 }],
    buyAtLimit({ when: 'high', amount: 'amount', price: 'limit' }),
  ]);
  const atSec = (second: number) =>
    quoteOf({ atMs: T + second * 1_000, bid: 99.9, ask: 100, bidSize: 5, askSize: 5, last: 100 });
  const quotes = Array.from({ length: 30 }, (_, step) => atSec(10 * step));
  // The minute of its arrival, one at its limit, and two through it.
  const minutes = [flat(100, { low: 90 }), flat(100, { low: 98 }), flat(100, { low: 97 }), flat(97)];
  const request = requestOf({ from: iso(T), to: iso(T + 300_000) }, { cash: '100000' });
  const played = (histories: Parameters<typeof inputOf>[1]['histories']) =>
    run(
      inputOf(request, {
        visual: resting,
        facts: [factFromStart(FREE_COIN)],
        histories,
        recorded: [{ tokenId: 'BTCUSDT', quotes }],
      }),
    );
  const { fills, summary } = played([coinHistory(T, 60_000, minutes)]);
  expect(fills.map(({ at, amount, price }) => ({ at, amount, price }))).toEqual([
    { at: iso(T + 180_000), amount: '100', price: '98' },
    { at: iso(T + 240_000), amount: '50', price: '98' },
  ]);
  expect(summary.fidelity).toBe('A');
  expect(played([]).fills).toEqual([]);
});

/** Rests a bid at 98 once a close is at 100, and exits while the close is below. */
const outBelow = (interval: string) =>
  graphFrom([
    ['close', 'crypto.candle', { symbol: 'BTCUSDT', interval, field: 'close', closedOnly: true }],
    ['price', 'constant', { value: 100 }],
    ['high', 'compare', { op: 'gte' }, { a: 'close', b: 'price' }],
    ['low', 'compare', { op: 'lt' }, { a: 'close', b: 'price' }],
    ['limit', 'constant', { value: 98 }],
    ['amount', 'constant', { value: 1 }],
    buyAtLimit({ when: 'high', amount: 'amount', price: 'limit' }),
    ['sell', 'close', { instrument: 'BTCUSDT' }, { when: 'low' }],
  ]);

test('row 12: a fill between two candles while its condition to close holds is sold then, and not at the next candle', () => {
  const minutes = [flat(100), flat(99), flat(99), flat(99), flat(99)];
  const quotes = Array.from({ length: 30 }, (_, step) => {
    const ask = step === 13 ? 97 : 100;
    return quoteOf({ atMs: T + 10_000 * step, bid: ask - 1, ask, bidSize: 5, askSize: 5, last: ask });
  });
  const { fills } = run(
    inputOf(requestOf({ from: iso(T), to: iso(T + 5 * MINUTE_MS) }, {}), {
      visual: outBelow('1m'),
      facts: [factFromStart(FREE_COIN)],
      histories: [coinHistory(T, MINUTE_MS, minutes)],
      recorded: [{ tokenId: 'BTCUSDT', quotes }],
    }),
  );
  expect(fills.map(({ at, side, price }) => ({ at, side, price }))).toEqual([
    { at: iso(T + 130_000), side: 'buy', price: '97' },
    { at: iso(T + 132_000), side: 'sell', price: '96' },
  ]);
});

test('row 12: the same holds if only minutes are known between two candles', () => {
  // Five minutes at 100, five at 99, and in the twelfth the price goes through the resting order.
  const minutes = Array.from({ length: 20 }, (_, minute) =>
    minute === 11 ? flat(99, { low: 97 }) : flat(minute < 5 ? 100 : 99),
  );
  const bars = [flat(100), flat(99), flat(99, { low: 97 }), flat(99)];
  const { fills } = run(
    inputOf(requestOf({ from: iso(T), to: iso(T + 20 * MINUTE_MS) }, {}), {
      visual: outBelow('5m'),
      facts: [factFromStart(FREE_COIN)],
      histories: [coinHistory(T, BAR_MS, bars), coinHistory(T, MINUTE_MS, minutes)],
    }),
  );
  expect(fills.map(({ at, side }) => ({ at, side }))).toEqual([
    { at: iso(T + 12 * MINUTE_MS), side: 'buy' },
    { at: iso(T + 12 * MINUTE_MS + 2_000), side: 'sell' },
  ]);
});

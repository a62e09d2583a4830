import { expect, test } from 'vitest';
import {
  buyAtMarket,
  FREE_COIN,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { coinHistory, flat } from '../../../support/bars.ts';

const T = Date.UTC(2026, 0, 5);
const MINUTE_MS = 60_000;

test('nodes with a past, a choice and the account trade in a backtest: bought once a day, sold on a drawdown of the account', () => {
  const visual = graphFrom([
    ['close', 'crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }],
    ['before', 'lag', { period: 2 }, { in: 'close' }],
    ['up', 'compare', { op: 'gt' }, { a: 'close', b: 'before' }],
    ['often', 'count', { period: 3 }, { in: 'up' }],
    ['three', 'constant', { value: 3 }],
    ['strong', 'compare', { op: 'gte' }, { a: 'often', b: 'three' }],
    ['first', 'once', { per: 'day' }, { in: 'strong' }],
    ['much', 'constant', { value: 0.5 }],
    ['little', 'constant', { value: 0.1 }],
    ['amount', 'select', {}, { if: 'up', yes: 'much', no: 'little' }],
    buyAtMarket({ when: 'first', amount: 'amount' }, { slippageCap: 0.05 }),
    ['done', 'order.result', { field: 'filled' }, { of: 'buy' }],
    ['paid', 'order.result', { field: 'averagePrice' }, { of: 'buy' }],
    ['say', 'notify', { text: 'Paid {paid}' }, { when: 'done' }],
    ['fallen', 'account', { field: 'drawdown' }],
    ['tenth', 'constant', { value: 0.1 }],
    ['lost', 'compare', { op: 'gt' }, { a: 'fallen', b: 'tenth' }],
    ['sell', 'close', { instrument: 'BTCUSDT' }, { when: 'lost' }],
  ]);
  const closes = [100, 101, 102, 103, 104, 105, 101, 80, 81, 82, 83, 84, 85];
  const { fills, log } = run(
    inputOf(requestOf({ from: iso(T), to: iso(T + closes.length * MINUTE_MS) }, { cash: '100' }), {
      visual,
      facts: [factFromStart(FREE_COIN)],
      histories: [
        coinHistory(
          T,
          MINUTE_MS,
          closes.map((close) => flat(close)),
        ),
      ],
    }),
  );
  expect(fills.map(({ at, side, amount }) => ({ at: at.slice(11, 16), side, amount }))).toEqual([
    { at: '00:05', side: 'buy', amount: '0.5' },
    { at: '00:08', side: 'sell', amount: '0.5' },
  ]);
  const [bought] = fills;
  expect(log.map(({ message }) => message)).toContain(`Paid ${bought?.price}`);
});

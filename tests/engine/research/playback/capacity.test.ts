/** Which part of the market's volume a run took. */
import { expect, test } from 'vitest';
import {
  coin,
  contract,
  crossingGraph,
  factFromStart,
  graphFrom,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, cut, historyOf, recordedBars } from '../../../support/bars.ts';
import { minuteHistory } from '../../../support/contracts.ts';
import { expectClose } from '../../books/statistics/trading-span.ts';

const BARS = cut(recordedBars(), 0, 2_000);
const { openTimeMs, closeTimeMs, volume } = BARS.columns;
const T = Date.UTC(2026, 4, 1);
const MINUTE_MS = 60_000;
const YES = 'KXTEST-26:yes';

test('is the share of each bar with a fill, as a loop over fills and bars counts it', () => {
  const { summary, fills } = run(
    inputOf(
      requestOf(
        { from: iso(openTimeMs[100] ?? 0), to: iso(openTimeMs[1_900] ?? 0) },
        { cash: '1000000', fills: { share: '0.2' } },
      ),
      {
        visual: crossingGraph(10, 30, 1),
        facts: [factFromStart(coin())],
        histories: [historyOf('BTCUSDT', BAR_MS, BARS)],
      },
    ),
  );
  const taken = new Map<string, number>();
  for (const { at, side, amount } of fills) {
    const bar = closeTimeMs.findLastIndex((closeMs) => closeMs < Date.parse(at));
    taken.set(`${bar} ${side}`, (taken.get(`${bar} ${side}`) ?? 0) + Number(amount));
  }
  const shares = [...taken].map(([bar, amount]) => amount / (volume[Number(bar.split(' ')[0])] ?? 0));
  const most = Math.max(...shares);
  expect(shares.length).toBeGreaterThan(40);
  expectClose(
    summary.capacity,
    {
      bars: shares.length,
      meanShare: { value: shares.reduce((all, each) => all + each) / shares.length },
      maxShare: { value: most },
      roomFactor: { value: 0.2 / most },
      unmeasured: 0,
    },
    'capacity',
  );
});

/** Buys 8 at each fall of the ask below 0.3, every other minute. */
const dips = graphFrom([
  ['ask', 'market.price', { instrument: YES, field: 'ask' }],
  ['limit', 'constant', { value: 0.3 }],
  ['cheap', 'compare', { op: 'lt' }, { a: 'ask', b: 'limit' }],
  ['amount', 'constant', { value: 8 }],
  ['buy', 'order', { instrument: YES, side: 'buy', type: 'market' }, { when: 'cheap', amount: 'amount' }],
]);
const played = (kind: 'bid_ask' | 'midpoint') => {
  const asks = [0.4, 0.28, 0.4, 0.28, 0.4, 0.28, 0.4, 0.4];
  const bids = asks.map((ask) => ask - 0.02);
  const columns =
    kind === 'midpoint'
      ? { price: asks }
      : {
          ...{ bidOpen: bids, bidHigh: bids, bidLow: bids, bidClose: bids },
          ...{ askOpen: [0.4, ...asks.slice(0, -1)], askHigh: asks, askLow: asks, askClose: asks },
          volume: asks.map(() => 100),
          openInterest: asks.map(() => 1),
        };
  return run(
    inputOf(requestOf({ from: iso(T), to: iso(T + 8 * MINUTE_MS) }, { fees: 'none' }), {
      visual: dips,
      facts: [factFromStart(contract(YES))],
      histories: [minuteHistory(YES, T, kind, columns)],
    }),
  );
};

test('each candle of bid and ask brings volume of its own: what one took is not missing in the next', () => {
  const { fills, summary } = played('bid_ask');
  expect(fills.map(({ amount }) => amount)).toEqual(['8', '8', '8']);
  expect(summary.capacity).toMatchObject({ bars: 3, maxShare: { value: 0.08 }, unmeasured: 0 });
});

test('is unknown where no volume was recorded, and states how many fills that are', () => {
  const { fills, summary } = played('midpoint');
  expect(fills.length).toBeGreaterThan(0);
  expect(summary.capacity).toMatchObject({
    bars: 0,
    maxShare: { value: null, reason: 'too_few' },
    roomFactor: { value: null, reason: 'too_few' },
    unmeasured: fills.length,
  });
});

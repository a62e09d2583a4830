/** The largest coins of a list by their volume of 30 days, as known then. Delisted and young ones are among them. */
import { describe, expect, test } from 'vitest';
import {
  coin,
  factFromStart,
  IDEAL_FILLS,
  inputOf,
  iso,
  NO_FEE,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { barsFrom, flat, historyOf } from '../../../support/bars.ts';
import { draw } from '../../../support/draw-graph.ts';

const DAY_MS = 86_400_000;
const T = Date.UTC(2026, 0, 1);
const DAYS = 120;
const FROM_DAY = 40;
const LIST = { parameter: 'coins' };
const COINS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];

/** Buys what is listed and among the two largest, and sells what no longer is; its stop guards all that it holds. */
const UNIVERSE = draw(
  {
    volume: { type: 'crypto.candle', config: { symbol: LIST, interval: '1d', field: 'volume' } },
    close: { type: 'crypto.candle', config: { symbol: LIST, interval: '1d' } },
    traded: { type: 'math', config: { op: 'multiply' }, inputs: { in: ['volume', 'close'] } },
    month: { type: 'indicator', config: { kind: 'sum', period: 30 }, inputs: { in: 'traded' } },
    open: { type: 'market.info', config: { instrument: LIST, field: 'listed' } },
    none: { type: 'constant', config: { value: 0 } },
    known: { type: 'fallback', config: { kind: 'number' }, inputs: { in: ['month', 'none'] } },
    size: { type: 'select', config: { kind: 'number' }, inputs: { if: 'open', yes: 'known', no: 'none' } },
    top: { type: 'top', config: { k: 2, from: 'highest' }, inputs: { in: 'size' } },
    member: { type: 'logic', config: { op: 'and' }, inputs: { in: ['top', 'open'] } },
    left: { type: 'logic', config: { op: 'not' }, inputs: { a: 'member' } },
    one: { type: 'constant', config: { value: 1 } },
    buy: {
      type: 'order',
      config: { instrument: LIST, side: 'buy', type: 'market' },
      inputs: { when: 'member', amount: 'one' },
    },
    sell: { type: 'close', config: { instrument: LIST }, inputs: { when: 'left' } },
    stop: { type: 'exit', config: { instrument: LIST, stopLoss: 0.5 } },
  },
  { coins: { value: COINS } },
);

type Life = {
  readonly volumeOn: (day: number) => number;
  readonly fromDay?: number;
  readonly toDay?: number;
};

/** Each coin at 100 USD, with candles of the days of its life. */
function played(lives: Readonly<Record<string, Life>>) {
  const entries = Object.entries(lives);
  const input = inputOf(
    requestOf({ from: iso(T + FROM_DAY * DAY_MS), to: iso(T + DAYS * DAY_MS) }, { fills: IDEAL_FILLS }),
    {
      visual: UNIVERSE,
      facts: entries.flatMap(([token_id, { fromDay = 0, toDay = DAYS }]) => {
        const instrument = coin({ token_id, fee_schedule: NO_FEE, opens_at: iso(T + fromDay * DAY_MS) });
        const atMs = T + toDay * DAY_MS;
        const gone = { fromMs: atMs, instrument: { ...instrument, delisted_at: iso(atMs) } };
        return [factFromStart(instrument), ...(toDay < DAYS ? [gone] : [])];
      }),
      histories: entries.map(([symbol, { volumeOn, fromDay = 0, toDay = DAYS }]) => {
        const days = Array.from({ length: toDay - fromDay }, (_, day) => fromDay + day);
        const bars = days.map((day) => flat(100, { volume: volumeOn(day) }));
        return historyOf(symbol, DAY_MS, barsFrom(T + fromDay * DAY_MS, DAY_MS, bars));
      }),
    },
  );
  const dayOf = (at: string): number => (Date.parse(at) - T) / DAY_MS;
  const { orders } = run(input);
  return orders.map(({ at, nodeId, status }) => `${dayOf(at)}: ${nodeId} ${status}`);
}

describe('the two largest coins of a list by the volume of 30 days', () => {
  test('change with the volume of the days before, and what leaves is sold', () => {
    // 50 (30 − n) + 10 n is below 20 (30 − n) + 60 n from the twelfth day on.
    const lives = {
      BTCUSDT: { volumeOn: () => 100 },
      ETHUSDT: { volumeOn: (day: number) => (day < 60 ? 50 : 10) },
      SOLUSDT: { volumeOn: (day: number) => (day < 60 ? 20 : 60) },
      XRPUSDT: { volumeOn: () => 1 },
    };
    expect(played(lives)).toEqual([
      '40: buy/BTCUSDT filled',
      '40: buy/ETHUSDT filled',
      '72: sell/ETHUSDT filled',
      '72: buy/SOLUSDT filled',
    ]);
  });

  test('lose one that is delisted, which is no longer traded, and gain a young one with its first 30 days', () => {
    const lives = {
      BTCUSDT: { volumeOn: () => 100 },
      ETHUSDT: { volumeOn: () => 10 },
      SOLUSDT: { volumeOn: () => 50, toDay: 80 },
      XRPUSDT: { volumeOn: () => 1_000, fromDay: 60 },
    };
    // Once the price of what was delisted is too old, the rules deny buys, as live.
    expect(played(lives)).toEqual([
      '40: buy/BTCUSDT filled',
      '40: buy/SOLUSDT filled',
      '80: buy/ETHUSDT filled',
      '90: buy/XRPUSDT denied',
      '90: sell/ETHUSDT filled',
    ]);
  });
});

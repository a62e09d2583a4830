/** Candles of several series that are read together, when one of them is published later than the other. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { World } from '../../../../engine/strategy/graph/types.ts';
import {
  draw,
  facts,
  MINUTE_MS,
  minuteCandles,
  type NodeConfig,
  Player,
  quote,
  series,
  T0,
  world,
} from './graph-fixtures.ts';

const BTC: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }];
const ETH: NodeConfig = ['crypto.candle', { symbol: 'ETHUSDT', interval: '1m' }];
const minute = (n: number) => T0 + n * MINUTE_MS;
const SECOND_MS = 1_000;

/** Notifies when ETH crosses above BTC. */
const cross = draw(
  {
    btc: BTC,
    eth: ETH,
    up: ['compare', { op: 'crossesAbove' }],
    say: ['notify', { text: 'crossed', ifTrueAtDeploy: 'wait' }],
  },
  ['eth -> up.a', 'btc -> up.b', 'up -> say.when'],
);

type Closes = { btc: readonly number[]; eth: readonly number[] };

/** The world at `now`; the candles of ETH come `lateMs` after their close. */
function worldAt(now: number, { btc, eth }: Closes, lateMs: number): World {
  const published = (closes: readonly number[], late: number) =>
    series(minuteCandles(closes).filter(({ closeTimeMs }) => closeTimeMs + late < now));
  return world({
    candles: new Map([
      ['BTCUSDT@1m', published(btc, 0)],
      ['ETHUSDT@1m', published(eth, lateMs)],
    ]),
    quotes: new Map([['BTCUSDT', quote({ asOf: now })]]),
    instruments: new Map([['BTCUSDT', facts('BTCUSDT')]]),
  });
}

/** The minutes in which it notified, evaluated every two seconds from the first candle on. */
function spoken(closes: Closes, lateMs: number, phaseMs = 0): number[] {
  const player = new Player(cross);
  const minutes: number[] = [];
  const end = minute(closes.btc.length + 1) + 30 * SECOND_MS;
  for (let now = minute(1) + lateMs + phaseMs; now < end; now += 2_000) {
    for (const { stepAt } of player.at(now, worldAt(now, closes, lateMs)).notifications)
      minutes.push(Math.floor((stepAt - lateMs - T0) / MINUTE_MS));
  }
  return minutes;
}

/** The closes at which a plain loop sees ETH go from not above to above BTC. */
const crossings = ({ btc, eth }: Closes): number[] =>
  btc.flatMap((close, i) => {
    const [a, b, before, under] = [eth[i], close, eth[i - 1], btc[i - 1]];
    if (a === undefined || before === undefined || under === undefined) return [];
    return a > b && before <= under ? [i + 1] : [];
  });

describe('series that are read together', () => {
  test('never make a cross that no pair of candles makes, however late one of them is published', () => {
    const closes = { btc: [110, 100, 110, 100], eth: [111, 99, 109, 99].map((close) => close - 2) };
    for (let lateMs = 0; lateMs < 70 * SECOND_MS; lateMs += 900)
      for (const phaseMs of [0, 700, 1_400]) expect(spoken(closes, lateMs, phaseMs)).toEqual([]);
  });

  test('make every cross that a pair of candles makes, up to a minute late', () => {
    const walk = fc.array(fc.tuple(fc.integer({ min: 95, max: 105 }), fc.integer({ min: 95, max: 105 })), {
      minLength: 3,
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        walk,
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 1_999 }),
        (pairs, lateMs, phaseMs) => {
          const closes = { btc: pairs.map(([btc]) => btc), eth: pairs.map(([, eth]) => eth) };
          expect(spoken(closes, lateMs, phaseMs)).toEqual(crossings(closes));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('wait ten seconds for each other, so that a hold does not restart at every candle', () => {
    const lasting = draw(
      { btc: BTC, eth: ETH, above: ['compare', { op: 'gt' }], hold: ['hold', { seconds: 150 }] },
      ['eth -> above.a', 'btc -> above.b', 'above -> hold'],
    );
    const closes = { btc: [1, 1, 1, 1, 1], eth: [2, 2, 2, 2, 2] };
    const player = new Player(lasting);
    let value: unknown = null;
    for (let now = minute(1) + 10_000; now < minute(4) + 10_000; now += 2_000)
      value = player.state('hold', now, worldAt(now, closes, 8_000)).value;
    expect(value).toBe(true);
  });

  test('continue without a late one, whose values are unknown until it has caught up', () => {
    const both = draw(
      {
        btc: BTC,
        eth: ETH,
        ten: ['constant', { value: 10 }],
        up: ['compare', { op: 'gt' }],
        wide: ['math', { op: 'subtract' }],
      },
      ['btc -> up.a', 'ten -> up.b', 'btc -> wide.a', 'eth -> wide.b'],
    );
    const closes = { btc: [9, 11, 11], eth: [1, 2, 3] };
    const player = new Player(both);
    const at = (now: number, lateMs: number, id: string) =>
      player.state(id, now, worldAt(now, closes, lateMs));
    expect(at(minute(1) + 30_000, 0, 'wide').value).toBe(8);
    expect(at(minute(2) + 9_000, 25_000, 'up').value).toBe(false);
    expect(at(minute(2) + 11_000, 25_000, 'up').value).toBe(true);
    expect(at(minute(2) + 12_000, 25_000, 'wide')).toMatchObject({ status: 'stale', value: null });
    expect(at(minute(2) + 26_000, 25_000, 'wide').value).toBe(9);
  });

  test('that no node reads together do not wait for each other', () => {
    const apart = draw(
      {
        btc: BTC,
        eth: ETH,
        ten: ['constant', { value: 10 }],
        up: ['compare', { op: 'gt' }],
        down: ['compare', { op: 'lt' }],
      },
      ['btc -> up.a', 'ten -> up.b', 'eth -> down.a', 'ten -> down.b'],
    );
    const player = new Player(apart);
    const closes = { btc: [9, 11], eth: [9, 9] };
    player.at(minute(1) + 1_000, worldAt(minute(1) + 1_000, closes, 0));
    expect(player.state('up', minute(2), worldAt(minute(2), closes, 5_000)).value).toBe(true);
  });
});

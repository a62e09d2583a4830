import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candle, Evaluation, GraphQuote, World } from '../../../../engine/strategy/graph/types.ts';
import {
  draw,
  facts,
  MINUTE_MS,
  minuteCandles,
  type NodeConfig,
  Player,
  quote,
  series,
  stateOf,
  T0,
  world,
} from './graph-fixtures.ts';

const CANDLE: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '1m' }];
const BUY: NodeConfig = ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'limit' }];

/** Buys when the close of a closed candle rises above 10: price, amount and condition all on closed candles. */
const onCandles = draw(
  {
    close: CANDLE,
    ten: ['constant', { value: 10 }],
    up: ['compare', { op: 'gt' }],
    one: ['constant', { value: 1 }],
    buy: BUY,
  },
  ['close -> up.a', 'ten -> up.b', 'up -> buy.when', 'one -> buy.amount', 'close -> buy.price'],
);

/** The world at `now` if candle i closed at T0 + (i + 1) minutes. */
function worldAt(now: number, closes: readonly number[], over: Partial<GraphQuote> | null = {}): World {
  const closed = minuteCandles(closes).filter((candle) => candle.closeTimeMs < now);
  return world({
    candles: new Map([['BTCUSDT@1m', series(closed)]]),
    quotes: over === null ? new Map() : new Map([['BTCUSDT', quote({ asOf: now, ...over })]]),
    instruments: new Map([['BTCUSDT', facts('BTCUSDT')]]),
  });
}

const minute = (n: number) => T0 + n * MINUTE_MS;
const stepsOf = ({ intents }: Evaluation) =>
  intents.map(({ nodeId, stepAt }) => `${nodeId}@${(stepAt - T0) / MINUTE_MS}`);

describe('a node on closed candles', () => {
  const closes = [9, 11, 11, 9, 11, 9, 9];

  test('steps once per candle: many evaluations between candles add nothing', () => {
    const player = new Player(onCandles);
    const raised: string[] = [];
    for (let now = minute(1); now < minute(7); now += 2_000)
      raised.push(...stepsOf(player.at(now, worldAt(now, closes))));
    expect(raised).toEqual(['buy@2', 'buy@5']);
  });

  test('its step is the instant the candle closed, however late the evaluation', () => {
    const player = new Player(onCandles);
    player.at(minute(1), worldAt(minute(1), closes));
    expect(player.at(minute(2) + 60_000 - 1, worldAt(minute(2), closes)).intents[0]?.stepAt).toBe(minute(2));
  });

  test('at 60 s late it still fires', () => {
    const player = new Player(onCandles);
    player.at(minute(1), worldAt(minute(1), closes));
    expect(stepsOf(player.at(minute(2) + 60_000, worldAt(minute(2), closes)))).toEqual(['buy@2']);
  });

  test('a value that is true for one step is true until the next candle', () => {
    const visual = draw(
      { close: CANDLE, ten: ['constant', { value: 10 }], up: ['compare', { op: 'crossesAbove' }] },
      ['close -> up.a', 'ten -> up.b'],
    );
    const player = new Player(visual);
    const at = (now: number) => player.state('up', now, worldAt(now, [9, 11, 11])).value;
    expect([minute(1), minute(2), minute(2) + 2_000, minute(2) + 58_000, minute(3)].map(at)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test('over 60 s late it no longer fires, spends the edge and reports it as missed', () => {
    const player = new Player(onCandles);
    player.at(minute(1), worldAt(minute(1), closes));
    const late = player.at(minute(2) + 60_001, worldAt(minute(2), closes));
    expect(late.intents).toEqual([]);
    expect(stateOf(late, 'buy')).toMatchObject({
      status: 'missed',
      reason: { code: 'too_late' },
      firedCount: 0,
    });
    expect(player.at(minute(3), worldAt(minute(3), closes)).intents).toEqual([]);
    expect(stepsOf(player.at(minute(5), worldAt(minute(5), closes)))).toEqual(['buy@5']);
  });

  test('a condition from before the deploy is not late: it fires with the newest candle', () => {
    const evaluation = new Player(onCandles).at(minute(3) - 1, worldAt(minute(2), closes));
    expect(stepsOf(evaluation)).toEqual(['buy@2']);
    const hourLater = new Player(onCandles).at(minute(62), worldAt(minute(2), closes));
    expect(stepsOf(hourLater)).toEqual(['buy@2']);
  });

  test('after a pause every missed candle is stepped: an edge within it is missed, the next one is seen', () => {
    const player = new Player(onCandles);
    player.at(minute(1), worldAt(minute(1), closes));
    const after = player.at(minute(5), worldAt(minute(5), closes));
    expect(stepsOf(after)).toEqual(['buy@5']);
    expect(player.memory?.candles).toEqual({ 'BTCUSDT@1m': minute(5) });
    const quiet = new Player(onCandles);
    quiet.at(minute(1), worldAt(minute(1), closes));
    expect(stateOf(quiet.at(minute(7), worldAt(minute(7), closes)), 'buy').status).toBe('missed');
  });

  test('a pause of any length gives the same memory as no pause, and no extra intent', () => {
    const walk = fc.array(fc.integer({ min: 8, max: 12 }), { minLength: 5, maxLength: 40 });
    const pauses = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 10 });
    const visual = draw(
      {
        close: CANDLE,
        sma: ['indicator', { kind: 'sma', period: 3 }],
        up: ['compare', { op: 'crossesAbove', hysteresis: 0.5 }],
        slow: ['cooldown', { seconds: 120 }],
        down: ['compare', { op: 'lt' }],
        held: ['hold', { seconds: 60 }],
        latch: ['memory', { mode: 'latch' }],
        one: ['constant', { value: 1 }],
        buy: BUY,
        say: ['notify', { text: 'Low.' }],
      },
      [
        'close -> sma',
        'close -> up.a',
        'sma -> up.b',
        'up -> slow',
        'close -> down.a',
        'sma -> down.b',
        'down -> held',
        'slow -> latch.set',
        'held -> latch.reset',
        'slow -> buy.when',
        'one -> buy.amount',
        'close -> buy.price',
        'latch -> say',
      ],
    );
    fc.assert(
      fc.property(walk, pauses, (closes, gaps) => {
        const play = (instants: readonly number[]) => {
          const player = new Player(visual);
          const raised = instants.flatMap((now) => stepsOf(player.at(now, worldAt(now, closes))));
          return { raised, memory: player.memory };
        };
        const end = minute(closes.length);
        const steady: number[] = [];
        for (let now = minute(1); now <= end; now += 2_000) steady.push(now);
        const broken = [minute(1)];
        for (let i = 0, now = minute(1); now < end; i++) {
          broken.push(now);
          now += 2_000 * (gaps[i % gaps.length] as number);
        }
        const whole = play(steady);
        const inPieces = play([...broken, end]);
        expect(whole.raised).toEqual(expect.arrayContaining(inPieces.raised));
        expect(new Set(inPieces.raised).size).toBe(inPieces.raised.length);
        const shared = ['up', 'slow', 'held', 'latch'];
        for (const id of shared) expect(inPieces.memory?.nodes[id]).toEqual(whole.memory?.nodes[id]);
        expect(inPieces.memory?.candles).toEqual(whole.memory?.candles);
        if (Math.max(...gaps) * 2_000 <= 60_000) expect(inPieces.raised).toEqual(whole.raised);
      }),
      { numRuns: 40 },
    );
  });

  test('a very long pause is processed over several evaluations, and exits guard meanwhile', () => {
    const closes = Array.from({ length: 1_300 }, (_, i) => (i % 7 === 0 ? 11 : 9));
    const visual = draw(
      {
        close: CANDLE,
        ten: ['constant', { value: 10 }],
        up: ['compare', { op: 'crossesAbove' }],
        kept: ['memory', { mode: 'number', initial: 0 }],
        zero: ['math', { op: 'multiply' }],
        more: ['math', { op: 'add' }],
        one: ['math', { op: 'divide' }],
      },
      [
        'close -> up.a',
        'ten -> up.b',
        'close -> one.a',
        'close -> one.b',
        'one -> more.in',
        'kept -> more.in',
        'more -> kept',
        'close -> zero.in',
      ],
    );
    const player = new Player(visual);
    player.at(minute(1), worldAt(minute(1), closes));
    const end = minute(closes.length);
    const behind = [0, 2_000, 4_000].map((ms) => player.at(end + ms, worldAt(end, closes)).behind);
    expect(behind).toEqual([closes.length - 2 - 500, closes.length - 2 - 1_000, 0]);
    // The counter adds one per candle: none was skipped, none stepped twice.
    expect(player.state('more', end + 6_000, worldAt(end, closes)).value).toBe(closes.length);
  });
});

describe('two series', () => {
  const visual = draw(
    {
      fast: CANDLE,
      slow: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
      both: ['compare', { op: 'gt' }],
      say: ['notify', { text: 'x' }],
      counted: ['memory', { mode: 'number', initial: 0 }],
    },
    ['fast -> both.a', 'slow -> both.b', 'slow -> counted', 'both -> say'],
  );
  const five = (closes: readonly number[]): Candle[] =>
    closes.map((close, i) => {
      const openTimeMs = minute(5 * i);
      return {
        openTimeMs,
        closeTimeMs: minute(5 * (i + 1)) - 1,
        open: close,
        high: close,
        low: close,
        close,
        volume: 1,
      };
    });
  test('keep their own steps, and a node that joins them moves with the tick', () => {
    const player = new Player(visual);
    const at = (now: number, slowCloses: number[]) => {
      const fast = minuteCandles(Array.from({ length: 20 }, (_, i) => i)).filter(
        ({ closeTimeMs }) => closeTimeMs < now,
      );
      return player.at(
        now,
        world({
          candles: new Map([
            ['BTCUSDT@1m', series(fast)],
            ['BTCUSDT@5m', series(five(slowCloses))],
          ]),
        }),
      );
    };
    const first = at(minute(6) + 500, [3]);
    expect(stateOf(first, 'both').value).toBe(true);
    expect(first.notifications.map(({ stepAt }) => stepAt)).toEqual([minute(6) + 500]);
    expect(stateOf(at(minute(6) + 2_000, [3]), 'counted').value).toBe(0);
    expect(stateOf(at(minute(10), [3, 30]), 'both').value).toBe(false);
    expect(stateOf(at(minute(10), [3, 30]), 'counted').value).toBe(3);
  });
});

describe('a candle value read by a node that moves with every quote', () => {
  const mixed = draw(
    {
      close: CANDLE,
      price: ['crypto.price', { symbol: 'BTCUSDT' }],
      up: ['compare', { op: 'gt' }],
      one: ['constant', { value: 1 }],
      buy: BUY,
    },
    ['price -> up.a', 'close -> up.b', 'up -> buy.when', 'one -> buy.amount'],
  );
  test('is unknown once the next candle is over a minute late', () => {
    const player = new Player(mixed);
    const seen = (now: number) => ({
      ...worldAt(now, [9]),
      quotes: new Map([['BTCUSDT', quote({ asOf: now })]]),
    });
    expect(player.state('up', minute(3), seen(minute(3)))).toMatchObject({ value: true });
    expect(player.state('up', minute(3) + 1, seen(minute(3) + 1))).toMatchObject({
      status: 'stale',
      value: null,
    });
    expect(player.state('close', minute(3) + 2, seen(minute(3) + 2)).value).toBe(9);
  });

  test('of a month is known until the month after it is over, whatever their lengths', () => {
    const visual = draw(
      {
        close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '1M' }],
        price: ['crypto.price', { symbol: 'BTCUSDT' }],
        up: ['compare', { op: 'gt' }],
        say: ['notify', { text: 'Above last month.' }],
      },
      ['price -> up.a', 'close -> up.b', 'up -> say.when'],
    );
    const february = {
      ...(minuteCandles([9])[0] as Candle),
      openTimeMs: Date.UTC(2027, 1, 1),
      closeTimeMs: Date.UTC(2027, 2, 1) - 1,
    };
    const at = (now: number) =>
      new Player(visual).state(
        'up',
        now,
        world({
          candles: new Map([['BTCUSDT@1M', series([february])]]),
          quotes: new Map([['BTCUSDT', quote({ asOf: now })]]),
        }),
      );
    expect(at(Date.UTC(2027, 2, 31, 12)).value).toBe(true);
    expect(at(Date.UTC(2027, 3, 1) + MINUTE_MS + 1).status).toBe('stale');
  });

  test('fires with `now` as its step', () => {
    expect(new Player(mixed).at(minute(1) + 4_000, worldAt(minute(1), [9])).intents[0]?.stepAt).toBe(
      minute(1) + 4_000,
    );
  });

  /** Buys as many as the price of the moment, at a candle above ten. */
  const priced = draw(
    {
      close: CANDLE,
      price: ['crypto.price', { symbol: 'BTCUSDT' }],
      ten: ['constant', { value: 10 }],
      up: ['compare', { op: 'gt' }],
      buy: BUY,
    },
    ['close -> up.a', 'ten -> up.b', 'up -> buy.when', 'price -> buy.amount', 'close -> buy.price'],
  );

  test('quotes are unknown in the missed steps: nothing fires on prices of another time', () => {
    const player = new Player(priced);
    player.at(minute(1), worldAt(minute(1), [9, 11, 9, 11]));
    // The step of minute 2 is not yet 60 s late, but its amount is unknown; in minute 3 the signal is over.
    expect(player.at(minute(3) - 1, worldAt(minute(3), [9, 11, 9, 11])).intents).toEqual([]);
  });

  test('an amount that is not known at the candle keeps the edge open for 60 s', () => {
    const closes = [9, 11, 11, 11];
    const start = () => {
      const player = new Player(priced);
      player.at(minute(1), worldAt(minute(1), closes));
      expect(player.at(minute(2), worldAt(minute(2), closes, null)).intents).toEqual([]);
      return player;
    };
    expect(stepsOf(start().at(minute(2) + 58_000, worldAt(minute(2) + 58_000, closes)))).toEqual(['buy@2']);
    const tooLate = start().at(minute(2) + 60_001, worldAt(minute(2), closes));
    expect(stateOf(tooLate, 'buy')).toMatchObject({ status: 'missed' });
  });
});

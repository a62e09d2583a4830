import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NO_CANDLES } from '../../engine/strategy/graph/candles.ts';
import type { Candle, CandleNeed, Memory, NodeStates } from '../../engine/strategy/graph/types.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { CandleCache } from '../../server/workers/trading/market/candles.ts';
import { recordedBars } from '../engine/strategy/graph/bars.ts';
import { SILENT_LOG } from '../support/silent-log.ts';
import { BTC, FakeMarket } from './fake-market.ts';
import { type Nodes, openRunnerWorld, type RunnerWorld } from './support.ts';

const MINUTES_5 = 300_000;
const BARS = recordedBars();
const NEED: CandleNeed = { symbol: BTC, interval: '5m', window: 20, open: false };
const KEY = `${BTC}@5m`;
const closeOf = (index: number): number => (BARS[index] as Candle).closeTimeMs + 1;

describe('the candles of a series', () => {
  let market: FakeMarket;
  let cache: CandleCache;
  beforeEach(() => {
    market = new FakeMarket();
    market.addCandles(BTC, '5m', BARS);
    cache = new CandleCache(market, new LogOnce(SILENT_LOG));
  });
  const closed = () => cache.byKey.get(KEY)?.closed ?? NO_CANDLES;
  const at = (index: number) => {
    market.clock = () => closeOf(index);
  };

  test('are unchanged until one is added, and the venue is called only then', async () => {
    at(100);
    cache.want(NEED, 0);
    await cache.refresh();
    const series = closed();
    const calls = market.candleCalls.length;
    expect(series.newest).toEqual(BARS[100]);
    market.clock = () => closeOf(100) + MINUTES_5 - 1;
    await cache.refresh();
    expect(closed()).toBe(series);
    expect(market.candleCalls).toHaveLength(calls);
    at(101);
    await cache.refresh();
    expect(closed()).not.toBe(series);
    expect(closed().newest).toEqual(BARS[101]);
    expect(market.candleCalls).toHaveLength(calls + 1);
  });

  test('that the venue corrected are corrected here, in a new series', async () => {
    at(100);
    cache.want(NEED, 0);
    await cache.refresh();
    const before = closed();
    const stated = { ...(BARS[100] as Candle), close: 1, low: 1 };
    market.addCandles(BTC, '5m', [...BARS.slice(0, 100), stated, ...BARS.slice(101)]);
    at(101);
    await cache.refresh();
    expect(before.newest).toEqual(BARS[100]);
    expect([...closed()].slice(-2)).toEqual([stated, BARS[101]]);
  });

  test('of a month are fetched again when the next month is over, not before', async () => {
    const january = {
      ...(BARS[0] as Candle),
      openTimeMs: Date.UTC(2027, 0, 1),
      closeTimeMs: Date.UTC(2027, 1, 1) - 1,
    };
    const february = { ...january, openTimeMs: Date.UTC(2027, 1, 1), closeTimeMs: Date.UTC(2027, 2, 1) - 1 };
    const march = { ...january, openTimeMs: Date.UTC(2027, 2, 1), closeTimeMs: Date.UTC(2027, 3, 1) - 1 };
    market.addCandles(BTC, '1M', [january, february, march]);
    const refreshedAt = async (now: number) => {
      market.clock = () => now;
      const before = market.candleCalls.length;
      await cache.refresh();
      return market.candleCalls.length > before;
    };
    market.clock = () => Date.UTC(2027, 2, 5);
    cache.want({ ...NEED, interval: '1M', window: 1 }, 0);
    await cache.refresh();
    expect(await refreshedAt(Date.UTC(2027, 2, 31, 12))).toBe(false);
    expect(await refreshedAt(Date.UTC(2027, 3, 1))).toBe(true);
    expect(cache.byKey.get(`${BTC}@1M`)?.closed.newest).toEqual(march);
  });

  test('start one window before the first missed evaluation', async () => {
    const minutes = Array.from(
      { length: 2_500 },
      (_, index): Candle => ({
        ...(BARS[index % BARS.length] as Candle),
        openTimeMs: index * 60_000,
        closeTimeMs: (index + 1) * 60_000 - 1,
      }),
    );
    market.addCandles(BTC, '1m', minutes);
    market.clock = () => 2_500 * 60_000;
    const need: CandleNeed = { ...NEED, interval: '1m' };
    expect(cache.want(need, 100 * 60_000)).toBe(false);
    await cache.refresh();
    expect(cache.want(need, 100 * 60_000)).toBe(true);
    const series = cache.byKey.get(`${BTC}@1m`)?.closed ?? NO_CANDLES;
    const missed = [...series].findIndex(({ openTimeMs }) => openTimeMs === 100 * 60_000);
    expect(missed).toBeGreaterThanOrEqual(NEED.window);
    expect([...series].slice(missed)).toEqual(minutes.slice(100));
  });

  test('are complete after a pause of the venue, whatever its length', async () => {
    at(50);
    cache.want(NEED, 0);
    await cache.refresh();
    at(690);
    cache.want(NEED, closeOf(50));
    await cache.refresh();
    const first = BARS.findIndex(({ openTimeMs }) => openTimeMs === closed().at(0).openTimeMs);
    expect([...closed()]).toEqual(BARS.slice(first, 691));
    expect(cache.want(NEED, closeOf(50))).toBe(true);
  });

  test('of which the venue has too few are returned as they are', async () => {
    at(5);
    cache.want(NEED, 0);
    await cache.refresh();
    expect(cache.want(NEED, 0)).toBe(true);
    expect(closed().count).toBe(6);
  });
});

/** Buys when the close rises above its mean. */
const ABOVE_MEAN: Nodes = {
  close: { type: 'crypto.candle', config: { symbol: BTC, interval: '5m', field: 'close' } },
  mean: { type: 'indicator', config: { kind: 'sma', period: 20 }, inputs: { in: 'close' } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'close', b: 'mean' } },
  amount: { type: 'constant', config: { value: 0.01 } },
  buy: {
    type: 'order',
    config: { instrument: BTC, side: 'buy', type: 'market' },
    inputs: { when: 'above', amount: 'amount' },
  },
};

describe('a blueprint on candles', () => {
  let world: RunnerWorld;
  beforeEach(async () => {
    world = await openRunnerWorld();
    world.market.addCandles(BTC, '5m', BARS);
  });
  afterEach(() => world.close());

  const goTo = async (index: number) => {
    world.market.clock = () => closeOf(index) + 1_000;
    await world.price(String((BARS[index] as Candle).close));
  };

  test('evaluates each missed candle once, in order, and reports those that came too late', async () => {
    await goTo(99);
    const deployed = await world.deploy(ABOVE_MEAN);
    let runner = world.runner();
    await runner.tick();
    const start = (await world.state(deployed)).memory as unknown as Memory;
    expect(start.candles[KEY]).toBe(closeOf(99));
    await runner.stop();

    await goTo(160);
    runner = world.runner();
    await runner.tick();
    await runner.tick();
    const state = await world.state(deployed);
    const memory = state.memory as unknown as Memory;
    expect(memory.candles[KEY]).toBe(closeOf(160));
    expect(memory.startedAt).toBe(start.startedAt);

    // It became true during the pause and still is. That edge is used up, because acting on it now would be late.
    expect([isAboveMean(99), isAboveMean(159), isAboveMean(160)]).toEqual([false, true, true]);
    const { close, buy } = state.node_states as unknown as NodeStates;
    expect(close?.value).toBe(BARS[160]?.close);
    expect(memory.nodes['buy']).toMatchObject({ last: true });
    expect(buy).toMatchObject({ status: 'missed', reason: { code: 'too_late' } });
    expect(await world.orders(deployed)).toEqual([]);
  });

  test('raises exactly the intents that its rules give on recorded bars', { tags: ['long'] }, async () => {
    const [first, last] = [60, 460];
    await goTo(first - 1);
    const deployed = await world.deploy({
      ...ABOVE_MEAN,
      below: { type: 'compare', config: { op: 'lt' }, inputs: { a: 'close', b: 'mean' } },
      sell: {
        type: 'order',
        config: { instrument: BTC, side: 'sell', type: 'market' },
        inputs: { when: 'below', amount: 'amount' },
      },
    });
    const runner = world.runner();
    for (let index = first - 1; index <= last; index++) {
      await goTo(index);
      await runner.tick();
      await world.fillQueued();
    }
    const raised = (await world.orders(deployed)).map(({ node_id, step_at, side, amount, status }) => ({
      node: node_id,
      stepAt: Date.parse(step_at ?? ''),
      side,
      amount: Number(amount),
      status,
    }));
    expect(raised).toEqual(expectedIntents(first - 1, last));
    expect(raised.length).toBeGreaterThan(20);
  });
});

const isAboveMean = (index: number): boolean => {
  const closes = BARS.slice(index - 19, index + 1).map(({ close }) => close);
  return (closes.at(-1) ?? 0) > closes.reduce((sum, close) => sum + close, 0) / closes.length;
};

/**
 * The rules of the graph, written out: above the mean of the last 20 closes it buys once, below it sells once if
 * it holds. The first evaluation counts as a change from "not above", as at every deploy.
 */
function expectedIntents(first: number, last: number) {
  const intents = [];
  let wasAbove = false;
  let wasBelow = false;
  let held = 0;
  for (let index = first; index <= last; index++) {
    const closes = BARS.slice(index - 19, index + 1).map(({ close }) => close);
    const mean = closes.reduce((sum, close) => sum + close, 0) / closes.length;
    const close = closes.at(-1) ?? 0;
    const [above, below] = [close > mean, close < mean];
    if (above && !wasAbove) {
      intents.push({ node: 'buy', stepAt: closeOf(index), side: 'buy', amount: 0.01, status: 'filled' });
      held += 1;
    }
    if (below && !wasBelow && held > 0) {
      intents.push({ node: 'sell', stepAt: closeOf(index), side: 'sell', amount: 0.01, status: 'filled' });
      held -= 1;
    }
    [wasAbove, wasBelow] = [above, below];
  }
  return intents;
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CandleMaker } from '../../simulator/world/crypto-candles.ts';
import { CoinPath, SYMBOLS } from '../../simulator/world/crypto-path.ts';
import { isCandleOf, validCandles } from '../../venues/parse/candle-checks.ts';
import { CANDLE_INTERVALS, type CandleInterval } from '../../venues/port.ts';
import { failureOf, fixture, replaying } from './support/replay.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const maker = new CandleMaker(new CoinPath(SYMBOLS[0] ?? expect.unreachable(), 'a'));

const barsOf = (interval: CandleInterval) =>
  maker
    .candles(interval, { endMs: NOON, limit: 8 }, NOON + 1_000)
    .map(({ openMs, closeMs, open, high, low, close }) => ({
      openTimeMs: openMs,
      closeTimeMs: closeMs,
      prices: { open, high, low, close },
    }));
const ordered = (bars: ReturnType<typeof barsOf>, interval: CandleInterval) =>
  validCandles(
    bars,
    (bar) => bar,
    (bar) => isCandleOf(interval, bar),
  );

describe('a list of candles', () => {
  test.each(CANDLE_INTERVALS)('of %s is returned in order, each once, for any input order', (interval) => {
    const bars = barsOf(interval);
    fc.assert(
      fc.property(fc.array(fc.nat(bars.length - 1), { maxLength: 20 }), fc.nat(), (again, turn) => {
        const sent = [...bars.slice(turn % 8), ...again.flatMap((index) => bars[index] ?? []), ...bars];
        expect(ordered(sent, interval)).toEqual(bars);
      }),
    );
  });

  test.each(CANDLE_INTERVALS)('of %s with one wrong candle is refused', (interval) => {
    const bars = barsOf(interval);
    const [bar = expect.unreachable()] = bars;
    const { openTimeMs, closeTimeMs, prices } = bar;
    const strange = [
      { ...bar, openTimeMs: openTimeMs + 1, closeTimeMs: closeTimeMs + 1 },
      { ...bar, openTimeMs: openTimeMs - 30_000 },
      { ...bar, closeTimeMs: openTimeMs - 1 },
      { ...bar, closeTimeMs: closeTimeMs + 1 },
      { ...bar, closeTimeMs: closeTimeMs + 60_000 },
      { ...bar, prices: { ...prices, high: prices.low - 1 } },
      { ...bar, prices: { ...prices, low: prices.high + 1 } },
      { ...bar, prices: { ...prices, low: -1 } },
      // Another candle of the same time: which of them is right?
      { ...bar, prices: { ...prices, high: prices.high + 1 } },
    ];
    for (const one of strange) expect(ordered([...bars, one], interval)).toBeNull();
  });

  test('of another interval than requested is refused', () => {
    for (const interval of CANDLE_INTERVALS) {
      for (const other of CANDLE_INTERVALS) {
        if (other !== interval) expect(ordered(barsOf(other), interval)).toBeNull();
      }
    }
  });
});

describe('crypto candles', () => {
  const KLINES = '/binance/api/v3/klines';
  const recorded = fixture<unknown[][]>('binance-klines.json');
  const [first = [], second = []] = recorded;

  test('sent twice are one candle, for pictures and for indicators', async () => {
    await using venue = await replaying({ [KLINES]: [...recorded, ...recorded] });
    const { market } = venue;
    expect((await market.at('crypto').klines('BTCUSDT', '1h', 100)).klines).toHaveLength(recorded.length);
    expect(await market.closedCandles('BTCUSDT', '1h', { limit: 10 })).toHaveLength(10);
  });

  test.each([
    ['hours where minutes were asked for', '1m', recorded],
    ['one off the grid', '1h', [first, second.with(0, Number(second[0]) + 1)]],
    ['one that closes before it opens', '1h', [first, second.with(6, Number(second[0]) - 1)]],
    ['two that claim one hour', '1h', [first, second, second.with(4, second[3])]],
    ['a price of 0', '1h', [first.with(3, '0.00000000')]],
    ['none', '1h', []],
  ] as const)(
    'with %s are an upstream error, for pictures and for indicators',
    async (_, interval, klines) => {
      await using venue = await replaying({ [KLINES]: klines });
      const { market } = venue;
      const answers = [
        market.at('crypto').klines('BTCUSDT', interval, 9),
        market.closedCandles('BTCUSDT', interval, { limit: 9 }),
      ];
      for (const answer of answers) expect(await failureOf(answer)).toMatchObject({ kind: 'unavailable' });
    },
  );

  test('and trades of an existing symbol are never an empty list', async () => {
    await using venue = await replaying({ '/binance/api/v3/aggTrades': [] });
    expect(await failureOf(venue.market.at('crypto').trades('BTCUSDT', 5))).toMatchObject({
      kind: 'unavailable',
    });
  });
});

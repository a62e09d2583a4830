import { describe, expect, test } from 'vitest';
import { gammaCatalogue } from '../../simulator/gamma-catalogue.ts';
import { kalshiCatalogue } from '../../simulator/kalshi-catalogue.ts';
import { CandleMaker } from '../../simulator/world/crypto-candles.ts';
import { CoinPath, SYMBOLS } from '../../simulator/world/crypto-path.ts';
import { resolvedYes, volumeBetween } from '../../simulator/world/event.ts';
import { BAR_MS, coinRecording } from '../../simulator/world/recordings.ts';
import { findToken, tokenOf } from '../../simulator/world/tokens.ts';
import { CANDLE_INTERVALS } from '../../venues/views.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;

describe('simulated coins', () => {
  const makers = new Map(SYMBOLS.map((spec) => [spec.symbol, new CandleMaker(new CoinPath(spec, 'a'))]));
  const maker = (symbol: string) => makers.get(symbol) ?? expect.unreachable();

  test.each(['BTCUSDT', 'ETHUSDT'] as const)('%s has the returns of its recording', (symbol) => {
    const { path } = maker(symbol);
    const recording = coinRecording(symbol === 'BTCUSDT' ? 'btcusdt' : 'ethusdt');
    const first = Math.floor(NOON / BAR_MS);
    const own = Array.from({ length: 500 }, (_, index) => {
      const bar = path.bar(first + index);
      return bar.close - bar.open;
    });
    const returns = Array.from(recording.level, (level, index) => (recording.level[index + 1] ?? 0) - level);
    // Found somewhere in the recording, but for the slow waves (about 1 % a day at most).
    const start = returns.findIndex((_, offset) =>
      own.slice(0, 20).every((value, index) => Math.abs(value - (returns[offset + index] ?? 9)) < 1e-4),
    );
    expect(start).toBeGreaterThanOrEqual(0);
  });

  test('go on at the end of the recording without a jump: no bar moves more than the recording ever did', () => {
    const { path } = maker('BTCUSDT');
    const first = Math.floor(NOON / BAR_MS);
    let largest = 0;
    for (let index = first; index < first + 13_000; index += 1) {
      const bar = path.bar(index);
      expect(path.bar(index + 1).open).toBe(bar.close);
      largest = Math.max(largest, Math.abs(bar.close - bar.open));
    }
    const { level } = coinRecording('btcusdt');
    const recorded = Math.max(
      ...level.map((value, index) => (index === 0 ? 0 : Math.abs(value - (level[index - 1] ?? 0)))),
    );
    expect(largest).toBeLessThan(recorded + 1e-4);
  });

  test.each(CANDLE_INTERVALS)('have candles of %s that join, and hold their own extremes', (interval) => {
    const candles = maker('BTCUSDT').candles(interval, { endMs: NOON, limit: 60 }, NOON + 1_000);
    expect(candles.length).toBeGreaterThan(50);
    candles.forEach((candle, index) => {
      expect(candle.high).toBeGreaterThanOrEqual(Math.max(candle.open, candle.close));
      expect(candle.low).toBeLessThanOrEqual(Math.min(candle.open, candle.close));
      expect(candle.volume).toBeGreaterThan(0);
      const before = candles[index - 1];
      if (before === undefined) return;
      expect(candle.open).toBe(before.close);
      expect(candle.openMs).toBe(before.closeMs + 1);
    });
  });

  test('have longer candles that are made of the shorter ones', () => {
    for (const [long, short] of [
      ['5m', '1m'],
      ['1h', '5m'],
      ['1d', '1h'],
      ['1w', '1d'],
      ['1M', '1d'],
    ] as const) {
      const [candle] = maker('ETHUSDT').candles(long, { endMs: NOON - 40 * DAY, limit: 1 }, NOON);
      const range = { startMs: candle?.openMs ?? 0, endMs: candle?.closeMs ?? 0, limit: 1_000 };
      const parts = maker('ETHUSDT').candles(short, range, NOON);
      expect(Math.max(...parts.map(({ high }) => high))).toBe(candle?.high);
      expect(Math.min(...parts.map(({ low }) => low))).toBe(candle?.low);
      expect(parts.at(-1)?.close).toBe(candle?.close);
      expect(parts.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(candle?.volume ?? 0, 3);
    }
  });

  test('know months from minutes, and weeks begin on Monday', () => {
    const open = (interval: '1m' | '1M' | '1w') =>
      new Date(
        maker('BTCUSDT').candles(interval, { endMs: NOON, limit: 1 }, NOON)[0]?.openMs ?? 0,
      ).toISOString();
    expect(open('1m')).toBe('2026-11-20T12:00:00.000Z');
    expect(open('1M')).toBe('2026-11-01T00:00:00.000Z');
    expect(open('1w')).toBe('2026-11-16T00:00:00.000Z');
  });

  test('do not know the future: a candle that is open holds what has happened', () => {
    const at = (nowMs: number) => maker('BTCUSDT').candles('1h', { endMs: nowMs, limit: 1 }, nowMs)[0];
    const early = at(NOON + 60_000);
    const late = at(NOON + 50 * 60_000);
    expect(early?.open).toBe(late?.open);
    expect(early?.volume ?? 0).toBeLessThan(late?.volume ?? 0);
    expect(early?.close).toBe(maker('BTCUSDT').path.priceAt(NOON + 60_000));
  });
});

describe('simulated events', () => {
  const bitcoin = () => new CoinPath(SYMBOLS[0] ?? expect.unreachable(), 'a');
  const catalogues = { kalshi: kalshiCatalogue('a', bitcoin), gamma: gammaCatalogue('a', bitcoin) };

  test.each(['kalshi', 'gamma'] as const)(
    'of %s: exclusive odds sum to 1, and one of the group wins',
    (name) => {
      for (const event of catalogues[name].listedAt(NOON).filter(({ exclusive }) => exclusive)) {
        const sum = (timeMs: number) => event.markets.reduce((total, { odds }) => total + odds(timeMs), 0);
        expect(sum(NOON)).toBeCloseTo(1, 9);
        expect(sum(event.closesMs)).toBeCloseTo(1, 9);
        expect(event.markets.filter(resolvedYes)).toHaveLength(1);
      }
    },
  );

  test.each(['kalshi', 'gamma'] as const)('of %s are found again by name, also long after', (name) => {
    const catalogue = catalogues[name];
    for (const event of [...catalogue.listedAt(NOON), ...catalogue.listedAt(NOON - 400 * DAY)]) {
      expect(catalogue.event(event.id)?.id).toBe(event.id);
      for (const market of event.markets) expect(catalogue.market(market.id)?.id).toBe(market.id);
    }
    for (const id of [
      'KXFEDDECISION-26FOO',
      'KXBTC15M-26NOV201299-00',
      'nope',
      'fed-decision-in-smarch-2026',
    ]) {
      expect(catalogue.event(id)).toBeNull();
      expect(catalogue.market(id)).toBeNull();
    }
  });

  test('have volume that only grows', () => {
    for (const market of catalogues.kalshi.listedAt(NOON).flatMap(({ markets }) => markets)) {
      for (let at = NOON - DAY; at < NOON; at += 3_600_000)
        expect(volumeBetween(market, at, at + 60_000)).toBeGreaterThanOrEqual(0);
    }
  });

  test('have odds that move a little from minute to minute, and never jump', () => {
    for (const market of catalogues.gamma.listedAt(NOON).flatMap(({ markets }) => markets)) {
      if (market.event.closesMs - NOON < DAY) continue;
      const odds = Array.from({ length: 120 }, (_, index) => market.odds(NOON + index * 60_000));
      odds.slice(1).forEach((value, index) => {
        expect(Math.abs(value - (odds[index] ?? 0))).toBeLessThan(0.05);
      });
    }
  });

  test('have tokens that lead back to their side, and none that are made up', () => {
    const { gamma } = catalogues;
    for (const market of gamma.listedAt(NOON).flatMap(({ markets }) => markets)) {
      for (const outcome of [0, 1] as const) {
        const token = tokenOf(gamma, market, outcome);
        expect(token).toMatch(/^[1-9]\d{76}$/);
        expect(findToken(gamma, token)).toMatchObject({ market: { id: market.id }, outcome });
        expect(findToken(gamma, `${token.slice(0, -1)}${(Number(token.at(-1)) + 1) % 10}`)).toBeNull();
      }
    }
    expect(findToken(gamma, '123456')).toBeNull();
  });
});

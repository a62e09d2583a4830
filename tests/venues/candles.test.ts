import { afterEach, describe, expect, test, vi } from 'vitest';
import { WorldClock } from '../../simulator/world/world-clock.ts';
import { type CandleRange, ClosedCandles } from '../../venues/binance/candles.ts';
import type { Candle } from '../../venues/port.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2026, 0, 1);

const candleAt = (openTimeMs: number): Candle => ({
  openTimeMs,
  closeTimeMs: openTimeMs + MINUTE - 1,
  open: 1,
  high: 2,
  low: 1,
  close: openTimeMs,
  volume: 1,
});

/**
 * A venue of minute candles since {@link START}, the open one included, as Binance answers. The volume of an open candle is 0.
 * `lagMs`: how far its clock is behind ours; `tradesUntil`: no candle opens from this minute on.
 */
function venue(options: { lagMs?: number; tradesUntil?: number } = {}) {
  const clock = new WorldClock();
  const requests: CandleRange[] = [];
  const fetch = async (_symbol: string, _interval: string, range: CandleRange): Promise<Candle[]> => {
    requests.push(range);
    const now = clock.now() - (options.lagMs ?? 0);
    const until = START + ((options.tradesUntil ?? Number.POSITIVE_INFINITY) - 1) * MINUTE;
    const last = Math.min(until, Math.floor(Math.min(range.endTime ?? now, now) / MINUTE) * MINUTE);
    const first = Math.max(START, Math.ceil((range.startTime ?? START) / MINUTE) * MINUTE);
    const all: Candle[] = [];
    for (let open = first; open <= last; open += MINUTE)
      all.push({ ...candleAt(open), volume: open + MINUTE <= now ? 1 : 0 });
    return range.startTime === undefined ? all.slice(-range.limit) : all.slice(0, range.limit);
  };
  const at = (minutes: number, seconds = 0) => clock.pin(START / 1_000 + minutes * 60 + seconds);
  return { candles: new ClosedCandles(fetch, clock), clock, requests, at };
}

const opens = (list: readonly Candle[]) => list.map(({ openTimeMs }) => (openTimeMs - START) / MINUTE);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('closed candles', () => {
  afterEach(() => void vi.useRealTimers());

  test('are the last ones that closed, ascending, without the open one', async () => {
    const { candles, at } = venue();
    at(100, 30);
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 5 }))).toEqual([95, 96, 97, 98, 99]);
  });

  test('are requested once per closed candle, and then only the new ones', async () => {
    const { candles, requests, at } = venue();
    at(100, 1);
    await candles.get('BTCUSDT', '1m', { limit: 5 });
    at(100, 30);
    await candles.get('BTCUSDT', '1m', { limit: 5 });
    expect(requests).toHaveLength(1);
    at(101, 0);
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 3 }))).toEqual([98, 99, 100]);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.startTime).toBe(START + 99 * MINUTE);
  });

  test('are requested once for many concurrent callers', async () => {
    const { candles, requests, at } = venue();
    at(100);
    await Promise.all(range(0, 50).map(() => candles.get('BTCUSDT', '1m', { limit: 10 })));
    expect(requests).toHaveLength(1);
  });

  test('come a thousand at once, although one call gives a thousand with the open one', async () => {
    const { candles, at } = venue();
    at(3_000, 10);
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 1_000 }))).toEqual(range(2_000, 3_000));
  });

  test('are lengthened in front when more are wanted', async () => {
    const { candles, requests, at } = venue();
    at(500);
    await candles.get('BTCUSDT', '1m', { limit: 10 });
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 100 }))).toEqual(range(400, 500));
    expect(requests).toHaveLength(3);
  });

  test('are fewer than requested if the venue has fewer, and that is not requested again', async () => {
    const { candles, requests, at } = venue();
    at(7);
    expect(await candles.get('BTCUSDT', '1m', { limit: 50 })).toHaveLength(7);
    await candles.get('BTCUSDT', '1m', { limit: 50 });
    expect(requests).toHaveLength(1);
  });

  test('up to a past time are those that had closed by then', async () => {
    const { candles, at } = venue();
    at(500);
    await candles.get('BTCUSDT', '1m', { limit: 10 });
    const near = await candles.get('BTCUSDT', '1m', { limit: 3, endTime: START + 498 * MINUTE });
    expect(opens(near)).toEqual([495, 496, 497]);
    const far = await candles.get('BTCUSDT', '1m', { limit: 3, endTime: START + 100 * MINUTE + 30_000 });
    expect(opens(far)).toEqual([97, 98, 99]);
  });

  test('start again after a pause longer than one call of the venue covers', async () => {
    const { candles, at } = venue();
    at(100);
    await candles.get('BTCUSDT', '1m', { limit: 5 });
    at(5_000);
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 5 }))).toEqual(range(4_995, 5_000));
  });

  test('do not count the last one as closed while only our own clock says so', async () => {
    const { candles, at } = venue({ lagMs: 800 });
    at(100, 0);
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 2 }))).toEqual([97, 98]);
    at(100, 1);
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 2 }))).toEqual([98, 99]);
  });

  test.each([800, 2_500, 20_000, 29_000])(
    'are never read while they form, with a clock of ours that is %i ms ahead of the venue',
    async (lagMs) => {
      const { candles, at } = venue({ lagMs });
      for (let second = 0; second < 240; second++) {
        at(100, second);
        for (const { volume } of await candles.get('BTCUSDT', '1m', { limit: 3 })) expect(volume).toBe(1);
      }
    },
  );

  test('without a successor, for lack of trades, come half a minute after their end', async () => {
    const { candles, at } = venue({ tradesUntil: 100 });
    at(100, 29);
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 2 }))).toEqual([97, 98]);
    at(100, 31);
    expect(opens(await candles.get('BTCUSDT', '1m', { limit: 2 }))).toEqual([98, 99]);
  });

  test('that were taken for closed too early are corrected by the next answer', async () => {
    const options = { lagMs: 35_000, tradesUntil: 100 };
    const { candles, at } = venue(options);
    at(100, 31);
    expect((await candles.get('BTCUSDT', '1m', { limit: 1 }))[0]?.volume).toBe(0);
    options.tradesUntil = 1_000;
    at(101, 40);
    expect((await candles.get('BTCUSDT', '1m', { limit: 2 })).map(({ volume }) => volume)).toEqual([1, 1]);
  });

  test('that are due are requested once a second, even after our clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { candles, clock, requests, at } = venue({ tradesUntil: 99 });
    const get = async () => {
      await candles.get('BTCUSDT', '1m', { limit: 2 });
      return requests.length;
    };
    at(100, 50);
    Object.defineProperty(clock, 'speed', { value: 1 });
    const first = await get();
    at(100, 20);
    expect(await get()).toBe(first);
    vi.advanceTimersByTime(1_000);
    expect(await get()).toBe(first + 1);
  });

  test.each([
    [28, Date.UTC(2026, 1, 1)],
    [30, Date.UTC(2026, 10, 1)],
    [31, Date.UTC(2026, 11, 1)],
  ])('of a month of %i days come as soon as it is over', async (days, opened) => {
    const clock = new WorldClock();
    const monthOf = (openTimeMs: number, length: number): Candle => ({
      ...candleAt(openTimeMs),
      closeTimeMs: openTimeMs + length * DAY - 1,
    });
    const before = monthOf(opened - 31 * DAY, 31);
    const month = monthOf(opened, days);
    const next = monthOf(month.closeTimeMs + 1, 31);
    const monthly = async (_symbol: string, _interval: string, { startTime = 0 }: CandleRange) =>
      [before, month, next].filter(({ openTimeMs }) => openTimeMs >= startTime && openTimeMs <= clock.now());
    const candles = new ClosedCandles(monthly, clock);
    clock.pin((opened + MINUTE) / 1_000);
    expect(await candles.get('BTCUSDT', '1M', { limit: 5 })).toEqual([before]);
    clock.pin(next.openTimeMs / 1_000);
    expect(await candles.get('BTCUSDT', '1M', { limit: 5 })).toEqual([before, month]);
  });
});

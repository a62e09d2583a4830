import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import type { Candle } from '../../../../engine/strategy/graph/types.ts';
import { minuteCandles, T0 } from './graph-fixtures.ts';

const price = fc.double({ noNaN: true, noDefaultInfinity: true });
const candles = (maxLength: number) =>
  fc.array(price, { maxLength }).map((closes): Candle[] => minuteCandles(closes));

describe('closed candles', () => {
  test('are returned to the last bit, however they were assembled', () => {
    fc.assert(
      fc.property(candles(60), fc.array(fc.nat(5), { maxLength: 30 }), (all, portions) => {
        let view = ClosedCandles.of([]);
        for (const portion of portions) view = view.append(all.slice(view.count, view.count + portion));
        expect([...view]).toEqual(all.slice(0, view.count));
        for (let place = 0; place < view.count; place++)
          expect(view.valueAt(place, 'close')).toBe(all[place]?.close);
      }),
    );
  });

  test('do not change when others are appended, and two continuations do not disturb each other', () => {
    fc.assert(
      fc.property(candles(40), candles(10), candles(10), (all, one, other) => {
        const view = ClosedCandles.of(all);
        const [first, second] = [view.append(one), view.append(other)];
        expect([...view]).toEqual(all);
        expect([...first]).toEqual([...all, ...one]);
        expect([...second]).toEqual([...all, ...other]);
      }),
    );
  });

  test('that closed later have no address', () => {
    const all = ClosedCandles.of(minuteCandles([1, 2, 3, 4]));
    const past = all.slice(0, 2);
    expect(past.valueAt(1, 'close')).toBe(2);
    for (const place of [-1, 2, 3]) {
      expect(() => past.valueAt(place, 'close')).toThrow(RangeError);
      expect(() => past.at(place)).toThrow(RangeError);
      expect(() => past.closedAt(place)).toThrow(RangeError);
    }
    expect([...past.window('close', 0, 2)]).toEqual([1, 2]);
    expect(() => past.window('close', 0, 3)).toThrow(RangeError);
  });

  test('are found by instant: the last one that had closed', () => {
    const all = minuteCandles(Array.from({ length: 20 }, (_, i) => i));
    const view = ClosedCandles.of(all);
    fc.assert(
      fc.property(fc.integer({ min: -90_000, max: 1_500_000 }), (sinceStart) => {
        const instant = T0 + sinceStart;
        expect(view.indexAt(instant)).toBe(
          all.findLastIndex(({ closeTimeMs }) => closeTimeMs + 1 <= instant),
        );
      }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { cents, midOf } from '../../web/src/format/number.ts';
import { reasonWords, reviewWords } from '../../web/src/format/rules.ts';
import { axisTime, offsetSec, readAtOf } from '../../web/src/format/time.ts';

describe('what is written', () => {
  test('the middle of two ticks is not rounded to one of them', () => {
    expect(cents(midOf(0.5, 0.51))).toBe('50.5¢');
    expect(cents(midOf(0.5, 0.52))).toBe('51¢');
    expect(cents(midOf(0.125, 0.126))).toBe('12.55¢');
  });

  test('an axis names days by their date and hours by their time, in the zone it is read in', () => {
    const midnight = new Date('2026-11-22T00:00:00Z');
    expect(axisTime(midnight, 'utc', 'day')).toBe('22 Nov');
    expect(axisTime(midnight, 'utc', 'time')).toBe('00:00');
    expect(axisTime(new Date('2026-11-22T00:16:00Z'), 'utc', 'day')).toBe('22 Nov');
    expect(axisTime(midnight, 'utc', 'month')).toBe('Nov');
    expect(axisTime(midnight, 'utc', 'year')).toBe('2026');
    expect(offsetSec(midnight, 'utc')).toBe(0);
    expect(offsetSec(midnight, 'local')).toBe(-midnight.getTimezoneOffset() * 60);
  });

  test('a change of rules is called what it is, in both directions', () => {
    expect(reviewWords(1, 0)).toBe('Loosen 1 rule');
    expect(reviewWords(0, 2)).toBe('Tighten 2 rules');
    expect(reviewWords(1, 1)).toBe('Loosen 1 rule and tighten 1');
  });

  test('a reason names rules, times and money as a person does, and no code', () => {
    expect(reasonWords('last loss at 2025-11-20T12:04:31.123Z')).toBe('last loss at 20 Nov 2025 12:04 UTC');
    expect(reasonWords('stale_marks: nobody has bid for BTCUSDT yet')).toBe('nobody has bid for BTCUSDT yet');
    expect(reasonWords('maxOrderSize allows 50 USD, got 80.00001 USD')).toBe(
      'Largest order allows $50.00, got $80.00',
    );
  });

  test('a book is as old as its feed says, however far that clock runs ahead of ours', () => {
    const answeredAt = Date.parse('2026-11-22T02:00:10Z');
    const book = { asOf: '2026-11-22T13:00:00Z', now: '2026-11-22T13:00:02Z' };
    expect(readAtOf(book, answeredAt)).toBe('2026-11-22T02:00:08.000Z');
    expect(readAtOf({ ...book, asOf: '2026-11-22T14:00:00Z' }, answeredAt)).toBe('2026-11-22T02:00:10.000Z');
  });
});

import { describe, expect, test } from 'vitest';
import { cents, midOf } from '../../web/src/format/number.ts';
import { reviewWords } from '../../web/src/format/rule-words.ts';
import { age, axisTime, offsetSec, readAtOf, relativeTime } from '../../web/src/format/time.ts';

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

  test('an event is never in the future, however far the clock of the page is behind', () => {
    const now = new Date('2026-11-22T00:00:00Z');
    expect(relativeTime(new Date('2026-11-22T00:00:18Z'), now)).toBe('in 18 s');
    expect(age(new Date('2026-11-22T00:00:18Z'), now)).toBe('0 s ago');
    expect(age(new Date('2026-11-21T23:59:42Z'), now)).toBe('18 s ago');
  });

  test('a book is as old as its feed says, however far that clock runs ahead of ours', () => {
    const answeredAt = Date.parse('2026-11-22T02:00:10Z');
    const book = { asOf: '2026-11-22T13:00:00Z', now: '2026-11-22T13:00:02Z' };
    expect(readAtOf(book, answeredAt)).toBe('2026-11-22T02:00:08.000Z');
    expect(readAtOf({ ...book, asOf: '2026-11-22T14:00:00Z' }, answeredAt)).toBe('2026-11-22T02:00:10.000Z');
  });
});

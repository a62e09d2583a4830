import { describe, expect, test } from 'vitest';
import {
  type Mark,
  type NewQuote,
  nextMark,
  steadyMarkOf,
} from '../../../../engine/books/accounting/mark.ts';

const T0 = Date.parse('2026-11-20T12:00:00.000Z');
const at = (sec: number): string => new Date(T0 + Math.round(sec * 1_000)).toISOString();
const quote = (sec: number, fields: Partial<NewQuote> = {}): NewQuote => ({
  bid: '0.5',
  ask: '0.51',
  touch_known: true,
  market_status: 'open',
  as_of: at(sec),
  ...fields,
});
const empty = (sec: number): NewQuote => quote(sec, { bid: null });

/** The mark of a bid of 0.5 at second 0. */
const BID: Mark = {
  mark_price: '0.5',
  mark_at: at(0),
  no_bid_since: null,
  mark_fell_at: null,
  mark_before_fall: null,
  seen_at: at(0),
};
/** The market has had no bid since second 0. */
const WANED: Mark = { ...BID, no_bid_since: at(0) };
const FALLEN: Mark = {
  mark_price: '0',
  mark_at: at(10),
  no_bid_since: at(0),
  mark_fell_at: at(10),
  mark_before_fall: '0.5',
  seen_at: at(10),
};

describe('the mark', () => {
  test('is the best bid of the newest quote, and drops earlier ones', () => {
    expect(nextMark(quote(0))).toEqual(BID);
    expect(nextMark(quote(12), FALLEN)).toEqual({ ...BID, mark_at: at(12), seen_at: at(12) });
    expect(nextMark(quote(2, { ask: null }), BID)).toMatchObject({ mark_price: '0.5', mark_at: at(2) });
  });

  test('ignores a late quote, and returns no other field of the row', () => {
    const seen = { ...BID, seen_at: at(100) };
    const row = { ...seen, token_id: 'A', last: '0.4' };
    expect(nextMark(quote(99.999, { bid: '0.1' }), row)).toEqual(seen);
    expect(nextMark(quote(70.001, { bid: '0.1' }), row)).toEqual(seen);
    expect(nextMark(quote(100, { bid: '0.45' }), row)).toMatchObject({ mark_price: '0.45' });
  });

  test('follows a quote that is 30 s older than the newest: the clock was wrong before', () => {
    const ahead = { ...BID, seen_at: at(100) };
    expect(nextMark(quote(70, { bid: '0.45' }), ahead)).toMatchObject({
      mark_price: '0.45',
      seen_at: at(70),
    });
  });

  test.each([
    ['unknown', { touch_known: false }],
    ['unknown and empty', { touch_known: false, bid: null, ask: null }],
    ['locked', { bid: '0.6', ask: '0.6' }],
    ['crossed', { bid: '0.7', ask: '0.6' }],
  ])('stays as old as it is where the touch is %s, and no patience runs', (_what, fields) => {
    expect(nextMark(quote(4, fields), WANED)).toEqual({ ...BID, seen_at: at(4) });
  });

  test('is confirmed, but never set, by a market that is not open', () => {
    const closed = { bid: null, market_status: 'closed' } as const;
    expect(nextMark(quote(20, closed), WANED)).toEqual({ ...BID, mark_at: at(20), seen_at: at(20) });
    expect(nextMark(quote(20, closed))).toEqual({ ...BID, mark_price: null, mark_at: null, seen_at: at(20) });
  });
});

describe('a market without a bid', () => {
  test.each([null, '0'])('keeps its mark for 10 s (bid %j)', (bid) => {
    expect(nextMark(quote(0, { bid }), { ...BID, seen_at: null })).toEqual(WANED);
    expect(nextMark(quote(9.999, { bid }), WANED)).toEqual({ ...WANED, seen_at: at(9.999) });
    expect(nextMark(quote(10, { bid }), WANED)).toEqual(FALLEN);
  });

  test('treats a market without an ask the same', () => {
    expect(nextMark(quote(10, { bid: null, ask: null }), WANED)).toEqual(FALLEN);
  });

  test('stays at 0, confirmed, and remembers when it fell and from what', () => {
    expect(nextMark(empty(12), FALLEN)).toEqual({ ...FALLEN, mark_at: at(12), seen_at: at(12) });
    const unsure = { ...FALLEN, no_bid_since: null };
    expect(nextMark(empty(12), unsure)).toEqual({
      ...FALLEN,
      mark_at: at(12),
      seen_at: at(12),
      no_bid_since: at(12),
    });
  });

  test('falls from null where there never was a bid', () => {
    const never = { ...WANED, mark_price: null, mark_at: null };
    expect(nextMark(empty(10), never)).toEqual({ ...FALLEN, mark_before_fall: null });
  });

  test('restarts its 10 s after a time without quotes', () => {
    expect(nextMark(empty(10.001), WANED)).toEqual({ ...BID, no_bid_since: at(10.001), seen_at: at(10.001) });
  });

  test('restarts its 10 s when the clock was turned back', () => {
    expect(nextMark(empty(-40), { ...WANED, seen_at: at(0) })).toMatchObject({ no_bid_since: at(-40) });
  });

  test('falls by a row with the start of the gap, even without the time of the last quote', () => {
    expect(nextMark(empty(10), { ...WANED, seen_at: null })).toEqual(FALLEN);
  });
});

describe('the mark that a day opens on', () => {
  test('is the one before for 10 s after a fall', () => {
    expect(steadyMarkOf(FALLEN, new Date(at(10)))).toBe('0.5');
    expect(steadyMarkOf(FALLEN, new Date(at(19.999)))).toBe('0.5');
    expect(steadyMarkOf(FALLEN, new Date(at(20)))).toBe('0');
  });

  test('is the mark where none fell', () => {
    expect(steadyMarkOf(BID, new Date(at(0)))).toBe('0.5');
    expect(steadyMarkOf(BID, new Date(0))).toBe('0.5');
    expect(steadyMarkOf({ ...BID, mark_price: null }, new Date(0))).toBeNull();
  });
});

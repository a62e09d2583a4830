import { expect, test } from 'vitest';
import { sparklinePath, sparklinePoints } from '../../web/src/format/research/sparkline.ts';
import {
  changeWords,
  instrumentLine,
  instrumentName,
  isPossibleId,
  marketSearchOf,
  priceNow,
} from '../../web/src/format/trading/instrument.ts';
import {
  byVenue,
  indexAfter,
  savedGroups,
  statusWords,
  visibleGroups,
} from '../../web/src/format/trading/instrument-picker.ts';

const fed = {
  tokenId: 'KXFED-26DEC:yes',
  venue: 'venue-a',
  title: 'Fed cuts in December?',
  outcome: 'Yes',
  bid: 0.42,
  ask: 0.43,
  last: 0.4,
  tickSize: 0.01,
} as const;
const bitcoin = {
  tokenId: 'BTCUSDT',
  venue: 'crypto',
  title: 'BTC/USDT',
  outcome: 'BTC',
  bid: 86_000,
  ask: 86_001,
  last: 86_000.5,
  tickSize: 0.01,
} as const;

test('an instrument has its side, name, venue and the kind of its price', () => {
  expect(instrumentLine(fed)).toBe('Yes · Fed cuts in December?, Venue A, 42.5¢ mid');
  expect(instrumentLine(bitcoin)).toBe('BTC/USDT, Crypto, $86,000.50 last');
  expect(instrumentName({ ...fed, outcome: '' })).toBe('Fed cuts in December?');
  expect(priceNow({ ...fed, bid: null, ask: null, last: null })).toEqual({ text: '—', kind: 'last' });
});

test('a coin quoted in another coin is not priced in dollars', () => {
  const coin = { ...fed, venue: 'crypto', outcome: '', tickSize: null } as const;
  expect(priceNow({ ...coin, title: 'ETH/BTC', last: 0.03252 }).text).toBe('0.03252 BTC');
  expect(priceNow({ ...coin, title: 'BTC/EUR', last: 64_207.48 }).text).toBe('64,207.48 EUR');
  for (const title of ['BTC/USDT', 'BTC/USDC', 'BTC/USD'])
    expect(priceNow({ ...coin, title, last: 75_352.5 }).text).toBe('$75,352.50');
  expect(priceNow({ ...coin, title: 'ETH/BTC', last: null }).text).toBe('—');
});

test('a change is a share of a coin and cents of an outcome, with its sign', () => {
  expect(changeWords({ venue: 'crypto', change24h: -0.0123 })).toBe('−1.23%');
  expect(changeWords({ venue: 'crypto', change24h: 0.009 })).toBe('+0.90%');
  expect(changeWords({ venue: 'venue-b', change24h: 0.03 })).toBe('+3¢');
  expect(changeWords({ venue: 'venue-a', change24h: -0.03 })).toBe('−3¢');
});

test('each instrument links to its page in Markets', () => {
  expect(marketSearchOf(fed)).toEqual({
    venue: 'predictions',
    market: 'venue-a:KXFED-26DEC',
    outcome: 'Yes',
  });
  expect(marketSearchOf({ ...fed, venue: 'venue-b', tokenId: '71321045' })).toEqual({
    venue: 'predictions',
    market: 'venue-b:71321045',
    outcome: 'Yes',
  });
  expect(marketSearchOf(bitcoin)).toEqual({ venue: 'crypto', market: 'BTCUSDT' });
});

test('a possible id is one word of five characters or more', () => {
  expect(['BTCUSDT', 'KXFED-26DEC:yes', '7'.repeat(77)].every(isPossibleId)).toBe(true);
  expect(['fed', 'fed cut', '', 'a'.repeat(201), '<b>bold</b>'].some(isPossibleId)).toBe(false);
});

test('starred instruments come first, and none is listed twice', () => {
  const saved = savedGroups({ starred: ['BTCUSDT', 'GONE'], recent: ['BTCUSDT', fed.tokenId] }, [
    fed,
    bitcoin,
  ]);
  const visible = visibleGroups(
    [...saved, ...byVenue([fed, bitcoin], { before: 'Most traded' })],
    ['venue-a', 'crypto'],
  );
  expect(visible.map(({ title, options }) => [title, options.map(({ tokenId }) => tokenId)])).toEqual([
    ['Your watchlist', ['BTCUSDT']],
    ['Chosen last', [fed.tokenId]],
  ]);
  expect(visibleGroups(byVenue([fed, bitcoin]), ['crypto'])).toEqual([
    { title: 'Crypto', options: [bitcoin] },
  ]);
});

test('the venue whose ids begin with the typed text comes first', () => {
  const venues = (words: string) =>
    visibleGroups(byVenue([fed, bitcoin], { words }), ['venue-a', 'crypto']).map(({ title }) => title);
  expect(venues('btc')).toEqual(['Crypto', 'Venue A']);
  expect(venues('fed')).toEqual(['Venue A', 'Crypto']);
});

test('arrows go round the list, pages stop at its ends, other keys are typed', () => {
  expect(indexAfter('ArrowDown', 2, 3)).toBe(0);
  expect(indexAfter('ArrowUp', 0, 3)).toBe(2);
  expect(indexAfter('PageDown', 1, 3)).toBe(2);
  expect(indexAfter('PageUp', 1, 3)).toBe(0);
  expect(indexAfter('a', 1, 3)).toBeNull();
  expect(indexAfter('ArrowDown', 0, 0)).toBeNull();
});

test('the list says how many it found, or that there is nothing', () => {
  expect(statusWords({ count: 2, isFetching: false, words: 'fed' })).toBe('2 instruments.');
  expect(statusWords({ count: 0, isFetching: true, words: 'fed' })).toBe('Searching…');
  expect(statusWords({ count: 0, isFetching: false, words: 'xyzzy' })).toBe(
    'Nothing is called “xyzzy”. Try other words.',
  );
});

test('a small line fills its box from left to right; a flat one lies in its middle', () => {
  expect(sparklinePoints([1, 3, 2])).toEqual([
    { x: 0, y: 1 },
    { x: 0.5, y: 0 },
    { x: 1, y: 0.5 },
  ]);
  expect(sparklinePoints([5, 5])).toEqual([
    { x: 0, y: 0.5 },
    { x: 1, y: 0.5 },
  ]);
  expect(sparklinePath([1, 2], { width: 10, height: 4 })).toBe('M0 4L10 0');
  expect(sparklinePoints([7])).toEqual([{ x: 0, y: 0.5 }]);
});

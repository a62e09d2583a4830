import { expect, test } from 'vitest';
import { withBestPrices, withLastTrade, withPriceNow } from '../../web/src/format/trading/current-price.ts';

const outcome = (label: string) => ({ label, bid: 0.1, ask: 0.9 });
const two = { title: 'Rain?', outcomes: [outcome('Yes'), outcome('No')] };

test('a market takes the best prices of one outcome’s book, and the other of its two the mirrored ones', () => {
  expect(withBestPrices(two, 0, { bid: 0.25, ask: 0.5 }).outcomes).toEqual([
    { label: 'Yes', bid: 0.25, ask: 0.5 },
    { label: 'No', bid: 0.5, ask: 0.75 },
  ]);
  expect(withBestPrices(two, 1, { bid: null, ask: 0.5 }).outcomes).toEqual([
    { label: 'Yes', bid: 0.5, ask: null },
    { label: 'No', bid: null, ask: 0.5 },
  ]);
});

test('of more than two outcomes, the others keep their prices', () => {
  const three = { outcomes: [outcome('A'), outcome('B'), outcome('C')] };
  expect(withBestPrices(three, 1, { bid: 0.25, ask: 0.5 }).outcomes[2]).toEqual(outcome('C'));
});

const MINUTE_MS = 60_000;
const bars = [
  { t: '2026-11-29T10:00:00.000Z', h: 3, l: 1, c: 2 },
  { t: '2026-11-29T10:01:00.000Z', h: 3, l: 1, c: 2 },
];
const tradeAt = (time: string, price: number, source = 'live') => ({
  price,
  source,
  asOf: `2026-11-29T${time}Z`,
});

test('the last bar contains a trade of its time: it closes there, and reaches as far', () => {
  const [first, last] = withLastTrade(bars, MINUTE_MS, tradeAt('10:01:59.999', 4));
  expect(first).toBe(bars[0]);
  expect(last).toMatchObject({ h: 4, l: 1, c: 4 });
  expect(withLastTrade(bars, MINUTE_MS, tradeAt('10:01:00.000', 0.5))[1]).toMatchObject({
    h: 3,
    l: 0.5,
    c: 0.5,
  });
});

test.each([
  ['before it', tradeAt('10:00:59.999', 4)],
  ['after it', tradeAt('10:02:00.000', 4)],
  ['that is stale', tradeAt('10:01:30.000', 4, 'stale')],
  ['without a time', { ...tradeAt('', 4), asOf: '' }],
  ['that is not known', undefined],
])('a trade %s changes no bar', (_, trade) => {
  expect(withLastTrade(bars, MINUTE_MS, trade)).toEqual(bars);
  expect(withLastTrade([], MINUTE_MS, trade)).toEqual([]);
});

test('a history ends at the price now, unless that is unknown, stale or older', () => {
  const past = [{ at: '2026-11-29T10:00:00.000Z', value: 0.62 }];
  const now = '2026-11-29T10:05:00Z';
  expect(withPriceNow(past, 0.645, now)).toEqual([...past, { at: now, value: 0.645 }]);
  expect(withPriceNow(past, null, now)).toBe(past);
  expect(withPriceNow(past, 0.645, null)).toBe(past);
  expect(withPriceNow(past, 0.645, '2026-11-29T09:59:00Z')).toBe(past);
  expect(withPriceNow([], 0.645, now)).toEqual([]);
});

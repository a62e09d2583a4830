import { expect, test } from 'vitest';
import { instrumentsIn, thumbnailOf, withInstrument } from '../../web/src/editor/drawing/thumbnail.ts';
import { weeksOf } from '../../web/src/format/calendar.ts';
import { depthPaths } from '../../web/src/format/depth.ts';
import { positionEndWords } from '../../web/src/format/trading/position-end-words.ts';

test('a calendar has whole weeks from Monday on, from the first known day to today, and no number for a day unknown', () => {
  const days = [
    { day: '2026-11-18', pnl: -1 },
    { day: '2026-11-23', pnl: 1.5 },
  ];
  const weeks = weeksOf(days, '2026-11-25', 8);
  expect(weeks.map((week) => [week.length, week[0]?.day, week.at(-1)?.day])).toEqual([
    [7, '2026-11-16', '2026-11-22'],
    [7, '2026-11-23', '2026-11-29'],
  ]);
  expect(weeks[1]?.[0]).toEqual({ day: '2026-11-23', pnl: 1.5, isWithin: true });
  expect(weeks[0]?.[3]).toEqual({ day: '2026-11-19', pnl: null, isWithin: true });
  expect(
    weeks
      .flat()
      .filter(({ isWithin }) => !isWithin)
      .map(({ day }) => day),
  ).toEqual(['2026-11-16', '2026-11-17', '2026-11-26', '2026-11-27', '2026-11-28', '2026-11-29']);
  expect(weeksOf(days, '2026-11-25', 1).map(([monday]) => monday?.day)).toEqual(['2026-11-23']);
  // A Sunday ends its week. A clock that was set back still has the week of today.
  expect(weeksOf([], '2026-11-29', 8).map(([monday]) => monday?.day)).toEqual(['2026-11-23']);
  expect(weeksOf(days, '2026-11-01', 8)).toHaveLength(1);
});

test('depth adds sizes up away from the middle, bids to the left and asks to the right', () => {
  const book = {
    bids: [
      { price: 9, size: 1 },
      { price: 8, size: 1 },
    ],
    asks: [{ price: 11, size: 4 }],
  };
  expect(depthPaths(book, { width: 100, height: 40 })).toEqual({
    bid: 'M25 40L25 30L0 30L0 20L0 20L0 40Z',
    ask: 'M75 40L75 0L100 0L100 40Z',
    reach: 2,
  });
  expect(depthPaths({ ...book, bids: [] }, { width: 100, height: 40 })).toBeNull();
  expect(depthPaths({ bids: [], asks: [] }, { width: 100, height: 40 })).toBeNull();
});

test('the reason why a position was left is in words', () => {
  const orderId = '01a205be-0000-7000-8000-000000001138';
  expect(positionEndWords({ kind: 'settled', value: 1 })).toBe('Settled at 100¢');
  expect(positionEndWords({ kind: 'sold', origin: 'exit', nodeId: 'guard', orderId })).toBe(
    'Its exit node sold (guard)',
  );
  expect(positionEndWords({ kind: 'sold', origin: 'manual', nodeId: null, orderId })).toBe('You closed it');
  expect(positionEndWords(null)).toBe('—');
});

test('a thumbnail shows a graph’s shape; a graph names each instrument once, and one can be replaced', () => {
  const node = (id: string, type: string, x: number, config: Record<string, unknown>) => ({
    id,
    type,
    position: { x, y: 0 },
    data: { config },
  });
  const drawing = {
    nodes: [
      node('price', 'crypto.price', 0, { symbol: 'BTCUSDT' }),
      node('buy', 'order', 300, { instrument: 'BTCUSDT', side: 'buy' }),
      node('words', 'note', 900, {}),
    ],
    edges: [
      { id: 'e', source: 'price', target: 'buy', sourceHandle: 'out', targetHandle: 'when' },
      { id: 'f', source: 'gone', target: 'buy', sourceHandle: 'out', targetHandle: 'when' },
    ],
    rest: {},
  };
  expect(thumbnailOf(drawing, new Set(['note']))).toMatchObject({
    viewBox: '-3 -3 424 90',
    width: 424,
    boxes: [
      { id: 'price', name: 'Price' },
      { id: 'buy', name: 'Order' },
    ],
    lines: ['M190 42C209 42 209 42 228 42'],
  });
  expect(thumbnailOf({ nodes: [], edges: [], rest: {} }, new Set())).toBeNull();
  expect(instrumentsIn(drawing)).toEqual(['BTCUSDT']);
  const moved = withInstrument(drawing, 'BTCUSDT', 'ETHUSDT');
  expect(instrumentsIn(moved)).toEqual(['ETHUSDT']);
  expect(moved.nodes[1]?.data.config).toEqual({ instrument: 'ETHUSDT', side: 'buy' });
  expect(withInstrument(drawing, 'OTHER', 'X')).toEqual(drawing);
});

import { expect, test } from 'vitest';
import type { Layer } from '../../web/src/charts/layers.ts';
import { fromZeroDown, optionsOf } from '../../web/src/charts/series-options.ts';

const COLORS = {
  up: '#00ff00',
  down: '#ff0000',
  line: '#111111',
  text: '#222222',
  accent: '#0000ff',
  bar: '#333333',
  amber: '#444444',
  violet: '#555555',
  teal: '#666666',
};
const drawdown: Layer = { kind: 'below', points: [], write: String, step: 0.0001, pane: 1 };
const rangeFor = (minValue: number, maxValue: number) =>
  fromZeroDown(0.0001)(() => ({ priceRange: { minValue, maxValue } }))?.priceRange;

test('a drawdown is filled from 0 down to its curve, and 0 is the top of its picture', () => {
  expect(optionsOf(drawdown, COLORS)).toMatchObject({ baseValue: { type: 'price', price: 0 } });
  expect(optionsOf(drawdown, COLORS)).toHaveProperty('autoscaleInfoProvider');
  expect(optionsOf(drawdown, COLORS)).not.toHaveProperty('invertFilledArea');
  expect(rangeFor(-0.2, -0.05)).toEqual({ minValue: -0.2, maxValue: 0 });
});

test('a price has no label if the label of the last value would cover it', () => {
  const { priceFormat } = optionsOf(drawdown, COLORS, (price) => price !== 2);
  const { tickmarksFormatter } = priceFormat as { tickmarksFormatter: (prices: number[]) => string[] };
  expect(tickmarksFormatter([1, 2, 3])).toEqual(['1', '', '3']);
});

test('a drawdown of nothing has an axis below 0, so that its curve lies at the top and fills nothing', () => {
  expect(rangeFor(0, 0)).toEqual({ minValue: -0.0001, maxValue: 0 });
});

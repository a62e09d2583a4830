/** Row 110, small: one seed, sixty orders; the whole of it is `live-storm`. */
import { expect, test } from 'vitest';
import { storm } from '../support/storm.ts';

test('row 110: orders at every venue while everything goes wrong: the books are the venues’, no order twice, no fill lost', async () => {
  const { differences, unknown } = await storm({ seed: 1, orders: 20, share: { placing: 0.05, else: 0.05 } });
  expect(differences).toEqual([]);
  expect(unknown).toBeGreaterThan(0);
}, 300_000);

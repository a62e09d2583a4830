/** Row 110, small: one seed, sixty orders; the full test is `live-storm`. */
import { expect, test } from 'vitest';
import { storm } from '../support/storm.ts';

test('row 110: orders at every venue during all kinds of faults: the books equal the venues’, no order exists twice, no fill is lost', async () => {
  const { differences, unknown } = await storm({ seed: 1, orders: 20, share: { placing: 0.05, else: 0.05 } });
  expect(differences).toEqual([]);
  expect(unknown).toBeGreaterThan(0);
}, 300_000);

test('orders at venues whose stated fills differ from their charges: unexplained at each, entries stop, nothing is booked', async () => {
  const { differences, standings } = await storm({
    seed: 2,
    orders: 10,
    share: { placing: 0.05, else: 0.05 },
    isCheated: true,
  });
  const stopped = { state: 'reduce_only', open: [{ kind: 'unexplained', isMost: true }], moves: 1 };
  expect(standings).toEqual([stopped, stopped, stopped]);
  expect(differences.filter((line) => line.startsWith('ledger:'))).toEqual([]);
  expect(differences).not.toContain('not everything has ended and was compared in time');
}, 300_000);

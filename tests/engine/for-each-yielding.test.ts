import { expect, test } from 'vitest';
import { forEachYielding } from '../../engine/platform/for-each-yielding.ts';

test('many items are processed in their order, with pauses for other work in between', async () => {
  const items = Array.from({ length: 5_000 }, (_, index) => index);
  const taken: number[] = [];
  let takenBefore: number | null = null;
  setImmediate(() => {
    takenBefore = taken.length;
  });
  await forEachYielding(items, (item) => taken.push(item));
  expect(taken).toEqual(items);
  expect(takenBefore).not.toBeNull();
  expect(takenBefore).toBeLessThan(items.length);
});

test('few items, and none, are processed at once', async () => {
  const taken: number[] = [];
  const done = forEachYielding([1, 2], (item) => taken.push(item));
  expect(taken).toEqual([1, 2]);
  await done;
  await forEachYielding([], () => taken.push(3));
  expect(taken).toEqual([1, 2]);
});

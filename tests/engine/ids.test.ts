import { expect, test } from 'vitest';
import { newId } from '../../engine/platform/ids.ts';

test('ids made one after the other rise, also within a millisecond', () => {
  const ids = Array.from({ length: 2_000 }, newId);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

test('every id is a UUID of version 7', () => {
  for (let made = 0; made < 100; made++) {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

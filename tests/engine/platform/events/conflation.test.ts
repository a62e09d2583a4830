import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Conflation } from '../../../../engine/platform/events/conflation.ts';

const KEYS = ['a', 'b', 'c', 'd'] as const;
const move = fc.oneof(
  fc.record({ put: fc.constantFrom(...KEYS) }),
  fc.record({ take: fc.integer({ min: 0, max: 5 }) }),
);

test('a reader of any speed gets the newest value of each key, at most one of each at once, and never an old one', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const conflation = new Conflation<{ key: string; number: number }>();
      const newest = new Map<string, number>();
      const seen = new Map<string, number>();
      let number = 0;
      const take = (most: number) => {
        const taken = conflation.take(most);
        expect(taken.length).toBeLessThanOrEqual(Math.min(most, KEYS.length));
        for (const value of taken) {
          expect(value.number).toBe(newest.get(value.key));
          expect(value.number).toBeGreaterThan(seen.get(value.key) ?? 0);
          seen.set(value.key, value.number);
        }
      };
      for (const each of moves) {
        if ('take' in each) take(each.take);
        else {
          number++;
          newest.set(each.put, number);
          conflation.put(each.put, { key: each.put, number });
        }
      }
      take(KEYS.length);
      expect(seen).toEqual(new Map([...newest].filter(([key]) => seen.has(key))));
      expect([...seen.keys()].sort()).toEqual([...newest.keys()].sort());
      expect(conflation.take(1)).toEqual([]);
    }),
  );
});

test('a key that changes all the time does not hold up the others', () => {
  const conflation = new Conflation<string>();
  conflation.put('busy', 'busy 0');
  conflation.put('quiet', 'quiet');
  const served = [1, 2, 3].flatMap((time) => {
    conflation.put('busy', `busy ${time}`);
    return conflation.take(1);
  });
  expect(served).toEqual(['busy 1', 'quiet', 'busy 3']);
});

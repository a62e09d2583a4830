import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { callableOf } from '../../openapi/routes.ts';
import type { Limits } from '../../routers/context.ts';
import { RememberedRefusals } from '../../server/http-kit/remembered-refusals.ts';

test('a refusal is remembered for a fifth of a second, for its credentials and its bucket alone', async () => {
  let nowMs = 1_000;
  using _stopped = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  /** The cache looks at the time once in a millisecond. */
  const moveTo = async (ms: number) => {
    nowMs = ms;
    await pause(5);
  };
  const known = new RememberedRefusals();
  const consumed = { refusal: new Error('Too many.'), limits: [] };
  const refusing = { consume: async () => consumed } as unknown as Limits;
  const [read, write] = ['riskRules.read', 'riskRules.update'].map(callableOf);
  if (!read || !write) throw new Error('There are no such calls.');
  await known.noting(refusing, 'one').consume({} as never, 'read');
  await moveTo(1_199);
  expect(known.of('one', [read])).toBe(consumed);
  expect(known.of('one', [write])).toBeUndefined();
  expect(known.of('one', [read, write])).toBeUndefined();
  expect(known.of('other', [read])).toBeUndefined();
  await moveTo(1_202);
  expect(known.of('one', [read])).toBeUndefined();
});

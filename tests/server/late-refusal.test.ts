import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { refuseLate } from '../../server/http-kit/late-refusal.ts';
import { CAPACITY } from '../../server/kernel/capacity.ts';

test('at most 500 refusals wait: a flood behind a proxy does not hold all its connections', async () => {
  let over = 0;
  const flood = Array.from({ length: CAPACITY.lateRefusals + 100 }, () => refuseLate().then(() => over++));
  await turn();
  expect(over).toBe(100);
  await Promise.all(flood);
});

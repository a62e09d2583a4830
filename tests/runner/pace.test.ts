import { expect, test } from 'vitest';
import { tickPeriodMs } from '../../server/kernel/rounds/tick-period.ts';

test('a world as fast as the clock is polled every two seconds', () => {
  expect(tickPeriodMs(1)).toBe(2_000);
  expect(tickPeriodMs(30)).toBe(2_000);
});

test('a faster world is polled at least once in a minute of its own, up to 240 times', () => {
  for (let speed = 1; speed <= 240; speed += 1)
    expect(tickPeriodMs(speed) * speed).toBeLessThanOrEqual(60_000);
  expect(tickPeriodMs(1_000)).toBe(250);
});

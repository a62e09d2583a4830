import { expect, test } from 'vitest';
import { tickPeriodAtSpeedMs } from '../../server/kernel/rounds/tick-period-at-speed.ts';

test('a world as fast as the clock is polled every two seconds', () => {
  expect(tickPeriodAtSpeedMs(1)).toBe(2_000);
  expect(tickPeriodAtSpeedMs(30)).toBe(2_000);
});

test('a faster world is polled at least once in a minute of its own, up to 240 times', () => {
  for (let speed = 1; speed <= 240; speed += 1)
    expect(tickPeriodAtSpeedMs(speed) * speed).toBeLessThanOrEqual(60_000);
  expect(tickPeriodAtSpeedMs(1_000)).toBe(250);
});

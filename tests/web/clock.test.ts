import { beforeEach, describe, expect, test } from 'vitest';
import { learnServiceTime, serviceMs } from '../../web/src/api/clock.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const dateAt = (ms: number) => new Date(ms).toUTCString();
const momentAt = (ms: number) => ({ wallMs: ms, steadyMs: ms - NOW });
const learn = (date: string | null) => learnServiceTime(date, momentAt(NOW), momentAt(NOW));

beforeEach(() => learn(dateAt(NOW)));

describe('the service’s time', () => {
  test('differs from that of a browser whose clock is wrong, and not by less than an answer may take', () => {
    learn(dateAt(NOW + HOUR_MS));
    expect(serviceMs(NOW)).toBe(NOW + HOUR_MS);
    learn(dateAt(NOW + 5_000));
    expect(serviceMs(NOW)).toBe(NOW);
  });

  test.each([null, '', 'yesterday'])('is not learned from the date %j', (date) => {
    learn(dateAt(NOW + HOUR_MS));
    learn(date);
    expect(serviceMs(NOW)).toBe(NOW + HOUR_MS);
  });

  test.each([
    ['took 6 s', momentAt(NOW + 6_000)],
    ['came after the computer slept', { wallMs: NOW + HOUR_MS, steadyMs: 0 }],
    ['came after its clock was set back', { wallMs: NOW - HOUR_MS, steadyMs: 0 }],
    ['was long under way while its clock was set', { wallMs: NOW, steadyMs: 6_000 }],
  ])('is not learned from an answer that %s', (_how, received) => {
    learnServiceTime(dateAt(NOW), momentAt(NOW), received);
    expect(serviceMs(NOW)).toBe(NOW);
  });
});

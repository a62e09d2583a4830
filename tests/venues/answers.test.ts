import { describe, expect, test, vi } from 'vitest';
import { WorldClock } from '../../simulator/world/world-clock.ts';
import { Answers } from '../../venues/answers.ts';
import { VenueError } from '../../venues/port.ts';
import { failureOf } from './support/replay.ts';

const open = () => new Answers(new WorldClock(), 'live');
const down = () => Promise.reject(VenueError.unavailable('down'));

describe('answers', () => {
  test('of a thousand calls for one uncached key come from one load', async () => {
    const answers = open();
    const load = vi.fn(async () => 'value');
    const all = await Promise.all(
      Array.from({ length: 1_000 }, () => answers.get('key', { ttlMs: 1_000 }, load)),
    );
    expect(new Set(all.map(({ value }) => value))).toEqual(new Set(['value']));
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('are loaded again after their lifetime, not before', async () => {
    const answers = open();
    const load = vi.fn(async () => 'value');
    await answers.get('key', { ttlMs: 500 }, load);
    await answers.get('key', { ttlMs: 500 }, load);
    expect(load).toHaveBeenCalledTimes(1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await answers.get('key', { ttlMs: 500 }, load);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('of fifty events with all fields of their markets are cached, too', async () => {
    const answers = open();
    const load = vi.fn(async () => Array.from({ length: 2_000 }, () => 'x'.repeat(1_500)));
    await answers.get('key', { ttlMs: 60_000 }, load);
    await answers.get('key', { ttlMs: 60_000 }, load);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('with a lifetime that depends on their content live that long', async () => {
    const answers = open();
    const load = vi.fn(async () => 'value');
    await answers.get('key', { ttlMs: (value) => (value === 'value' ? 60_000 : 0) }, load);
    await answers.get('key', { ttlMs: (value) => (value === 'value' ? 60_000 : 0) }, load);
    expect(load).toHaveBeenCalledTimes(1);
    await answers.get('key', { ttlMs: () => 0 }, load);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('state their origin and their time', async () => {
    const beforeMs = Date.now();
    const { source, asOf } = await open().get('key', { ttlMs: 50 }, async () => 1);
    expect(source).toBe('live');
    expect(Date.parse(asOf)).toBeGreaterThanOrEqual(beforeMs);
    expect(Date.parse(asOf)).toBeLessThanOrEqual(Date.now());
  });

  test('are served, marked stale and with their own time, while the venue fails', async () => {
    const answers = open();
    const good = await answers.get('key', { ttlMs: 0 }, async () => 'value');
    expect(await answers.get('key', { ttlMs: 0 }, down)).toEqual({
      value: 'value',
      source: 'stale',
      asOf: good.asOf,
    });
  });

  test('are not served stale after five minutes', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const answers = open();
      await answers.get('key', { ttlMs: 0 }, async () => 'value');
      vi.advanceTimersByTime(5 * 60_000);
      expect(await failureOf(answers.get('key', { ttlMs: 0 }, down))).toMatchObject({ kind: 'unavailable' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('are never served stale where money depends on them', async () => {
    const answers = open();
    await answers.get('key', { ttlMs: 0, staleAllowed: false }, async () => 'value');
    expect(await failureOf(answers.get('key', { ttlMs: 0, staleAllowed: false }, down))).toMatchObject({
      kind: 'unavailable',
    });
  });

  test('are not served for a record that the venue reports as gone', async () => {
    const answers = open();
    await answers.get('key', { ttlMs: 0 }, async () => 'value');
    const gone = () => Promise.reject(VenueError.notFound('gone'));
    expect(await failureOf(answers.get('key', { ttlMs: 0 }, gone))).toMatchObject({ kind: 'not_found' });
  });

  test('that something does not exist are cached for a while, too', async () => {
    const answers = open();
    const load = vi.fn(() => Promise.reject(VenueError.notFound('no')));
    await failureOf(answers.get('key', { ttlMs: 60_000 }, load));
    await failureOf(answers.get('key', { ttlMs: 60_000 }, load));
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('of a failure are cached for a second: for any number of callers the venue gets one request in it', async () => {
    const answers = open();
    const load = vi.fn(down);
    for (let times = 0; times < 100; times += 1) await failureOf(answers.get('key', { ttlMs: 60_000 }, load));
    expect(load).toHaveBeenCalledTimes(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await answers.get('key', { ttlMs: 60_000 }, async () => 'value')).value).toBe('value');
  });

  test('are bounded in memory: the least recently used are evicted first', async () => {
    const answers = open();
    const load = vi.fn(async () => 'x'.repeat(1_500_000));
    for (const key of ['a', 'b', 'c', 'd', 'e']) await answers.get(key, { ttlMs: 60_000 }, load);
    await answers.get('e', { ttlMs: 60_000 }, load);
    expect(load).toHaveBeenCalledTimes(5);
    await answers.get('a', { ttlMs: 60_000 }, load);
    expect(load).toHaveBeenCalledTimes(6);
  });

  test('are not cached while the world stands still, so that tests see each step', async () => {
    const clock = new WorldClock();
    const answers = new Answers(clock, 'simulator');
    const load = vi.fn(async () => 'value');
    clock.pin(1_000);
    await answers.get('key', { ttlMs: 60_000 }, load);
    await answers.get('key', { ttlMs: 60_000 }, load);
    expect(load).toHaveBeenCalledTimes(2);
  });
});

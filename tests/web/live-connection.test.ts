import { describe, expect, test } from 'vitest';
import {
  type Attempt,
  backoffMs,
  type Ending,
  LiveConnection,
  type LiveState,
  RENEWAL_MS,
  SILENCE_MS,
} from '../../web/src/live/live-connection.ts';
import { TestClock } from './test-clock.ts';

type StateAt = [LiveState, number];

/** A connection over streams that the test controls. */
function openConnection() {
  const clock = new TestClock();
  const attempts: (Attempt<string> & { isOpen: boolean })[] = [];
  const states: StateAt[] = [];
  const events: string[] = [];
  const connection = new LiveConnection<string>(
    { state: 'connecting', lastEventId: null, lastSeenAt: null },
    {
      clock,
      random: () => 0,
      connect: (attempt) => {
        const opened = { ...attempt, isOpen: true };
        attempts.push(opened);
        return () => {
          opened.isOpen = false;
        };
      },
      onEvent: (_id, event) => events.push(event),
      onState: (state, failures) => states.push([state, failures]),
    },
  );
  const last = () => {
    const attempt = attempts.at(-1);
    if (!attempt) throw new Error('Nothing was opened.');
    return attempt;
  };
  const state = () => states.at(-1)?.[0] ?? 'connecting';
  /** Lets time pass as in a browser: the tab checks the clock every two seconds. */
  const wait = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 2_000) {
      clock.pass(Math.min(2_000, ms - passed));
      connection.check();
    }
  };
  connection.open([]);
  return { clock, connection, attempts, last, states, events, state, wait };
}

function openLiveConnection() {
  const opened = openConnection();
  opened.last().heard(7, 'first');
  return opened;
}

const ENDINGS: Ending[] = ['completed', 'broken'];

describe('the connection to the server', () => {
  test('is live from the server’s first message on, not from the opening of the stream', () => {
    const { state, last } = openConnection();
    expect(state()).toBe('connecting');
    last().heard(1, 'word');
    expect(state()).toBe('live');
  });

  test.each(ENDINGS)('a stream that is %s is opened again where it stopped', (how) => {
    const { last, attempts, state } = openLiveConnection();
    last().ended(how);
    expect(attempts).toHaveLength(2);
    expect(last().lastEventId).toBe(7);
    last().heard(8, 'next');
    expect(state()).toBe('live');
  });

  test.each(ENDINGS)('a stream that is %s and cannot be opened again is lost at once', (how) => {
    const { last, state } = openLiveConnection();
    last().ended(how);
    last().ended('broken');
    expect(state()).toBe('reconnecting');
  });

  test.each(ENDINGS)('a stream that is %s and whose successor says nothing is soon lost', (how) => {
    const { last, state, clock } = openLiveConnection();
    last().ended(how);
    expect(state()).toBe('live');
    clock.pass(RENEWAL_MS);
    expect(state()).toBe('reconnecting');
  });

  test('a stream that is renewed in time is never called lost', () => {
    const { last, states, clock } = openLiveConnection();
    last().ended('completed');
    clock.pass(100);
    last().heard(8, 'next');
    clock.pass(RENEWAL_MS);
    expect(states.map(([state]) => state)).toEqual(['live']);
  });

  test('after a kill it retries with growing pauses, without end', () => {
    const { last, attempts, clock, state, states } = openLiveConnection();
    last().ended('broken');
    for (let tries = 0; tries < 20; tries += 1) {
      last().ended('broken');
      const before = attempts.length;
      clock.pass(10_000);
      expect(attempts.length).toBe(before + 1);
      expect(state()).toBe('reconnecting');
    }
    expect(states.at(-1)?.[1]).toBeGreaterThan(10);
    last().heard(9, 'back');
    expect(state()).toBe('live');
  });

  test('a server that is silent on an open stream is not live, and another stream is tried', () => {
    const { wait, state, attempts } = openLiveConnection();
    wait(SILENCE_MS);
    expect(state()).toBe('live');
    wait(2_000);
    expect(state()).toBe('stale');
    expect(attempts).toHaveLength(2);
    expect(attempts[0]?.isOpen).toBe(false);
    wait(SILENCE_MS + 2_000);
    expect(attempts).toHaveLength(3);
    expect(state()).toBe('stale');
  });

  test('time alone neither makes it live nor keeps it live', () => {
    const { wait, states } = openLiveConnection();
    wait(600_000);
    expect(states.filter(([state]) => state === 'live')).toHaveLength(1);
    expect(states.at(-1)?.[0]).toBe('stale');
  });

  test('a first stream that never answers is tried again', () => {
    const { wait, attempts, state } = openConnection();
    wait(SILENCE_MS + 2_000);
    expect(attempts).toHaveLength(2);
    expect(state()).toBe('connecting');
  });

  test('a lost session ends it for good', () => {
    const { last, state, attempts, connection, wait } = openLiveConnection();
    last().ended('signed-out');
    expect(state()).toBe('signed-out');
    wait(600_000);
    connection.hurry();
    expect(attempts).toHaveLength(1);
  });

  test('after sleep, which the steady clock does not count, it is stale at the first check and reopened', () => {
    const { clock, connection, state, attempts, last } = openLiveConnection();
    clock.sleep(3_600_000);
    connection.hurry();
    expect(state()).toBe('stale');
    expect(attempts.length).toBeGreaterThan(1);
    last().heard(8, 'next');
    expect(state()).toBe('live');
  });

  test('a clock set ahead costs one new stream, and nothing else', () => {
    const { clock, connection, state, last } = openLiveConnection();
    clock.set(86_400_000);
    connection.check();
    expect(state()).toBe('stale');
    last().heard(8, 'next');
    connection.check();
    expect(state()).toBe('live');
  });

  test('a clock set back hides no silence', () => {
    const { clock, wait, state } = openLiveConnection();
    clock.set(-86_400_000);
    wait(SILENCE_MS + 2_000);
    expect(state()).toBe('stale');
  });

  test('a stream that was given up is no longer heard', () => {
    const { attempts, wait, events, state } = openLiveConnection();
    wait(SILENCE_MS + 2_000);
    attempts[0]?.heard(99, 'late');
    attempts[0]?.ended('signed-out');
    expect(events).toEqual(['first']);
    expect(state()).toBe('stale');
  });

  test('an event that may have restored the network causes an immediate retry', () => {
    const { last, connection, attempts } = openLiveConnection();
    last().ended('broken');
    last().ended('broken');
    const before = attempts.length;
    connection.hurry();
    expect(attempts).toHaveLength(before + 1);
  });

  test('other topics open another stream and lose nothing', () => {
    const { connection, attempts, last, state } = openLiveConnection();
    connection.open(['a']);
    expect(attempts.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(last()).toMatchObject({ topics: ['a'], lastEventId: 7 });
    expect(state()).toBe('live');
  });

  test('a wait doubles up to ten seconds, less up to half of it by chance', () => {
    expect([0, 1, 2, 3, 6, 60].map((failures) => backoffMs(failures, 0))).toEqual([
      0, 500, 1_000, 2_000, 10_000, 10_000,
    ]);
    expect(backoffMs(60, 0.999)).toBeGreaterThan(5_000);
  });
});

import { describe, expect, test } from 'vitest';
import { nodeTypes } from '../../../../engine/strategy/graph/nodes/catalogue.ts';
import type { Memory } from '../../../../engine/strategy/graph/types.ts';
import { conditionInput, draw, numberInput, Player, signals, stateOf, T0 } from './graph-fixtures.ts';

const when = conditionInput('a');
const notifier = (text: string, more: Record<string, unknown> = {}) =>
  new Player(
    draw({ ...when.nodes, ...numberInput('p'), say: ['notify', { text, ...more }] }, [
      ...when.edges,
      'a -> say',
    ]),
  );

describe('notify', () => {
  test('notifies once per rising edge, with the values of the nodes it names', () => {
    const player = notifier('Price {p}, condition {a}.');
    const texts = [false, true, true].flatMap(
      (a, i) => player.at(T0 + 2_000 * i, signals({ a, p: 0.1 + 0.2 }, T0 + 2_000 * i)).notifications,
    );
    expect(texts).toEqual([
      { nodeId: 'say', stepAt: T0 + 2_000, severity: 'info', text: 'Price 0.3, condition true.' },
    ]);
  });

  test('writes unknown for unknown values, and never notifies on an unknown condition', () => {
    expect(notifier('{p}').at(T0, signals({ a: true, p: null }, T0)).notifications[0]?.text).toBe('unknown');
    expect(notifier('{p}').at(T0, signals({ a: null, p: 1 }, T0)).notifications).toEqual([]);
  });

  test('carries its severity', () => {
    const { notifications } = notifier('Low.', { severity: 'critical' }).at(T0, signals({ a: true }, T0));
    expect(notifications).toMatchObject([{ severity: 'critical' }]);
  });

  test.each([
    [{ severity: 'fatal' }],
    [{ atMostEverySec: 59 }],
    [{ atMostEverySec: 604_801 }],
    [{ atMostEverySec: '60' }],
  ])('refuses %j: a rate is 60 s to a week, a severity one of three', (more) => {
    expect(nodeTypes.get('notify')?.configure({ text: 'x', ...more }).ok).toBe(false);
  });

  test('notifies at most once in its time, from the memory that a restart restores', () => {
    const times: number[] = [];
    let stored: Memory | null = null;
    for (let sec = 0; sec <= 640; sec += 2) {
      const player = notifier('Hello.', { atMostEverySec: 300 });
      player.memory = stored;
      const now = T0 + sec * 1_000;
      if (player.at(now, signals({ a: sec % 4 === 0 }, now)).notifications.length > 0) times.push(sec);
      stored = player.memory;
    }
    expect(times).toEqual([0, 300, 600]);
  });

  test('notifies at most once a minute without a rate', () => {
    const player = notifier('Hello.');
    const times: number[] = [];
    for (let sec = 0; sec <= 180; sec += 2) {
      const now = T0 + sec * 1_000;
      const evaluation = player.at(now, signals({ a: sec % 4 === 0 }, now));
      if (evaluation.notifications.length > 0) times.push(sec);
      else if (sec === 4)
        expect(stateOf(evaluation, 'say')).toMatchObject({
          status: 'blocked',
          reason: {
            code: 'minute_limit',
            message: 'This node notified less than 60 s ago; the signal was skipped.',
          },
        });
    }
    expect(times).toEqual([0, 60, 120, 180]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conditionInput, draw, numberInput, Player, signals, T0 } from './graph-fixtures.ts';

const TICK_MS = 2_000;

/** Feeds one value per tick and collects what the node shows. */
function play(player: Player, id: string, ticks: readonly Record<string, number | boolean | null>[]) {
  return ticks.map(
    (values, i) => player.state(id, T0 + TICK_MS * i, signals(values, T0 + TICK_MS * i)).value,
  );
}

describe('memory', () => {
  const set = conditionInput('set');
  const reset = conditionInput('reset');
  const latch = () =>
    new Player(
      draw({ ...set.nodes, ...reset.nodes, node: ['memory', { mode: 'latch' }] }, [
        ...set.edges,
        ...reset.edges,
        'set -> node.set',
        'reset -> node.reset',
      ]),
    );

  test('a latch shows its state at the end of the step before; reset wins', () => {
    const ticks = [
      { set: false, reset: false },
      { set: true, reset: false },
      { set: false, reset: false },
      { set: true, reset: true },
      { set: false, reset: false },
    ];
    expect(play(latch(), 'node', ticks)).toEqual([false, false, true, true, false]);
  });

  test('a latch ignores unknown values, and is not set while the reset is unknown', () => {
    const ticks = [
      { set: true, reset: null },
      { set: null, reset: false },
      { set: true, reset: false },
      { set: null, reset: null },
      { set: null, reset: true },
      { set: null, reset: null },
    ];
    expect(play(latch(), 'node', ticks)).toEqual([false, false, false, true, true, false]);
  });

  const keeper = (config = {}) =>
    new Player(draw({ ...numberInput('a'), node: ['memory', { mode: 'number', ...config }] }, ['a -> node']));

  test('a number shows the last known one of the step before, and unknown until there is one', () => {
    expect(play(keeper(), 'node', [{ a: 1 }, { a: 2 }, { a: null }, { a: 3 }, { a: 4 }])).toEqual([
      null,
      1,
      2,
      2,
      3,
    ]);
    expect(play(keeper({ initial: 7 }), 'node', [{ a: null }, { a: 1 }, { a: 1 }])).toEqual([7, 7, 1]);
  });

  test('a cycle through memory counts: each step adds one to the last', () => {
    const player = new Player(
      draw(
        {
          ...numberInput('one'),
          sum: ['math', { op: 'add' }],
          kept: ['memory', { mode: 'number', initial: 0 }],
        },
        ['one -> sum.in', 'kept -> sum.in', 'sum -> kept'],
      ),
    );
    expect(play(player, 'sum', Array(5).fill({ one: 1 }))).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('cooldown', () => {
  const { nodes, edges } = conditionInput('a');
  const cooldown = (config: Record<string, unknown>) =>
    new Player(draw({ ...nodes, node: ['cooldown', config] }, [...edges, 'a -> node']));
  const bits = (text: string) => [...text].map((bit) => ({ a: bit === '?' ? null : bit === '1' }));
  const bitsOf = (values: (number | boolean | null)[]) =>
    values.map((value) => (value === null ? '?' : value ? '1' : '0')).join('');

  test('lets a signal through as long as it lasts, and skips those that come too early', () => {
    // 10 s are 5 ticks: the signal of tick 4 comes 8 s after that of tick 0. The one of tick 7 comes 14 s after it.
    expect(bitsOf(play(cooldown({ seconds: 10 }), 'node', bits('110010010')))).toBe('110000010');
  });

  test('a skipped signal stays skipped, even once the pause is over', () => {
    expect(bitsOf(play(cooldown({ seconds: 6 }), 'node', bits('10111111')))).toBe('10000000');
  });

  test('at most N signals per window', () => {
    const player = cooldown({ maxCount: 2, windowSec: 20 });
    expect(bitsOf(play(player, 'node', bits('1010101010101')))).toBe('1010000000101');
  });

  test('unknown passes as unknown and is no new signal', () => {
    expect(bitsOf(play(cooldown({ seconds: 100 }), 'node', bits('1?11')))).toBe('1?11');
  });

  test('states why a signal is skipped and how long the pause lasts', () => {
    const player = cooldown({ seconds: 10 });
    play(player, 'node', bits('10'));
    expect(player.state('node', T0 + 4_000, signals({ a: true }, T0 + 4_000))).toMatchObject({
      status: 'blocked',
      value: false,
      reason: { code: 'cooldown' },
      distance: 6,
    });
  });

  test('never lets two signals through within the pause, nor more than N within the window', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 120 }), (inputs) => {
        const player = cooldown({ seconds: 8, maxCount: 3, windowSec: 60 });
        const values = play(
          player,
          'node',
          inputs.map((a) => ({ a })),
        );
        const starts = values.flatMap((value, i) =>
          value === true && values[i - 1] !== true ? [i * TICK_MS] : [],
        );
        for (const [i, start] of starts.entries()) {
          expect(start - (starts[i - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(8_000);
          expect(start - (starts[i - 3] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(60_000);
        }
      }),
      { numRuns: 40 },
    );
  });
});

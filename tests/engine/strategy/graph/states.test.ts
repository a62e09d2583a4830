import { describe, expect, test } from 'vitest';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Plan } from '../../../../engine/strategy/graph/run/run.ts';
import {
  conditionInput,
  draw,
  type NodeConfig,
  Player,
  planOf,
  signals,
  stateOf,
  T0,
  world,
} from './graph-fixtures.ts';

const KIB = 1_024;
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('node states', () => {
  test('of 200 nodes with the longest ids and messages fit into 64 KiB', () => {
    for (const letter of ['a', '"', '漢']) {
      const id = (i: number) => `${letter.repeat(letter === '漢' ? 20 : 61)}${String(i).padStart(3, '0')}`;
      const nodes = Array.from({ length: 200 }, (_, i): [string, NodeConfig] => [
        id(i),
        [
          'market.price',
          { instrument: '105426373826369935595603860663411604941599130211176020843036778867927711117332' },
        ],
      ]);
      const { nodeStates } = evaluate(planOf(draw(Object.fromEntries(nodes))), world(), null, T0);
      expect(Object.keys(nodeStates)).toHaveLength(200);
      expect(bytesOf(nodeStates)).toBeLessThanOrEqual(64 * KIB);
      expect(nodeStates[id(7)]).toMatchObject({ status: 'waiting', reason: { code: 'no_data' } });
    }
  });

  test('an id of more than 64 bytes is refused', () => {
    expect(compile(draw({ ['漢'.repeat(22)]: ['constant', { value: 1 }] })).issues).toMatchObject([
      { code: 'bad_id' },
    ]);
  });

  const when = conditionInput('a');
  const visual = draw({ ...when.nodes, say: ['notify', { text: 'Up.' }] }, [...when.edges, 'a -> say']);

  test('the signature changes with status and reason, and with nothing else', () => {
    const at = (values: Record<string, boolean | number | null>, now = T0) =>
      evaluate(planOf(visual), signals(values, now), null, now);
    expect(at({ a: 0.1 }).signature).toBe(at({ a: 0.2 }, T0 + 2_000).signature);
    expect(at({ a: true }).signature).not.toBe(at({ a: false }).signature);
    expect(at({ a: null }).signature).not.toBe(at({ a: false }).signature);
  });

  test('a node that throws fails alone: it is listed, its value is unknown, the others continue', () => {
    const plan = planOf(visual);
    const broken: Plan = {
      ...plan,
      computations: plan.computations.map((step) => ({
        ...step,
        compute: (run) => {
          if (plan.nodeIds[step.slot] === 'a') throw new Error('The comparison broke.');
          return step.compute(run);
        },
      })),
      actions: plan.actions.map((action) => ({
        ...action,
        apply: () => {
          throw new Error('The action broke.');
        },
      })),
    };
    const evaluation = evaluate(broken, signals({ a: true }, T0), null, T0);
    expect(evaluation.failures).toEqual([
      { nodeId: 'a', message: 'The comparison broke.' },
      { nodeId: 'say', message: 'The action broke.' },
    ]);
    expect(stateOf(evaluation, 'a')).toMatchObject({
      status: 'error',
      value: null,
      reason: { code: 'failed' },
    });
    expect(stateOf(evaluation, 'say').status).toBe('error');
    expect(stateOf(evaluation, 'aHalf')).toMatchObject({ status: 'ok', value: 0.5 });
  });

  test('firedCount and lastFiredAt are memory: they survive a restart', () => {
    const player = new Player(visual);
    player.at(T0, signals({ a: true }, T0));
    const restarted = new Player(visual);
    restarted.memory = player.memory;
    const state = restarted.state('say', T0 + 4_000, signals({ a: false }, T0 + 4_000));
    expect(state).toMatchObject({ status: 'idle', lastFiredAt: T0, firedCount: 1, updatedAt: T0 + 4_000 });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Plan } from '../../../../engine/strategy/graph/run/run.ts';
import type { Evaluation, Intent, Memory } from '../../../../engine/strategy/graph/types.ts';
import { actionsOf, graph, moments, randomOf } from './arbitraries.ts';
import { EMPTY_WORLD, planOf, T0, type Visual } from './graph-fixtures.ts';

const RUNS = { numRuns: 150 };

/** Everything that an evaluation returns, as the runner would write it. */
function bytesOf({
  memory,
  intents,
  notifications,
  failures,
  signature,
  behind,
  nodeStates,
}: Evaluation): string {
  return JSON.stringify({ memory, intents, notifications, failures, signature, behind, nodeStates });
}

/** The value as the database returns it: equal, with its keys in another order. */
function reordered<T>(value: T, random: () => number): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(
    ([key, inner]) => [random(), key, reordered(inner, random)] as const,
  );
  return Object.fromEntries(entries.sort((a, b) => a[0] - b[0]).map(([, key, inner]) => [key, inner])) as T;
}

type Scene = {
  visual: Visual;
  plan: Plan;
  seed: number;
};

/** Plays a random feed; `look` may evaluate each moment again with memory of its own. */
function play(
  { visual, plan, seed }: Scene,
  look: (
    evaluation: Evaluation,
    again: (change: (memory: Memory | null) => Memory | null) => Evaluation,
    now: number,
  ) => void,
): void {
  let memory: Memory | null = null;
  for (const { now, seen } of moments(seed, 12, actionsOf(visual))) {
    const before: Memory | null = memory;
    const evaluation = evaluate(plan, seen, before, now);
    look(evaluation, (change) => evaluate(plan, seen, change(before), now), now);
    memory = evaluation.memory;
  }
}

function onScenes(look: (scene: Scene) => void): void {
  fc.assert(
    fc.property(graph, fc.nat(), (visual, seed) => look({ visual, plan: planOf(visual), seed })),
    RUNS,
  );
}

const sourceOf = ({ edges }: Visual, id: string, port: string) =>
  edges.find(({ target, targetHandle }) => target === id && targetHandle === port)?.source;
const typeOf = ({ nodes }: Visual, nodeId: string) => nodes.find(({ id }) => id === nodeId)?.type;
const inputOf = (intent: Intent, nodeId: string | undefined) =>
  intent.inputs.find((input) => input.nodeId === nodeId && input.name === 'out')?.value;

describe('random graphs in random worlds', () => {
  test('no node ever throws, every node has a state, and all states fit into 64 KiB', () => {
    onScenes((scene) =>
      play(scene, (evaluation) => {
        expect(evaluation.failures).toEqual([]);
        expect(Object.keys(evaluation.nodeStates)).toEqual(scene.visual.nodes.map(({ id }) => id));
        expect(Buffer.byteLength(JSON.stringify(evaluation.nodeStates))).toBeLessThanOrEqual(65_536);
      }),
    );
  });

  test('the same inputs give the same bytes, and the same answer with memory that went through the database', () => {
    onScenes((scene) => {
      const random = randomOf(scene.seed + 1);
      play(scene, (evaluation, again) => {
        expect(bytesOf(again((memory) => structuredClone(memory)))).toBe(bytesOf(evaluation));
        const stored = again((memory) => reordered(memory, random));
        expect(JSON.parse(bytesOf(stored))).toEqual(JSON.parse(bytesOf(evaluation)));
      });
    });
  });

  test('nothing fires on unknown: every condition was true, every number known', () => {
    onScenes((scene) =>
      play(scene, ({ intents, notifications, nodeStates }) => {
        for (const intent of intents) {
          const { nodeId, origin, type, inputs } = intent;
          if (origin === 'order') {
            expect(inputOf(intent, sourceOf(scene.visual, nodeId, 'when'))).toBe(true);
            // A quote keeps the amount of its round.
            if (typeOf(scene.visual, nodeId) !== 'quote')
              expect(inputOf(intent, sourceOf(scene.visual, nodeId, 'amount'))).toEqual(expect.any(Number));
          } else if (type === 'limit')
            expect(Number(inputs.find(({ name }) => name === 'averageCost')?.value)).toBeGreaterThan(0);
          else expect(inputs.find(({ name }) => name === 'bid')?.value).toEqual(expect.any(Number));
          expect(Number(intent.amount)).toBeGreaterThan(0);
        }
        for (const { nodeId } of notifications) expect(nodeStates[nodeId]?.firedCount).toBeGreaterThan(0);
      }),
    );
  });

  test('an empty world raises nothing at all', () => {
    onScenes(({ plan }) => {
      let memory: Memory | null = null;
      for (let i = 0; i < 20; i++) {
        const evaluation: Evaluation = evaluate(plan, EMPTY_WORLD, memory, T0 + 61_000 * i);
        expect(evaluation.intents).toEqual([]);
        memory = evaluation.memory;
      }
    });
  });

  test('an intent is unique by node and step, sells come before buys, and buys halt in error', () => {
    onScenes((scene) => {
      const keys: string[] = [];
      play(scene, ({ intents }, _, now) => {
        keys.push(...intents.map(({ nodeId, stepAt }) => `${nodeId}@${stepAt}`));
        const current = intents.filter(({ stepAt }) => stepAt === now);
        const firstBuy = current.findIndex(({ side }) => side === 'buy');
        if (firstBuy >= 0) expect(current.slice(firstBuy).every(({ side }) => side === 'buy')).toBe(true);
      });
      expect(new Set(keys).size).toBe(keys.length);
    });
  });

  test('more knowledge never changes a known value: values are monotone in knowledge', () => {
    onScenes(({ visual, plan, seed }) => {
      const moment = moments(seed, 1, actionsOf(visual))[0];
      // A fallback exists to choose another value once more is known.
      if (moment === undefined || visual.nodes.some(({ type }) => type === 'fallback')) return;
      const { now, seen } = moment;
      const random = randomOf(seed + 2);
      const less = <V>(map: ReadonlyMap<string, V>) => new Map([...map].filter(() => random() > 0.5));
      const poorer = {
        ...seen,
        quotes: less(seen.quotes),
        books: less(seen.books),
        account: random() > 0.5 ? seen.account : null,
      };
      const rich = evaluate(plan, seen, null, now).nodeStates;
      for (const [id, { value }] of Object.entries(evaluate(plan, poorer, null, now).nodeStates))
        if (value !== null) expect(rich[id]?.value, id).toBe(value);
    });
  });

  test('when nothing changes, memory is the same object and the signature the same text', () => {
    onScenes(({ visual, plan, seed }) => {
      const moment = moments(seed, 1, [])[0];
      if (moment === undefined) return;
      // Nodes that count time or steps may still move; everything else is at rest after a few evaluations.
      const moving = [
        ...['memory', 'schedule', 'indicator', 'lag', 'count', 'hold', 'cooldown', 'pulse', 'close', 'exit'],
        'market.info',
      ];
      if (visual.nodes.some(({ type }) => moving.includes(type))) return;
      let last = evaluate(plan, moment.seen, null, moment.now);
      for (let i = 0; i < 3; i++) last = evaluate(plan, moment.seen, last.memory, moment.now);
      const again = evaluate(plan, moment.seen, last.memory, moment.now);
      expect(again.memory).toBe(last.memory);
      expect(again.signature).toBe(last.signature);
    });
  });
});

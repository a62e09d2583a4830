import fc from 'fast-check';
import { expect } from 'vitest';
import { evaluate, Stepper } from '../../../engine/graph/run/evaluate.ts';
import type { Evaluation, Memory } from '../../../engine/graph/types.ts';
import { graph, moments } from './arbitraries.ts';
import { planOf, type Visual } from './support.ts';

const ACTIONS = ['order', 'close', 'exit', 'notify'];
export const actionsOf = ({ nodes }: Visual) =>
  nodes.filter(({ type }) => ACTIONS.includes(type)).map(({ id }) => id);

/** All that an evaluation says, as text. */
export function bytesOf(evaluation: Evaluation, before: Memory | null): string {
  const { memory, intents, notifications, failures, signature, behind, nodeStates } = evaluation;
  return JSON.stringify([
    memory,
    memory === before,
    intents,
    notifications,
    failures,
    signature,
    behind,
    nodeStates,
  ]);
}

/** So many random drawings, each with three deployments on one stepper: every step says what an evaluation from nothing says. */
export function stepsAsFromNothing(numRuns: number): void {
  const turns = fc.array(fc.nat(2), { minLength: 20, maxLength: 30 });
  fc.assert(
    fc.property(graph, fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), turns, (visual, seeds, order) => {
      const plan = planOf(visual);
      const stepper = new Stepper(plan);
      const deployments = seeds.map((seed) => ({
        feed: moments(seed, 12, actionsOf(visual)).values(),
        memory: null as Memory | null,
      }));
      for (const turn of order) {
        const deployment = deployments[turn];
        const moment = deployment?.feed.next().value;
        if (deployment === undefined || moment === undefined) continue;
        const { memory } = deployment;
        const stepped = stepper.step(moment.seen, memory, moment.now);
        const stored = memory === null ? null : (JSON.parse(JSON.stringify(memory)) as Memory);
        const alone = evaluate(planOf(visual), moment.seen, stored, moment.now);
        expect(JSON.parse(bytesOf(stepped, memory))).toEqual(JSON.parse(bytesOf(alone, stored)));
        deployment.memory = stepped.memory;
      }
    }),
    { numRuns },
  );
}

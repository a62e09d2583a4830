import fc from 'fast-check';
import { expect } from 'vitest';
import { evaluate, PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Evaluation, Memory } from '../../../../engine/strategy/graph/types.ts';
import { actionsOf, graph, moments } from './arbitraries.ts';
import { planOf } from './graph-fixtures.ts';

/** Everything that an evaluation returns, as text. */
export function bytesOf(evaluation: Evaluation, before: Memory | null): string {
  const { memory, intents, cancellations, notifications, failures, signature, behind, nodeStates } =
    evaluation;
  return JSON.stringify([
    memory,
    memory === before,
    intents,
    cancellations,
    notifications,
    failures,
    signature,
    behind,
    nodeStates,
  ]);
}

/** Returns the parts of an evaluation that outlive the next step of the stepper, as text. */
const lastingBytesOf = ({
  memory,
  intents,
  cancellations,
  notifications,
  failures,
  behind,
}: Evaluation): string => JSON.stringify([memory, intents, cancellations, notifications, failures, behind]);

/**
 * Plays random graphs, each with three deployments on one stepper. Every step must return the same as an evaluation without a
 * stepper. It must still do so once the others have stepped: a tick is stored after all of its deployments were evaluated.
 */
export function expectStepsAsFresh(numRuns: number): void {
  const turns = fc.array(fc.nat(2), { minLength: 20, maxLength: 30 });
  fc.assert(
    fc.property(graph, fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), turns, (visual, seeds, order) => {
      const plan = planOf(visual);
      const stepper = new PlanEvaluator(plan);
      const deployments = seeds.map((seed) => ({
        feed: moments(seed, 12, actionsOf(visual)).values(),
        memory: null as Memory | null,
      }));
      const outcomes: { stepped: Evaluation; alone: string }[] = [];
      for (const turn of order) {
        const deployment = deployments[turn];
        const moment = deployment?.feed.next().value;
        if (deployment === undefined || moment === undefined) continue;
        const { memory } = deployment;
        const stepped = stepper.step(moment.seen, memory, moment.now);
        const stored = memory === null ? null : (JSON.parse(JSON.stringify(memory)) as Memory);
        const alone = evaluate(planOf(visual), moment.seen, stored, moment.now);
        expect(JSON.parse(bytesOf(stepped, memory))).toEqual(JSON.parse(bytesOf(alone, stored)));
        outcomes.push({ stepped, alone: lastingBytesOf(alone) });
        deployment.memory = stepped.memory;
      }
      for (const { stepped, alone } of outcomes) expect(lastingBytesOf(stepped)).toBe(alone);
    }),
    { numRuns },
  );
}

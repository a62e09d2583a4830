/** Replaces some values of a plan by given ones, to see what would follow if a condition held. Pure. */
import type { Value } from '../types.ts';
import type { Plan } from './run.ts';

/** Returns the plan with this value for these nodes, also behind a bridge. */
export function withForcedValue(plan: Plan, nodeIds: readonly string[], value: Value): Plan {
  const slots = new Set(nodeIds.map((id) => plan.nodeIds.indexOf(id)));
  for (let slot = plan.nodeIds.length; slot < plan.slots; slot++)
    if (plan.reads[slot]?.every((read) => slots.has(read))) slots.add(slot);
  return {
    ...plan,
    computations: plan.computations.map((each) =>
      slots.has(each.slot) ? { ...each, compute: () => value } : each,
    ),
  };
}

import type { Plan } from './run.ts';

type Reads = Plan['reads'];

/** By slot, of each plan: a graph that fires often asks again and again. */
const known = new WeakMap<Reads, (readonly number[] | undefined)[]>();

/** Returns every slot that a node's value depends on, nearest first, each once. */
export function upstreamSlots({ reads }: Pick<Plan, 'reads'>, from: number): readonly number[] {
  const bySlot = known.get(reads) ?? [];
  const found = bySlot[from] ?? findUpstream(reads, from);
  bySlot[from] = found;
  known.set(reads, bySlot);
  return found;
}

function findUpstream(reads: Reads, from: number): readonly number[] {
  const found = new Set([from]);
  for (const slot of found) for (const read of reads[slot] ?? []) found.add(read);
  found.delete(from);
  return Object.freeze([...found]);
}

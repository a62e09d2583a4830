import type { Plan } from './run.ts';

/** Returns every slot that a node's value depends on, nearest first, each once. */
export function* upstreamSlots({ reads }: Pick<Plan, 'reads'>, from: number): Generator<number> {
  const seen = new Set([from]);
  const queue = [from];
  for (const slot of queue) {
    for (const read of reads[slot] ?? []) {
      if (seen.has(read)) continue;
      seen.add(read);
      queue.push(read);
      yield read;
    }
  }
}

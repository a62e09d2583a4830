/** The numbers that led to an intent: what approval shows, a receipt explains and a replay starts from. */
import type { Run } from './run.ts';
import type { IntentInput, Value } from './types.ts';

/** An intent keeps this much of its inputs at most, as JSON. */
const INPUTS_BYTES_MAX = 8_192;

/** The action's own facts, then every node upstream of it, nearest first. */
export function inputsOf(run: Run, slot: number, facts: readonly IntentInput[] = []): IntentInput[] {
  const inputs: IntentInput[] = [];
  let bytes = 2;
  for (const candidate of [...facts, ...upstream(run, slot)]) {
    bytes += new TextEncoder().encode(JSON.stringify(candidate)).length + 1;
    if (bytes > INPUTS_BYTES_MAX) break;
    inputs.push(candidate);
  }
  return inputs;
}

function* upstream(run: Run, from: number): Generator<IntentInput> {
  const { plan } = run;
  const seen = new Set([from]);
  const queue = [from];
  const ages = new Map<number, number | null>();
  for (const slot of queue) {
    for (const read of plan.reads[slot] ?? []) {
      if (seen.has(read)) continue;
      seen.add(read);
      queue.push(read);
      const nodeId = plan.nodeIds[read];
      // Bridges are no nodes of the drawing: the candle node behind one is in the queue now.
      if (nodeId === undefined) continue;
      yield { nodeId, name: 'out', value: plain(run.values[read] as Value), asOf: age(run, read, ages) };
    }
  }
}

/** A source is as old as what it read; a calculation is as old as its oldest input; constants have no age. */
export function asOf(run: Run, slot: number): number | null {
  return age(run, slot, new Map());
}

function plain(value: Value): number | boolean | null {
  return typeof value === 'object' ? null : value;
}

function age(run: Run, slot: number, known: Map<number, number | null>): number | null {
  const found = known.get(slot);
  if (found !== undefined) return found;
  known.set(slot, null); // a cycle through memory: what was kept has no age of its own
  let oldest = run.plan.asOf[slot]?.(run) ?? null;
  for (const read of run.plan.reads[slot] ?? []) {
    const asOf = age(run, read, known);
    if (asOf !== null && (oldest === null || asOf < oldest)) oldest = asOf;
  }
  known.set(slot, oldest);
  return oldest;
}

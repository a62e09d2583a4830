/** The numbers that led to an intent: shown for approval, explained by a receipt, used by a replay. */
import type { Run } from '../../run/run.ts';
import { upstreamSlots } from '../../run/upstream-slots.ts';
import type { DecisionInput, Value } from '../../types.ts';

/** Limit of an intent's inputs, as JSON. */
const INPUTS_BYTES_MAX = 8_192;
/** A text of at most this many UTF-16 units fits into those bytes: one unit takes three bytes at most. */
const CHARS_ALWAYS_WITHIN_LIMIT = INPUTS_BYTES_MAX / 3;

const UTF8 = new TextEncoder();

/** The action's own facts, then every node upstream of it, nearest first. */
export function decisionInputsOf(
  run: Run,
  slot: number,
  facts: readonly DecisionInput[] = [],
): DecisionInput[] {
  const all = [...facts, ...valuesBehind(run, slot)];
  return charsAtMost(all) <= CHARS_ALWAYS_WITHIN_LIMIT ? all : withinSizeLimit(all);
}

function withinSizeLimit(all: readonly DecisionInput[]): DecisionInput[] {
  const inputs: DecisionInput[] = [];
  let bytes = 2;
  for (const candidate of all) {
    bytes += UTF8.encode(JSON.stringify(candidate)).length + 1;
    if (bytes > INPUTS_BYTES_MAX) break;
    inputs.push(candidate);
  }
  return inputs;
}

/** Characters of an input without its texts: the names of its fields, and two numbers. */
const FIELDS_CHARS = 100;
/** A character takes up to six as an escape in JSON. */
const ESCAPE_CHARS = 6;

/** Returns a limit of the length of inputs as JSON. */
const charsAtMost = (inputs: readonly DecisionInput[]): number => {
  let chars = 2;
  for (const { nodeId, name, value } of inputs) {
    const texts = nodeId.length + name.length + (typeof value === 'string' ? value.length : 0);
    chars += FIELDS_CHARS + ESCAPE_CHARS * texts;
  }
  return chars;
};

function valuesBehind(run: Run, from: number): DecisionInput[] {
  const { plan } = run;
  const ages = new Map<number, number | null>();
  const inputs: DecisionInput[] = [];
  for (const slot of upstreamSlots(plan, from)) {
    const nodeId = plan.nodeIds[slot];
    // Bridges are not nodes of the graph: the candle node behind one comes later.
    if (nodeId === undefined) continue;
    inputs.push({ nodeId, name: 'out', value: plain(run.values[slot] as Value), asOf: age(run, slot, ages) });
  }
  return inputs;
}

/** A source is as old as its data; a calculation is as old as its oldest input; constants have no age. */
export function oldestInputTime(run: Run, slot: number): number | null {
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

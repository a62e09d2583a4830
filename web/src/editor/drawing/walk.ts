import type { Step, Wire } from './model.ts';

type Graph = { steps: readonly Step[]; wires: readonly Wire[] };
export type Direction = 'left' | 'right' | 'up' | 'down';

/** The step an arrow leads to: along a connection sideways, and up and down among what shares an end with this one. */
export function stepTowards({ steps, wires }: Graph, id: string, direction: Direction): string | null {
  const from = steps.find((step) => step.id === id);
  if (!from) return null;
  if (direction === 'left' || direction === 'right') {
    const ids = neighboursOf(wires, id, direction);
    return highest(steps.filter((step) => ids.has(step.id)))?.id ?? null;
  }
  const kin = new Set([
    ...[...neighboursOf(wires, id, 'left')].flatMap((before) => [...neighboursOf(wires, before, 'right')]),
    ...[...neighboursOf(wires, id, 'right')].flatMap((after) => [...neighboursOf(wires, after, 'left')]),
  ]);
  const up = direction === 'up';
  const beyond = steps.filter(
    ({ id: other, position: { y } }) =>
      other !== id && (kin.size <= 1 || kin.has(other)) && (up ? y < from.position.y : y > from.position.y),
  );
  return (up ? highest(beyond.toReversed(), -1) : highest(beyond))?.id ?? null;
}

/** A step and everything that feeds it, or that it feeds, however far. */
export function reachOf({ wires }: Graph, id: string, direction: 'left' | 'right'): string[] {
  const reached = new Set([id]);
  for (const each of reached) for (const next of neighboursOf(wires, each, direction)) reached.add(next);
  return [...reached];
}

const neighboursOf = (wires: readonly Wire[], id: string, direction: 'left' | 'right'): ReadonlySet<string> =>
  new Set(
    wires.flatMap(({ source, target }) => {
      if (direction === 'right') return source === id ? [target] : [];
      return target === id ? [source] : [];
    }),
  );

/** The uppermost, or with -1 the lowest. */
const highest = (steps: readonly Step[], sign: 1 | -1 = 1): Step | undefined =>
  steps.toSorted((a, b) => sign * (a.position.y - b.position.y))[0];

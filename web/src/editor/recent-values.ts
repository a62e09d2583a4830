import type { NodeStates } from '../live/events.ts';

/** A value of a node, and when it had it. */
export type RecentValue = { readonly value: number | boolean; readonly at: number };
/** The values of each node while its graph was on screen, the latest last. */
export type RecentValues = ReadonlyMap<string, readonly RecentValue[]>;

const KEPT = 40;

/** Adds the values of these states: numbers as they come, yes and no as they change. A node without a state starts again. */
export function withLatest(recent: RecentValues, states: NodeStates): RecentValues {
  return new Map(
    Object.entries(states).map(([id, { value, updatedAt }]) => {
      const before = recent.get(id) ?? [];
      const last = before.at(-1);
      const isNew = typeof value === 'boolean' ? last?.value !== value : last?.at !== updatedAt;
      const isAdded = value !== null && isNew;
      return [id, isAdded ? [...before.slice(1 - KEPT), { value, at: updatedAt }] : before];
    }),
  );
}

const NONE: readonly never[] = [];

export const recentOf = (recent: RecentValues, id: string): readonly RecentValue[] => recent.get(id) ?? NONE;

/** The numbers of a trail, for a line. */
export const numbersOf = (trail: readonly RecentValue[]): readonly number[] =>
  trail.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));

import { tokenName } from '../../format/token-name.ts';
import { t } from '../../language/language.ts';
import type { NodeState, NodeStates } from '../../live/events.ts';

/** State of a node for one instrument of its list. */
export type CopyState = { readonly name: string; readonly state: NodeState };
/** By id of a node of a list. */
export type CopyStates = ReadonlyMap<string, readonly CopyState[]>;

/** Returns the node in the graph that a running one belongs to: `buy` of `buy/BTCUSDT`, `entry` of `entry/buy`. */
export function graphNodeOf(ids: ReadonlySet<string>, id: string): string | null {
  let node = id;
  while (!ids.has(node) && node.includes('/')) node = node.slice(0, node.lastIndexOf('/'));
  return ids.has(node) ? node : null;
}

/** The states of nodes of a list, by node; those of one node by the name of their instrument. */
export function copyStatesOf(ids: ReadonlySet<string>, states: NodeStates): CopyStates {
  const copies = new Map<string, CopyState[]>();
  for (const [id, state] of Object.entries(states).sort(byId)) {
    const node = graphNodeOf(ids, id);
    if (node === null || node === id) continue;
    const found = copies.get(node) ?? [];
    found.push({ name: id.slice(node.length + 1), state });
    copies.set(node, found);
  }
  return copies;
}

const byId = ([one]: [string, NodeState], [other]: [string, NodeState]): number => (one < other ? -1 : 1);

/** Without a prototype: a node may have the id `constructor`. */
export const noStates = (): NodeStates => Object.create(null);

/** One state for each node: for a node of a list the most urgent of its states, instead of those of its instruments. */
export function statesByNode(states: NodeStates, copies: CopyStates): NodeStates {
  const summed = new Set([...copies].flatMap(([id, found]) => found.map(({ name }) => `${id}/${name}`)));
  return Object.assign(
    noStates(),
    Object.fromEntries(Object.entries(states).filter(([id]) => !summed.has(id))),
    Object.fromEntries([...copies].map(([id, found]) => [id, summaryOf(found)])),
  );
}

const URGENT: readonly NodeState['status'][] = [
  ...(['error', 'missed', 'blocked', 'stale', 'waiting', 'fired', 'ok', 'idle'] as const),
];

/** Its value is whether any instrument's is true; numbers of many instruments have none. */
function summaryOf(copies: readonly CopyState[]): NodeState {
  const states = copies.map(({ state }) => state);
  const [first] = states.toSorted((one, other) => URGENT.indexOf(one.status) - URGENT.indexOf(other.status));
  const conditions = states.map(({ value }) => value).filter((value) => typeof value === 'boolean');
  const { distance: _, ...urgent } = first as NodeState;
  return {
    ...urgent,
    value: conditions.length > 0 ? conditions.includes(true) : null,
    firedCount: states.reduce((sum, { firedCount }) => sum + firedCount, 0),
  };
}

/** The values of a list on a card: the instruments of which a condition is true, or how many there are. */
export function copiesWords(copies: readonly CopyState[]): string {
  const isCondition = copies.some(({ state }) => typeof state.value === 'boolean');
  if (!isCondition)
    return t('{count, plural, one {# instrument} other {# instruments}}', { count: copies.length });
  const names = copies.filter(({ state }) => state.value === true).map(({ name }) => name);
  return names.length === 0
    ? t('true for none')
    : t('true for {names}', { names: names.map(tokenName).join(', ') });
}

import { type EditorGraph, type Fields, isFields, type Node } from './model.ts';

export const GROUP_COLORS = ['grey', 'blue', 'green', 'amber', 'red', 'violet'] as const;
export type GroupColor = (typeof GROUP_COLORS)[number];

/** Further groups are neither shown nor made. */
export const GROUPS_MAX = 50;
export const GROUP_NAME_MAX = 60;

/**
 * Steps that a user keeps together, only on screen: evaluation is the same. They are stored beside the nodes of a graph, as
 * `groups`. A step is in at most one group, and a group in none.
 */
export type Group = {
  id: string;
  name: string;
  color: GroupColor;
  isCollapsed: boolean;
  /** Ids of its steps, in the order of the graph. */
  members: readonly string[];
  /** Fields that this editor does not know. */
  more: Fields;
};

/** The id of a group among the nodes of the canvas. */
export const groupNodeId = (id: string): string => `group:${id}`;

/** The groups of any graph. Invalid entries are left out: a step that does not exist, or is already in a group. */
export function groupsOf({ nodes, rest }: Pick<EditorGraph, 'nodes' | 'rest'>): Group[] {
  const listed = rest['groups'];
  if (!Array.isArray(listed)) return [];
  const ids = new Set(nodes.map(({ id }) => id));
  const free = new Set(ids);
  const known = new Set<string>();
  return listed.slice(0, GROUPS_MAX).flatMap((value: unknown) => {
    if (!isFields(value)) return [];
    const { id, name, color, collapsed, nodes: named, ...more } = value;
    if (typeof id !== 'string' || id === '' || known.has(id) || ids.has(groupNodeId(id))) return [];
    const wanted = new Set(Array.isArray(named) ? named : []);
    const members = nodes
      .filter((node) => wanted.has(node.id) && free.delete(node.id))
      .map((node) => node.id);
    if (members.length === 0) return [];
    known.add(id);
    return [
      {
        id,
        name: typeof name === 'string' ? name.slice(0, GROUP_NAME_MAX) : '',
        color: GROUP_COLORS.find((each) => each === color) ?? 'grey',
        isCollapsed: collapsed === true,
        members,
        more,
      },
    ];
  });
}

/** The other fields of a graph with these groups. */
export function withGroups(rest: Fields, groups: readonly Group[]): Fields {
  const { groups: before, ...others } = rest;
  if (groups.length === 0) return others;
  return {
    ...others,
    groups: groups.map(({ id, name, color, isCollapsed, members, more }) => ({
      ...more,
      id,
      name,
      color,
      collapsed: isCollapsed,
      nodes: members,
    })),
  };
}

const newGroupId = (groups: readonly Group[], nodes: readonly Node[]): string => {
  const taken = new Set([...groups.map(({ id }) => groupNodeId(id)), ...nodes.map(({ id }) => id)]);
  let number = 1;
  while (taken.has(groupNodeId(String(number)))) number++;
  return String(number);
};

/** Puts these steps into a new group, out of their old ones; null if there are too many groups already. */
export function withGroup(
  { nodes, rest }: Pick<EditorGraph, 'nodes' | 'rest'>,
  ids: readonly string[],
  like: Partial<Pick<Group, 'name' | 'color' | 'isCollapsed'>> = {},
): Fields | null {
  const chosen = new Set(ids);
  const members = nodes.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const groups = groupsOf({ nodes, rest });
  const others = groups
    .map((group) => ({ ...group, members: group.members.filter((id) => !chosen.has(id)) }))
    .filter((group) => group.members.length > 0);
  if (members.length === 0 || others.length >= GROUPS_MAX) return null;
  const group: Group = {
    id: newGroupId(groups, nodes),
    name: '',
    color: 'blue',
    isCollapsed: false,
    more: {},
    ...like,
    members,
  };
  return withGroups(rest, [...others, group]);
}

/** The other fields of a graph once only these nodes are left: a later step of the same id must not be in a group by chance. */
export const withoutMissingSteps = (rest: Fields, nodes: readonly Node[]): Fields =>
  rest['groups'] === undefined ? rest : withGroups(rest, groupsOf({ nodes, rest }));

/** The group of a step that is inserted between two steps of it. */
export const commonGroupOf = (groups: readonly Group[], ids: readonly string[]): Group | undefined =>
  groups.find(({ members }) => ids.every((id) => members.includes(id)));

/** The group whose steps are selected: all of them, and nothing else. */
export const selectedGroup = (groups: readonly Group[], selected: readonly string[]): Group | undefined =>
  groups.find(
    ({ members }) => members.length === selected.length && members.every((id) => selected.includes(id)),
  );

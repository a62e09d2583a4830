import { type Message, msg, t } from '../../language/language.ts';
import { isDisabled } from './disabled-nodes.ts';
import { type Catalogue, configOf, type Edge, type EditorGraph, labelOf, type Node } from './model.ts';
import { definitionsBehind, moduleOf } from './modules/types.ts';
import { type Box, boxOf } from './view.ts';
import { settingTitleOf, settingWords } from './words.ts';

export const CHANGES = ['added', 'removed', 'changed', 'moved'] as const;
export type Change = (typeof CHANGES)[number];

/** One step that differs between two graphs; `moved` means that only its position does. */
export type StepChange = {
  id: string;
  name: string;
  change: Change;
  /** The differences of a changed step, in words. */
  details: readonly string[];
};

/** An edge of either graph, and whether it is in both. */
export type ComparedEdge = { edge: Edge; change: 'added' | 'removed' | null };

export type Comparison = {
  /** In the order of the later graph; removed steps come last. */
  steps: readonly StepChange[];
  edges: readonly ComparedEdge[];
  /** All steps of both graphs, as in the later one. A removed step keeps its position, or is moved below what is there now. */
  nodes: readonly Node[];
};

/** Compares two graphs. Steps are matched by their ids. Pure. */
export function compareGraphs(before: EditorGraph, after: EditorGraph, catalogue: Catalogue): Comparison {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const now = new Map(after.nodes.map((node) => [node.id, node]));
  const removed = before.nodes.filter(({ id }) => !now.has(id));
  const edges = comparedEdges(before.edges, after.edges);
  const nameIn = (id: string) => {
    const node = now.get(id) ?? old.get(id);
    return node ? labelOf(node, catalogue) : id;
  };
  const stepOf = (node: Node, change: Change, details: readonly string[] = []): StepChange => ({
    id: node.id,
    name: labelOf(node, catalogue),
    change,
    details,
  });
  const steps = after.nodes.flatMap((node): StepChange[] => {
    const was = old.get(node.id);
    if (!was) return [stepOf(node, 'added')];
    const isOther =
      moduleOf(node.type) !== null &&
      stable(definitionsBehind(was.type, before.rest)) !== stable(definitionsBehind(node.type, after.rest));
    const details = [
      ...detailsOf(was, node, catalogue),
      ...(isOther ? [t('Its module is another one')] : []),
      ...wiringOf(node.id, edges, nameIn),
    ];
    if (details.length > 0) return [stepOf(node, 'changed', details)];
    const isMoved = was.position.x !== node.position.x || was.position.y !== node.position.y;
    return isMoved ? [stepOf(node, 'moved')] : [];
  });
  return {
    steps: [...steps, ...removed.map((node) => stepOf(node, 'removed'))],
    edges,
    nodes: [...after.nodes, ...apart(removed, after.nodes, catalogue)],
  };
}

const APART_PX = 20;

/** Moves these nodes to where they overlap neither the others nor each other. */
function apart(nodes: readonly Node[], standing: readonly Node[], catalogue: Catalogue): Node[] {
  const taken = standing.map((node) => boxOf(node, catalogue));
  return nodes.map((node) => {
    const box = boxOf(node, catalogue);
    for (let below = underOf(box, taken); below !== null; below = underOf(box, taken)) box.y = below;
    taken.push(box);
    return { ...node, position: { x: box.x, y: box.y } };
  });
}

/** The height just below the boxes that this one would cover, or null if it covers none. */
function underOf(box: Box, taken: readonly Box[]): number | null {
  const covered = taken.filter(
    ({ x, y, width, height }) =>
      box.x < x + width && x < box.x + box.width && box.y < y + height && y < box.y + box.height,
  );
  return covered.length === 0 ? null : Math.max(...covered.map(({ y, height }) => y + height)) + APART_PX;
}

const keyOf = ({ source, sourceHandle, target, targetHandle }: Edge): string =>
  JSON.stringify([source, sourceHandle ?? 'out', target, targetHandle]);

function comparedEdges(before: readonly Edge[], after: readonly Edge[]): ComparedEdge[] {
  const old = new Set(before.map(keyOf));
  const now = new Set(after.map(keyOf));
  return [
    ...after.map((edge) => ({ edge, change: old.has(keyOf(edge)) ? null : ('added' as const) })),
    ...before.filter((edge) => !now.has(keyOf(edge))).map((edge) => ({ edge, change: 'removed' as const })),
  ];
}

function detailsOf(was: Node, is: Node, catalogue: Catalogue): string[] {
  const title = ({ type }: Node) => catalogue.types.get(type)?.title ?? type;
  const name = ({ data: { label } }: Node) => (typeof label === 'string' ? label.trim() : '');
  const [old, now] = [configOf(was), configOf(is)];
  const settings = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (key) => stable(old[key]) !== stable(now[key]),
  );
  return [
    ...(was.type === is.type ? [] : [changeWords(msg('Kind: {from} → {to}'), title(was), title(is))]),
    ...(name(was) === name(is) ? [] : [changeWords(msg('Name: {from} → {to}'), name(was), name(is))]),
    ...(isDisabled(was) === isDisabled(is) ? [] : [isDisabled(is) ? t('Switched off') : t('Switched on')]),
    ...settings.map((key) =>
      t('{setting}: {from} → {to}', {
        setting: settingTitleOf(key),
        from: valueIn(key, old[key]),
        to: valueIn(key, now[key]),
      }),
    ),
  ];
}

const changeWords = (message: Message, from: string, to: string): string =>
  t(message, { from: from === '' ? '—' : from, to: to === '' ? '—' : to });

function valueIn(name: string, value: unknown): string {
  if (value === undefined) return '—';
  return settingWords(name, value) || stable(value);
}

/** The same text for equal values, whatever the order of their keys. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';

/** The edges into a step that were added or removed. */
const wiringOf = (id: string, edges: readonly ComparedEdge[], nameIn: (id: string) => string): string[] =>
  edges.flatMap(({ edge: { source, target, targetHandle }, change }) => {
    if (target !== id || change === null) return [];
    const ends = { port: targetHandle ?? '', name: nameIn(source) };
    if (targetHandle === null)
      return [
        change === 'added'
          ? t('Connected with “{name}”', ends)
          : t('No longer connected with “{name}”', ends),
      ];
    return [
      change === 'added'
        ? t('“{port}” connected with “{name}”', ends)
        : t('“{port}” no longer connected with “{name}”', ends),
    ];
  });

import type { Node as FlowNode } from '@xyflow/react';
import { useContext, useMemo } from 'react';
import { t } from '../../language/language.ts';
import { CatalogueContext } from '../context.ts';
import { type EdgeRun, edgeLanesOf } from '../drawing/arrange/edge-lanes.ts';
import type { DisabledNodes } from '../drawing/disabled-nodes.ts';
import { type Group, groupsOf } from '../drawing/groups.ts';
import { type Catalogue, configOf, type Edge, labelOf, type Node } from '../drawing/model.ts';
import { danglingInputs, portsOf, portTop } from '../drawing/ports.ts';
import { boxOf, NODE_WIDTH } from '../drawing/view.ts';
import {
  graphOf,
  isFoldedIn,
  type VisibleEdge,
  type VisibleGraph,
  type VisibleGroup,
  visibleGraphOf,
} from '../drawing/visible-graph.ts';
import { useEditor } from '../store.ts';
import type { CanvasEdge } from './value-edge.tsx';

/** The visible part of these nodes, whose positions may differ from those in the graph. */
export function useVisibleGraph(nodes: readonly Node[]): VisibleGraph {
  const catalogue = useContext(CatalogueContext);
  const edges = useEditor((editor) => editor.edges);
  const rest = useEditor((editor) => editor.rest);
  const folds = useEditor((editor) => editor.folds);
  return useMemo(
    () => visibleGraphOf({ nodes, edges }, groupsOf({ nodes, rest }), isFoldedIn(folds), catalogue),
    [nodes, edges, rest, folds, catalogue],
  );
}

/** The current canvas, for the keys: an arrow goes to a visible node. */
export function currentVisibleGraph(catalogue: Catalogue): {
  visible: VisibleGraph;
  groups: readonly Group[];
} {
  const { nodes, edges, rest, folds } = useEditor.getState();
  const groups = groupsOf({ nodes, rest });
  return { visible: visibleGraphOf({ nodes, edges }, groups, isFoldedIn(folds), catalogue), groups };
}

type CardOptions = { catalogue: Catalogue; silence: DisabledNodes; selected: readonly string[] };

/** Frames first, so that they are behind; the steps within a frame move with it. */
export function flowNodesOf(
  { nodes, groups }: VisibleGraph,
  before: readonly FlowNode[],
  { catalogue, silence, selected }: CardOptions,
): FlowNode[] {
  const known = new Map(before.map((card) => [card.id, card]));
  const chosen = new Set(selected);
  const frames = new Map(
    groups
      .filter(({ isFolded }) => !isFolded)
      .flatMap((visible) => visible.group.members.map((id) => [id, visible])),
  );
  const retained = (id: string) => {
    const { parentId, ...card } = known.get(id) ?? {};
    return card;
  };
  return [
    ...groups.map((visible) => {
      const card = groupCard(visible);
      // A card does not keep the size of the frame that it replaces.
      const isSame = known.get(card.id)?.type === card.type;
      return {
        ...(isSame && retained(card.id)),
        ...card,
        selected: visible.group.members.every((id) => chosen.has(id)),
      };
    }),
    ...nodes.map((node): FlowNode => {
      const isStep = catalogue.types.has(node.type);
      const frame = frames.get(node.id);
      const { x, y } = node.position;
      return {
        ...retained(node.id),
        id: node.id,
        type: isStep ? 'node' : 'note',
        position: frame ? { x: x - frame.box.x, y: y - frame.box.y } : { x, y },
        ...(frame && { parentId: frame.nodeId }),
        ...(isStep && { width: NODE_WIDTH }),
        data: { silentBy: silence.get(node.id) ?? null },
        selected: chosen.has(node.id),
        ariaLabel: ariaOf(node, catalogue, silence),
      };
    }),
  ];
}

function groupCard({ group, nodeId, isFolded, box }: VisibleGroup): FlowNode {
  const { name, members } = group;
  const about = {
    name: name === '' ? t('Group') : t('Group “{name}”', { name }),
    steps: t('{count, plural, one {# node} other {# nodes}}', { count: members.length }),
  };
  return {
    id: nodeId,
    type: isFolded ? 'folded' : 'frame',
    position: { x: box.x, y: box.y },
    data: { group },
    connectable: false,
    ariaLabel: isFolded ? t('{name}, {steps}, folded', about) : t('{name}, {steps}', about),
    ...(isFolded
      ? { width: NODE_WIDTH }
      : {
          width: box.width,
          height: box.height,
          zIndex: -1,
          dragHandle: '.group-head',
          // Between its steps, the canvas is moved and selected as elsewhere.
          style: { pointerEvents: 'none' as const },
        }),
  };
}

/** The text of a step for screen readers. */
function ariaOf(node: Node, catalogue: Catalogue, silence: DisabledNodes): string {
  const cause = silence.get(node.id);
  const off = cause === node.id ? t('switched off') : t('silent: it depends on a node that is switched off');
  return `${labelOf(node, catalogue)}, ${catalogue.types.get(node.type)?.title ?? node.type}${cause === undefined ? '' : `, ${off}`}`;
}

/** The edges of the canvas, each on its own route. */
export function flowEdgesOf(
  visible: VisibleGraph,
  catalogue: Catalogue,
  silence: DisabledNodes,
): Omit<CanvasEdge, 'selected'>[] {
  const { nodes, edges } = graphOf(visible);
  const isAnEnd = ({ id, type }: Node) =>
    catalogue.types.has(type) || visible.groups.some(({ nodeId }) => nodeId === id);
  const lanes = edgeLanesOf(
    runsOf(nodes.filter(isAnEnd), edges, catalogue),
    nodes.map((node) => boxOf(node, catalogue)),
  );
  const loose = new Map(nodes.map((node) => [node.id, danglingInputs(node, edges, catalogue)]));
  const port = ({ target, targetHandle }: Edge) => `${target} ${targetHandle}`;
  const sharers = Map.groupBy(edges, port);
  return visible.edges.map((edge: VisibleEdge) => ({
    id: edge.id,
    source: edge.source,
    target: edge.target,
    sourceHandle: edge.sourceHandle ?? 'out',
    targetHandle: edge.targetHandle,
    type: 'value',
    data: {
      from: edge.of.source,
      lane: lanes.get(edge.id) ?? null,
      alone: sharers.get(port(edge))?.length === 1,
      silent: silence.has(edge.of.source),
      loose: loose.get(edge.target)?.includes(edge.targetHandle ?? '') === true,
    },
    ariaLabel: t('From {source} to {targetHandle} of {target}', {
      source: edge.of.source,
      targetHandle: edge.of.targetHandle ?? t('input'),
      target: edge.of.target,
    }),
  }));
}

/** The ends of the edges, as far as the ports they name exist. */
function runsOf(nodes: readonly Node[], edges: readonly Edge[], catalogue: Catalogue): EdgeRun[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap(({ id, source, target, targetHandle }) => {
    const [from, to] = [byId.get(source), byId.get(target)];
    if (!from || !to) return [];
    const { inputs } = portsOf(catalogue.types.get(to.type), configOf(to));
    const port = Math.max(
      0,
      inputs.findIndex(({ name }) => name === targetHandle),
    );
    return [
      {
        id,
        source,
        from: { x: from.position.x + NODE_WIDTH, y: from.position.y + portTop(0) },
        to: { x: to.position.x, y: to.position.y + portTop(port) },
      },
    ];
  });
}

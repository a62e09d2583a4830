import '@xyflow/react/dist/base.css';
import './graph.css';
import { notifications } from '@mantine/notifications';
import {
  Background,
  type Connection,
  Controls,
  type EdgeChange,
  type Edge as FlowEdge,
  type Node as FlowNode,
  MiniMap,
  type NodeChange,
  Panel,
  ReactFlow,
  useNodesState,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { msg, t } from '../language/language.ts';
import { motionMs } from '../settings/store.ts';
import { useAsked } from '../ui/asked.ts';
import { focusCanvas } from './canvas-keys.ts';
import { useCanvasMenu } from './canvas-menu.tsx';
import { CanvasTools, TidyButton } from './canvas-tools.tsx';
import { CatalogueContext } from './context.ts';
import { type Catalogue, configOf, type Edge, labelOf, type Node } from './drawing/model.ts';
import { portsOf, portTop, refusalOf } from './drawing/ports.ts';
import { lanesOf, type Run } from './drawing/routes.ts';
import { startingConfig } from './drawing/schema.ts';
import { type Silence, silenceOf } from './drawing/silence.ts';
import { tidy } from './drawing/tidy.ts';
import { boundsOf, boxOf, NODE_WIDTH } from './drawing/view.ts';
import { useEditorKeys } from './keymap.ts';
import { MoreHint } from './more-hint.tsx';
import { NodeCard, NoteNode } from './node-card.tsx';
import { addNode, connect, insertNode, moveNodes, select, switchSteps, useEditor } from './store.ts';
import { bringIntoView, FLIGHT_MS, useOpeningView } from './use-view.ts';
import { type DrawnEdge, ValueEdge } from './value-edge.tsx';

export const DRAG_TYPE = 'application/x-node';
/** What is asked for whole is shown whole. */
const FIT = { maxZoom: 1, padding: 0.06 };

const DESCRIPTION = msg(
  'Arrows go along the connections, Enter opens the inspector. Alt and arrows move the step, O switches it off, Delete deletes it.',
);
const ariaWords = () => ({
  'node.a11yDescription.default': t(DESCRIPTION),
  'node.a11yDescription.keyboardDisabled': t(DESCRIPTION),
});

const NODE_VIEWS = { node: NodeCard, note: NoteNode };
const EDGE_VIEWS = { value: ValueEdge };

type CanvasProps = { readOnly: boolean; small: boolean; isPast: boolean; save: () => Promise<boolean> };

/** The drawing. Positions follow the pointer here and become an edit when a drag ends. */
export function Canvas({ readOnly, small, isPast, save }: CanvasProps) {
  const catalogue = useContext(CatalogueContext);
  const [aria] = useState(ariaWords);
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const selected = useEditor((editor) => editor.selected);
  const selectedEdges = useEditor((editor) => editor.selectedEdges);
  const opened = useEditor((editor) => editor.opened);
  const [cards, setCards, applyChanges] = useNodesState<FlowNode>([]);
  const flow = useReactFlow();
  const editable = !readOnly && !small;
  const show = useOpeningView({ catalogue, hasTools: !small, readOnly, small });
  /** A drawing that may not be edited is tidied for the eye alone, until another is opened. */
  const [tidied, setTidied] = useState<{ opened: number; places: Places } | null>(null);
  const drawn = useMemo(
    () => (tidied?.opened === opened && !editable ? movedTo(nodes, tidied.places) : nodes),
    [nodes, tidied, opened, editable],
  );

  const silence = useMemo(() => silenceOf({ nodes, edges }, catalogue.notes), [nodes, edges, catalogue]);

  useEffect(() => {
    const chosen = new Set(selected);
    setCards((before) => {
      const known = new Map(before.map((card) => [card.id, card]));
      return drawn.map((node) => ({
        ...known.get(node.id),
        ...viewOf(node, catalogue.types.has(node.type)),
        data: { silentBy: silence.get(node.id) ?? null },
        selected: chosen.has(node.id),
        ariaLabel: ariaOf(node, catalogue, silence),
      }));
    });
  }, [drawn, selected, catalogue, silence, setCards]);

  useAsked('draw', focusCanvas);
  useKeptInView(readOnly, drawn, selected);

  const lanes = useMemo(() => {
    const known = drawn.filter(({ type }) => catalogue.types.has(type));
    return lanesOf(
      runsOf(known, edges, catalogue),
      drawn.map((node) => boxOf(node, catalogue)),
    );
  }, [drawn, edges, catalogue]);
  const lines = useMemo<DrawnEdge[]>(() => {
    const port = ({ target, targetHandle }: Edge) => `${target} ${targetHandle}`;
    const sharers = Map.groupBy(edges, port);
    return edges.map((edge) => ({
      id: edge.id,
      source: edge.source,
      target: edge.target,
      sourceHandle: edge.sourceHandle ?? 'out',
      targetHandle: edge.targetHandle,
      type: 'value',
      data: {
        lane: lanes.get(edge.id) ?? null,
        alone: sharers.get(port(edge))?.length === 1,
        silent: silence.has(edge.source),
      },
      selected: selectedEdges.includes(edge.id),
      ariaLabel: t('From {source} to {targetHandle} of {target}', {
        source: edge.source,
        targetHandle: edge.targetHandle ?? t('input'),
        target: edge.target,
      }),
    }));
  }, [edges, lanes, selectedEdges, silence]);

  const onNodesChange = useCallback(
    (changes: NodeChange[]) => {
      applyChanges(changes.filter(({ type }) => type !== 'remove'));
      commit(changes);
    },
    [applyChanges],
  );

  const tidyUp = useCallback(() => {
    const sizeOf = (id: string) => {
      const measured = flow.getNode(id)?.measured;
      return measured?.width && measured.height ? { width: measured.width, height: measured.height } : null;
    };
    const { nodes: now, edges: ways } = useEditor.getState();
    const places = tidy(now, ways, catalogue, sizeOf);
    if (editable) moveNodes(places);
    else setTidied({ opened, places });
    show(movedTo(now, places));
  }, [flow, catalogue, editable, opened, show]);
  const fitAll = useCallback(() => void flow.fitView({ ...FIT, duration: motionMs(FLIGHT_MS) }), [flow]);

  const actions = useMemo(
    () => ({
      save,
      tidy: tidyUp,
      toggle: () => {
        const { nodes: all, selected: ids } = useEditor.getState();
        switchSteps(
          all.flatMap(({ id, type }) => (ids.includes(id) && !catalogue.notes.has(type) ? [id] : [])),
        );
      },
      fitAll,
      reset: () => void flow.zoomTo(1),
      zoom: (by: 1 | -1) => void (by > 0 ? flow.zoomIn() : flow.zoomOut()),
    }),
    [flow, catalogue, save, tidyUp, fitAll],
  );
  useEditorKeys(actions, readOnly);

  const menu = useCanvasMenu(editable);
  const isValidConnection = useCallback(
    (ends: Connection | FlowEdge) => refusalOf(endsOf(ends), useEditor.getState(), catalogue) === null,
    [catalogue],
  );
  const onConnect = useCallback((ends: Connection) => connect(endsOf(ends)), []);
  const drop = (event: DragEvent) => {
    const type = catalogue.types.get(event.dataTransfer.getData(DRAG_TYPE));
    if (!type || readOnly) return;
    event.preventDefault();
    const place = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const on = edgeUnder(event);
    const config = startingConfig(type.config);
    if (on === null || insertNode(type.type, place, config, { edgeId: on, catalogue }) === null)
      addNode(type.type, place, config);
  };

  const bounds = useMemo(() => boundsOf(drawn.map((node) => boxOf(node, catalogue))), [drawn, catalogue]);
  return (
    <ReactFlow
      nodes={cards}
      edges={lines}
      nodeTypes={NODE_VIEWS}
      edgeTypes={EDGE_VIEWS}
      onNodesChange={onNodesChange}
      onEdgesChange={chooseEdges}
      onConnect={onConnect}
      onConnectEnd={(_event, { fromNode, toNode, toHandle, isValid }) => {
        if (isValid || !fromNode || !toNode || !toHandle) return;
        const ends = {
          source: fromNode.id,
          target: toNode.id,
          sourceHandle: 'out',
          targetHandle: toHandle.id ?? null,
        };
        const message = refusalOf(ends, useEditor.getState(), catalogue);
        if (message) notifications.show({ color: 'yellow', message });
      }}
      isValidConnection={isValidConnection}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      onNodeContextMenu={menu.open}
      nodesDraggable={editable}
      nodesConnectable={editable}
      edgesReconnectable={false}
      deleteKeyCode={null}
      selectionKeyCode="Shift"
      multiSelectionKeyCode={['Control', 'Meta']}
      minZoom={0.2}
      maxZoom={2}
      snapToGrid
      snapGrid={[10, 10]}
      fitViewOptions={FIT}
      edgesFocusable={false}
      ariaLabelConfig={aria}
      aria-label={t('Strategy graph')}
    >
      <Background gap={20} size={1} />
      {menu.menu}
      <Controls
        showInteractive={false}
        position="bottom-left"
        aria-label={t('View of the graph')}
        fitViewOptions={FIT}
      />
      {small || isPast ? null : (
        <Panel position="top-right">
          {readOnly ? <TidyButton tidy={tidyUp} /> : <CanvasTools tidy={tidyUp} />}
        </Panel>
      )}
      {bounds ? <MoreHint bounds={bounds} showAll={fitAll} /> : null}
      {small ? null : <MiniMap pannable zoomable position="bottom-right" ariaLabel={t('Map of the graph')} />}
    </ReactFlow>
  );
}

const viewOf = (node: Node, known: boolean) => ({
  id: node.id,
  type: known ? 'node' : 'note',
  position: node.position,
  ...(known && { width: NODE_WIDTH }),
});

/** What a screen reader says of a step. */
function ariaOf(node: Node, catalogue: Catalogue, silence: Silence): string {
  const cause = silence.get(node.id);
  const off = cause === node.id ? t('switched off') : t('silent: it depends on a step that is switched off');
  return `${labelOf(node, catalogue)}, ${catalogue.types.get(node.type)?.title ?? node.type}${cause === undefined ? '' : `, ${off}`}`;
}

type Places = ReadonlyMap<string, Node['position']>;

const movedTo = (nodes: readonly Node[], places: Places): readonly Node[] =>
  nodes.map((node) => ({ ...node, position: places.get(node.id) ?? node.position }));

/** Where the edges begin and end, as far as the ports they name are there. */
function runsOf(nodes: readonly Node[], edges: readonly Edge[], catalogue: Catalogue): Run[] {
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

/** While a blueprint runs, the inspector opens beside the drawing and may cover the node it is about. */
function useKeptInView(readOnly: boolean, nodes: readonly Node[], selected: readonly string[]): void {
  const flow = useReactFlow();
  const [id, more] = selected;
  const chosen = more === undefined ? nodes.find((node) => node.id === id) : undefined;
  useEffect(() => {
    if (readOnly && chosen) bringIntoView(flow, chosen.position);
  }, [flow, readOnly, chosen]);
}

/** The connection that something is dropped on, or null. */
const edgeUnder = ({ clientX, clientY }: DragEvent): string | null =>
  document
    .elementsFromPoint(clientX, clientY)
    .flatMap((element) => element.closest('.react-flow__edge')?.getAttribute('data-id') ?? [])[0] ?? null;

const endsOf = ({ source, target, sourceHandle, targetHandle }: Connection | FlowEdge) => ({
  source,
  target,
  sourceHandle: sourceHandle ?? null,
  targetHandle: targetHandle ?? null,
});

/** What of a change is an edit: where a drag ended, where an arrow key moved a node, and what is chosen. */
function commit(changes: readonly NodeChange[]): void {
  const places = new Map<string, { x: number; y: number }>();
  for (const change of changes) {
    if (change.type === 'position' && change.position && !change.dragging)
      places.set(change.id, change.position);
  }
  const { nodes, selected, selectedEdges } = useEditor.getState();
  const moved = nodes.some(({ id, position }) => {
    const place = places.get(id);
    return place !== undefined && (place.x !== position.x || place.y !== position.y);
  });
  if (moved) moveNodes(places);
  select(chosenAfter(selected, changes), selectedEdges);
}

function chooseEdges(changes: readonly EdgeChange[]): void {
  const { selected, selectedEdges } = useEditor.getState();
  select(selected, chosenAfter(selectedEdges, changes));
}

function chosenAfter(before: readonly string[], changes: readonly (NodeChange | EdgeChange)[]): string[] {
  const chosen = new Set(before);
  for (const change of changes) {
    if (change.type !== 'select') continue;
    if (change.selected) chosen.add(change.id);
    else chosen.delete(change.id);
  }
  return [...chosen];
}

import '@xyflow/react/dist/base.css';
import '../graph.css';
import { notifications } from '@mantine/notifications';
import {
  Background,
  type Connection,
  Controls,
  type FitViewOptions,
  type Edge as FlowEdge,
  type Node as FlowNode,
  type Handle,
  MiniMap,
  type NodeChange,
  type OnConnectEnd,
  Panel,
  ReactFlow,
  type ReactFlowInstance,
  type SnapGrid,
  useNodesState,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { t } from '../../language/language.ts';
import { motionMs } from '../../settings/store.ts';
import { useDialogFromAddress } from '../../ui/use-dialog-from-address.ts';
import { CatalogueContext } from '../context.ts';
import { type Positions, withPositions } from '../drawing/arrange/initial-positions.ts';
import { disabledNodesOf } from '../drawing/disabled-nodes.ts';
import { groupsOf } from '../drawing/groups.ts';
import { type Catalogue, configOf, type Node } from '../drawing/model.ts';
import { connectionFault, portsOf } from '../drawing/ports.ts';
import { startingConfig } from '../drawing/settings-schema.ts';
import { boundsOfVisible, isFoldedIn } from '../drawing/visible-graph.ts';
import type { DanglingEdge } from '../next-node-menu.tsx';
import { addNode, connect, insertNode, moveNodes, switchSteps, useEditor } from '../store.ts';
import { TriedAt, TryGraphButton } from '../trial/try-graph.tsx';
import { ariaWords } from './aria-words.ts';
import { commitChanges, selectAlone, selectEdges } from './canvas-changes.ts';
import { focusCanvas } from './canvas-keys.ts';
import { useCanvasMenu } from './canvas-menu.tsx';
import { GuideButton, TidyButton, UndoButtons, WholeWindowButton } from './canvas-tools.tsx';
import { groupSelected, toggleFoldSelected, ungroupSelected } from './group-actions.ts';
import { FoldedNode, FrameNode } from './group-card.tsx';
import { useEditorKeys } from './keymap.ts';
import { NodeCard, NoteNode } from './node-card.tsx';
import { OffscreenHint } from './offscreen-hint.tsx';
import { bringIntoView, useOpeningView, VIEW_MOVE_MS, ZOOM_BUTTONS_PX } from './use-opening-view.ts';
import { flowEdgesOf, flowNodesOf, useVisibleGraph } from './use-visible-graph.ts';
import { ValueEdge } from './value-edge.tsx';

export const DRAG_TYPE = 'application/x-node';
/** A graph that is asked for whole is shown whole, beside the zoom buttons. */
const FIT: FitViewOptions = {
  maxZoom: 1,
  padding: { x: '3%', y: '3%', left: `${ZOOM_BUTTONS_PX + 16}px` },
};

// React Flow wakes every node, edge and port for each option that is another object than before.
const SNAP_GRID: SnapGrid = [10, 10];
const NODE_VIEWS = { node: NodeCard, note: NoteNode, frame: FrameNode, folded: FoldedNode };
const EDGE_VIEWS = { value: ValueEdge };

type CanvasProps = {
  readOnly: boolean;
  small: boolean;
  isPast: boolean;
  /** Whether it is a part of its page: see {@link useEditorKeys}. */
  isPart: boolean;
  /** Whether the editor takes the whole window. */
  isWhole: boolean;
  toggleWhole: () => void;
  /** Whether the guide and the parameters are open beside it. */
  isGuideOpen: boolean;
  toggleGuide: () => void;
  save: () => Promise<boolean>;
};

/** The graph. Positions follow the pointer here and become an edit when a drag ends. */
export function Canvas(props: CanvasProps) {
  const { readOnly, small, isPast, isPart, isWhole, toggleWhole, isGuideOpen, toggleGuide, save } = props;
  const catalogue = useContext(CatalogueContext);
  const [aria] = useState(ariaWords);
  const nodes = useEditor((editor) => editor.nodes);
  const edges = useEditor((editor) => editor.edges);
  const selected = useEditor((editor) => editor.selected);
  const selectedEdges = useEditor((editor) => editor.selectedEdges);
  const opened = useEditor((editor) => editor.opened);
  const [cards, setCards, applyChanges] = useNodesState<FlowNode>([]);
  const flow = useReactFlow();
  const editable = !readOnly;
  const hasTools = editable || !small;
  const canBeWhole = !small && !isPart && !isPast;
  const show = useOpeningView({ catalogue, hasTools, readOnly, small });
  /** A graph that may not be edited is tidied only on screen, until another is opened. */
  const [tidied, setTidied] = useState<{ opened: number; positions: Positions } | null>(null);
  const positioned = useMemo(
    () => (tidied?.opened === opened && !editable ? withPositions(nodes, tidied.positions) : nodes),
    [nodes, tidied, opened, editable],
  );

  const silence = useMemo(
    () => disabledNodesOf({ nodes, edges }, catalogue.notes),
    [nodes, edges, catalogue],
  );

  const visible = useVisibleGraph(positioned);

  useEffect(() => useEditor.setState({ canEdit: editable }), [editable]);
  useEffect(() => {
    setCards((before) => flowNodesOf(visible, before, { catalogue, silence, selected }));
  }, [visible, selected, catalogue, silence, setCards]);

  useDialogFromAddress('draw', focusCanvas);
  useSelectedInView(small || selected.length === 1, positioned, selected);

  const flowEdges = useMemo(() => flowEdgesOf(visible, catalogue, silence), [visible, catalogue, silence]);
  const canvasEdges = useMemo(
    () => flowEdges.map((edge) => ({ ...edge, selected: selectedEdges.includes(edge.id) })),
    [flowEdges, selectedEdges],
  );

  const onNodesChange = useCallback(
    (changes: NodeChange[]) => {
      applyChanges(changes.filter(({ type }) => type !== 'remove'));
      commitChanges(changes, visible);
    },
    [applyChanges, visible],
  );

  const tidyUp = useCallback(async () => {
    // The layout code is large, and many visits do not need it.
    const { tidyGraph } = await import('../drawing/arrange/tidy.ts');
    const { nodes: now, edges: between, rest, folds } = useEditor.getState();
    const groups = groupsOf({ nodes: now, rest });
    const positions = tidyGraph({ nodes: now, edges: between }, groups, {
      isFolded: isFoldedIn(folds),
      catalogue,
    });
    if (editable) moveNodes(positions);
    else setTidied({ opened, positions });
    show(withPositions(now, positions));
  }, [catalogue, editable, opened, show]);
  const startTidy = useCallback(() => void tidyUp().catch(sayUnloaded), [tidyUp]);
  const fitAll = useCallback(() => void flow.fitView({ ...FIT, duration: motionMs(VIEW_MOVE_MS) }), [flow]);

  const actions = useMemo(
    () => ({
      save,
      tidy: startTidy,
      toggle: () => {
        const { nodes: all, selected: ids } = useEditor.getState();
        switchSteps(
          all.flatMap(({ id, type }) => (ids.includes(id) && !catalogue.notes.has(type) ? [id] : [])),
        );
      },
      group: (isOne: boolean) => (isOne ? groupSelected() : ungroupSelected()),
      fold: toggleFoldSelected,
      fitAll,
      ...(canBeWhole && { isWhole, whole: toggleWhole }),
      reset: () => void flow.zoomTo(1),
      zoom: (by: 1 | -1) => void (by > 0 ? flow.zoomIn() : flow.zoomOut()),
    }),
    [flow, catalogue, save, startTidy, fitAll, canBeWhole, isWhole, toggleWhole],
  );
  useEditorKeys(actions, readOnly, isPart);

  const menu = useCanvasMenu(editable);
  const isValidConnection = useCallback(
    (ends: Connection | FlowEdge) => connectionFault(endsOf(ends), useEditor.getState(), catalogue) === null,
    [catalogue],
  );
  const onConnect = useCallback((ends: Connection) => connect(endsOf(ends)), []);
  const drop = (event: DragEvent) => {
    const type = catalogue.types.get(event.dataTransfer.getData(DRAG_TYPE));
    if (!type || readOnly) return;
    event.preventDefault();
    const position = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const on = edgeUnder(event);
    const config = startingConfig(type.config);
    if (on === null || insertNode(type.type, position, config, { edgeId: on, catalogue }) === null)
      addNode(type.type, position, config);
  };

  const { askNext } = menu;
  const onConnectEnd: OnConnectEnd = useCallback(
    (event, { fromNode, fromHandle, toNode, toHandle, isValid }) => {
      if (fromNode && fromHandle && !toNode)
        askNext(wireOf(event, fromNode.id, fromHandle, { flow, catalogue }));
      if (isValid || !fromNode || !toNode || !toHandle) return;
      const ends = {
        source: fromNode.id,
        target: toNode.id,
        sourceHandle: fromHandle.id ?? 'out',
        targetHandle: toHandle.id ?? null,
      };
      const message = connectionFault(ends, useEditor.getState(), catalogue);
      if (message) notifications.show({ color: 'yellow', message });
    },
    [askNext, flow, catalogue],
  );

  const bounds = useMemo(() => boundsOfVisible(visible, catalogue), [visible, catalogue]);
  return (
    <ReactFlow
      nodes={cards}
      edges={canvasEdges}
      nodeTypes={NODE_VIEWS}
      edgeTypes={EDGE_VIEWS}
      onNodesChange={onNodesChange}
      onEdgesChange={selectEdges}
      onConnect={onConnect}
      onConnectEnd={onConnectEnd}
      isValidConnection={isValidConnection}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      onNodeClick={selectAlone}
      onNodeContextMenu={menu.open}
      nodesDraggable={editable && !small}
      nodesConnectable={editable && !small}
      edgesReconnectable={false}
      elevateNodesOnSelect={false}
      deleteKeyCode={null}
      selectionKeyCode="Shift"
      multiSelectionKeyCode={['Control', 'Meta']}
      minZoom={0.2}
      maxZoom={2}
      snapToGrid
      snapGrid={SNAP_GRID}
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
      {isPast || !hasTools ? null : (
        <Panel position="top-right">
          <div className="canvas-tools">
            {readOnly ? null : <UndoButtons />}
            {readOnly || small ? null : <TryGraphButton />}
            <TidyButton tidy={startTidy} />
            {readOnly || small ? null : <GuideButton isOpen={isGuideOpen} toggle={toggleGuide} />}
            {canBeWhole ? <WholeWindowButton isWhole={isWhole} toggle={toggleWhole} /> : null}
          </div>
          {editable ? <TriedAt /> : null}
        </Panel>
      )}
      {bounds ? <OffscreenHint bounds={bounds} showAll={fitAll} /> : null}
      {small ? null : <MiniMap pannable zoomable position="bottom-right" ariaLabel={t('Map of the graph')} />}
    </ReactFlow>
  );
}

/** The edge that ends on empty space, or null if its port does not exist. */
function wireOf(
  event: MouseEvent | TouchEvent,
  nodeId: string,
  { id, type }: Handle,
  { flow, catalogue }: { flow: ReactFlowInstance; catalogue: Catalogue },
): DanglingEdge | null {
  const at = 'clientX' in event ? event : event.changedTouches[0];
  const node = useEditor.getState().nodes.find((each) => each.id === nodeId);
  const isForward = type === 'source';
  const { inputs, outputs } = portsOf(node && catalogue.types.get(node.type), node ? configOf(node) : {});
  const port = (isForward ? outputs : inputs).find(({ name }) => name === id);
  if (!at || !port) return null;
  const { clientX: x, clientY: y } = at;
  const position = flow.screenToFlowPosition({ x, y });
  return { nodeId, kind: port.kind, isForward, port: port.name, at: { x, y }, position };
}

const sayUnloaded = () =>
  notifications.show({
    color: 'yellow',
    message: t('This part could not be loaded; the console may have been updated meanwhile.'),
  });

/** The inspector may cover its own node when it opens or closes. */
function useSelectedInView(isCovered: boolean, nodes: readonly Node[], selected: readonly string[]): void {
  const flow = useReactFlow();
  const position = nodes.find(({ id }) => id === selected[0])?.position;
  useEffect(() => {
    const isDragged = flow.getNodes().some(({ dragging }) => dragging === true);
    if (isCovered && position && !isDragged) bringIntoView(flow, position);
  }, [flow, isCovered, position]);
}

/** The edge under the pointer of a drop, or null. */
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

import '@xyflow/react/dist/base.css';
import './graph.css';
import { notifications } from '@mantine/notifications';
import {
  Background,
  type Connection,
  Controls,
  type Edge,
  type EdgeChange,
  MiniMap,
  type Node,
  type NodeChange,
  Panel,
  ReactFlow,
  useNodesState,
  useReactFlow,
} from '@xyflow/react';
import { type DragEvent, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { motionMs } from '../settings/store.ts';
import { useAsked } from '../ui/asked.ts';
import { focusCanvas } from './canvas-keys.ts';
import { CanvasTools, TidyButton } from './canvas-tools.tsx';
import { CatalogueContext } from './context.ts';
import { type Catalogue, configOf, labelOf, type Step, type Wire } from './drawing/model.ts';
import { portsOf, portTop, refusalOf } from './drawing/ports.ts';
import { lanesOf, type Run } from './drawing/routes.ts';
import { startingConfig } from './drawing/schema.ts';
import { tidy } from './drawing/tidy.ts';
import { boundsOf, boxOf, STEP_WIDTH } from './drawing/view.ts';
import { useEditorKeys } from './keymap.ts';
import { MoreHint } from './more-hint.tsx';
import { NoteNode, StepNode } from './node-card.tsx';
import { addStep, connect, moveSteps, select, useEditor } from './store.ts';
import { bringIntoView, FLIGHT_MS, useOpeningView } from './use-view.ts';
import { ValueEdge, type ValueWire } from './value-edge.tsx';

export const DRAG_TYPE = 'application/x-step';
/** What is asked for whole is shown whole. */
const FIT = { maxZoom: 1, padding: 0.06 };

const DESCRIPTION =
  'Arrows go along the connections, Enter opens the inspector. Alt and arrows move the step, Delete deletes it.';
const ARIA = {
  'node.a11yDescription.default': DESCRIPTION,
  'node.a11yDescription.keyboardDisabled': DESCRIPTION,
};

const NODE_VIEWS = { step: StepNode, note: NoteNode };
const EDGE_VIEWS = { value: ValueEdge };

type CanvasProps = { readOnly: boolean; small: boolean; save: () => Promise<boolean> };

/** The drawing. Positions follow the pointer here and become an edit when a drag ends. */
export function Canvas({ readOnly, small, save }: CanvasProps) {
  const catalogue = useContext(CatalogueContext);
  const steps = useEditor((editor) => editor.steps);
  const wires = useEditor((editor) => editor.wires);
  const selected = useEditor((editor) => editor.selected);
  const selectedWires = useEditor((editor) => editor.selectedWires);
  const opened = useEditor((editor) => editor.opened);
  const [nodes, setNodes, applyChanges] = useNodesState<Node>([]);
  const flow = useReactFlow();
  const editable = !readOnly && !small;
  const show = useOpeningView({ catalogue, hasTools: !small, readOnly, small });
  /** A drawing that may not be edited is tidied for the eye alone, until another is opened. */
  const [tidied, setTidied] = useState<{ opened: number; places: Places } | null>(null);
  const drawn = useMemo(
    () => (tidied?.opened === opened && !editable ? movedTo(steps, tidied.places) : steps),
    [steps, tidied, opened, editable],
  );

  useEffect(() => {
    const chosen = new Set(selected);
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]));
      return drawn.map((step) => ({
        ...known.get(step.id),
        ...viewOf(step, catalogue.has(step.type)),
        selected: chosen.has(step.id),
        ariaLabel: `${labelOf(step, catalogue)}, ${catalogue.get(step.type)?.title ?? step.type}`,
      }));
    });
  }, [drawn, selected, catalogue, setNodes]);

  useAsked('draw', focusCanvas);
  useKeptInView(readOnly, drawn, selected);

  const lanes = useMemo(() => {
    const known = drawn.filter(({ type }) => catalogue.has(type));
    return lanesOf(
      runsOf(known, wires, catalogue),
      drawn.map((step) => boxOf(step, catalogue)),
    );
  }, [drawn, wires, catalogue]);
  const edges = useMemo<ValueWire[]>(() => {
    const port = ({ target, targetHandle }: Wire) => `${target} ${targetHandle}`;
    const sharers = Map.groupBy(wires, port);
    return wires.map((wire) => ({
      id: wire.id,
      source: wire.source,
      target: wire.target,
      sourceHandle: wire.sourceHandle ?? 'out',
      targetHandle: wire.targetHandle,
      type: 'value',
      data: { lane: lanes.get(wire.id) ?? null, alone: sharers.get(port(wire))?.length === 1 },
      selected: selectedWires.includes(wire.id),
      ariaLabel: `From ${wire.source} to ${wire.targetHandle ?? 'input'} of ${wire.target}`,
    }));
  }, [wires, lanes, selectedWires]);

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
    const { steps: now, wires: ways } = useEditor.getState();
    const places = tidy(now, ways, sizeOf);
    if (editable) moveSteps(places);
    else setTidied({ opened, places });
    show(movedTo(now, places));
  }, [flow, editable, opened, show]);
  const fitAll = useCallback(() => void flow.fitView({ ...FIT, duration: motionMs(FLIGHT_MS) }), [flow]);

  const actions = useMemo(
    () => ({
      save,
      tidy: tidyUp,
      fitAll,
      reset: () => void flow.zoomTo(1),
      zoom: (by: 1 | -1) => void (by > 0 ? flow.zoomIn() : flow.zoomOut()),
    }),
    [flow, save, tidyUp, fitAll],
  );
  useEditorKeys(actions, readOnly);

  const isValidConnection = useCallback(
    (ends: Connection | Edge) => refusalOf(endsOf(ends), useEditor.getState(), catalogue) === null,
    [catalogue],
  );
  const onConnect = useCallback((ends: Connection) => connect(endsOf(ends)), []);
  const drop = (event: DragEvent) => {
    const type = catalogue.get(event.dataTransfer.getData(DRAG_TYPE));
    if (!type || readOnly) return;
    event.preventDefault();
    addStep(
      type.type,
      flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }),
      startingConfig(type.config),
    );
  };

  const bounds = useMemo(() => boundsOf(drawn.map((step) => boxOf(step, catalogue))), [drawn, catalogue]);
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_VIEWS}
      edgeTypes={EDGE_VIEWS}
      onNodesChange={onNodesChange}
      onEdgesChange={chooseWires}
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
      ariaLabelConfig={ARIA}
      aria-label="Strategy graph"
    >
      <Background gap={20} size={1} />
      <Controls
        showInteractive={false}
        position="bottom-left"
        aria-label="View of the graph"
        fitViewOptions={FIT}
      />
      {small ? null : (
        <Panel position="top-right">
          {readOnly ? <TidyButton tidy={tidyUp} /> : <CanvasTools tidy={tidyUp} />}
        </Panel>
      )}
      {bounds ? <MoreHint bounds={bounds} showAll={fitAll} /> : null}
      {small ? null : <MiniMap pannable zoomable position="bottom-right" ariaLabel="Map of the graph" />}
    </ReactFlow>
  );
}

const viewOf = (step: Step, known: boolean) => ({
  id: step.id,
  type: known ? 'step' : 'note',
  position: step.position,
  data: {},
  ...(known && { width: STEP_WIDTH }),
});

type Places = ReadonlyMap<string, Step['position']>;

const movedTo = (steps: readonly Step[], places: Places): readonly Step[] =>
  steps.map((step) => ({ ...step, position: places.get(step.id) ?? step.position }));

/** Where the wires begin and end, as far as the ports they name are there. */
function runsOf(steps: readonly Step[], wires: readonly Wire[], catalogue: Catalogue): Run[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  return wires.flatMap(({ id, source, target, targetHandle }) => {
    const [from, to] = [byId.get(source), byId.get(target)];
    if (!from || !to) return [];
    const { inputs } = portsOf(catalogue.get(to.type), configOf(to));
    const port = Math.max(
      0,
      inputs.findIndex(({ name }) => name === targetHandle),
    );
    return [
      {
        id,
        source,
        from: { x: from.position.x + STEP_WIDTH, y: from.position.y + portTop(0) },
        to: { x: to.position.x, y: to.position.y + portTop(port) },
      },
    ];
  });
}

/** While a blueprint runs, the inspector opens beside the drawing and may cover the step it is about. */
function useKeptInView(readOnly: boolean, steps: readonly Step[], selected: readonly string[]): void {
  const flow = useReactFlow();
  const [id, more] = selected;
  const chosen = more === undefined ? steps.find((step) => step.id === id) : undefined;
  useEffect(() => {
    if (readOnly && chosen) bringIntoView(flow, chosen.position);
  }, [flow, readOnly, chosen]);
}

const endsOf = ({ source, target, sourceHandle, targetHandle }: Connection | Edge) => ({
  source,
  target,
  sourceHandle: sourceHandle ?? null,
  targetHandle: targetHandle ?? null,
});

/** What of a change is an edit: where a drag ended, where an arrow key moved a step, and what is chosen. */
function commit(changes: readonly NodeChange[]): void {
  const places = new Map<string, { x: number; y: number }>();
  for (const change of changes) {
    if (change.type === 'position' && change.position && !change.dragging)
      places.set(change.id, change.position);
  }
  const { steps, selected, selectedWires } = useEditor.getState();
  const moved = steps.some(({ id, position }) => {
    const place = places.get(id);
    return place !== undefined && (place.x !== position.x || place.y !== position.y);
  });
  if (moved) moveSteps(places);
  select(chosenAfter(selected, changes), selectedWires);
}

function chooseWires(changes: readonly EdgeChange[]): void {
  const { selected, selectedWires } = useEditor.getState();
  select(selected, chosenAfter(selectedWires, changes));
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

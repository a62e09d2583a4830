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
import { type DragEvent, useCallback, useContext, useEffect, useMemo } from 'react';
import { motionMs } from '../../../settings/store.ts';
import { CanvasTools } from './canvas-tools.tsx';
import { CatalogueContext } from './context.ts';
import { useEditorKeys } from './keymap.ts';
import { labelOf, type Step } from './model.ts';
import { refusalOf } from './ports.ts';
import { startingConfig } from './schema.ts';
import { NoteNode, StepNode } from './step-node.tsx';
import { addStep, connect, moveSteps, select, useEditor } from './store.ts';
import { tidy } from './tidy.ts';
import { ValueEdge } from './value-edge.tsx';

export const DRAG_TYPE = 'application/x-step';
const SIZE = { width: 196 };
export const FLIGHT_MS = 200;
/** A wide drawing starts small enough to be seen whole, and large enough to be read. */
const FIT = { minZoom: 0.3, maxZoom: 1, padding: 0.06 };

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
  const [nodes, setNodes, applyChanges] = useNodesState<Node>([]);
  const flow = useReactFlow();

  useEffect(() => {
    const chosen = new Set(selected);
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]));
      return steps.map((step) => ({
        ...known.get(step.id),
        ...viewOf(step, catalogue.has(step.type)),
        selected: chosen.has(step.id),
        ariaLabel: `${labelOf(step, catalogue)}, ${catalogue.get(step.type)?.title ?? step.type}`,
      }));
    });
  }, [steps, selected, catalogue, setNodes]);

  const edges = useMemo<Edge[]>(
    () =>
      wires.map(({ id, source, target, sourceHandle, targetHandle }) => ({
        id,
        source,
        target,
        sourceHandle: sourceHandle ?? 'out',
        targetHandle,
        type: 'value',
        selected: selectedWires.includes(id),
        ariaLabel: `From ${source} to ${targetHandle ?? 'input'} of ${target}`,
      })),
    [wires, selectedWires],
  );

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
    moveSteps(tidy(now, ways, sizeOf));
    void flow.fitView({ duration: motionMs(FLIGHT_MS) });
  }, [flow]);

  const actions = useMemo(
    () => ({
      save,
      tidy: tidyUp,
      fitAll: () => void flow.fitView({ duration: motionMs(FLIGHT_MS) }),
      reset: () => void flow.zoomTo(1),
      zoom: (by: 1 | -1) => void (by > 0 ? flow.zoomIn() : flow.zoomOut()),
    }),
    [flow, save, tidyUp],
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

  const editable = !readOnly && !small;
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
      fitView
      fitViewOptions={FIT}
      edgesFocusable={false}
      ariaLabelConfig={ARIA}
      aria-label="Strategy graph"
    >
      <Background gap={20} size={1} />
      <Controls showInteractive={false} position="bottom-left" aria-label="View of the graph" />
      {editable ? (
        <Panel position="top-right">
          <CanvasTools tidy={tidyUp} />
        </Panel>
      ) : null}
      {small ? null : <MiniMap pannable zoomable position="bottom-right" ariaLabel="Map of the graph" />}
    </ReactFlow>
  );
}

const viewOf = (step: Step, known: boolean) => ({
  id: step.id,
  type: known ? 'step' : 'note',
  position: step.position,
  data: {},
  ...(known && { width: SIZE.width }),
});

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

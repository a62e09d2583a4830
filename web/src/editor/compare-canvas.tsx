import '@xyflow/react/dist/base.css';
import './graph.css';
import './compare.css';
import {
  Background,
  Controls,
  type Edge as FlowEdge,
  type Node as FlowNode,
  type NodeProps,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { memo, useMemo, useState } from 'react';
import { type Message, msg, t } from '../language/language.ts';
import { motionMs } from '../settings/store.ts';
import { ariaWords } from './canvas/aria-words.ts';
import { NodeBody } from './canvas/node-body.tsx';
import { VIEW_MOVE_MS } from './canvas/use-opening-view.ts';
import { type Change, type Comparison, compareGraphs, type StepChange } from './drawing/compare.ts';
import { type Catalogue, configOf, type EditorGraph, labelOf, type Node } from './drawing/model.ts';
import { modulesOf, withModules } from './drawing/modules/types.ts';
import { portsOf } from './drawing/ports.ts';
import { summaryOf } from './drawing/summary.ts';
import { NODE_WIDTH } from './drawing/view.ts';

const WORDS: Readonly<Record<Change, Message>> = {
  added: msg('added'),
  removed: msg('removed'),
  changed: msg('changed'),
  moved: msg('moved'),
};

type CompareProps = { before: EditorGraph; after: EditorGraph; catalogue: Catalogue };

/**
 * Two graphs as one: steps added, removed, changed or only moved. Beside it is a list whose rows lead to their steps, also by
 * keys and for screen readers.
 */
export function CompareCanvas({ before, after, catalogue: served }: CompareProps) {
  const catalogue = useMemo(
    () => withModules(served, { ...modulesOf(before.rest), ...modulesOf(after.rest) }, []),
    [served, before, after],
  );
  const comparison = useMemo(() => compareGraphs(before, after, catalogue), [before, after, catalogue]);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <ReactFlowProvider>
      <div className="workbench compared">
        <section className="canvas" tabIndex={-1} aria-label={t('Both versions')}>
          <Both comparison={comparison} catalogue={catalogue} chosen={chosen} />
        </section>
        <ChangeList comparison={comparison} choose={setChosen} />
      </div>
    </ReactFlowProvider>
  );
}

type ComparedNode = FlowNode<{ node: Node; change: Change | null; catalogue: Catalogue }>;
const NODE_VIEWS = { compared: memo(ComparedCard) };

function Both({
  comparison,
  catalogue,
  chosen,
}: {
  comparison: Comparison;
  catalogue: Catalogue;
  chosen: string | null;
}) {
  const { nodes, edges, steps } = comparison;
  const cards = useMemo(() => {
    const changes = new Map(steps.map(({ id, change }) => [id, change]));
    return nodes.map((node): ComparedNode => {
      const change = changes.get(node.id) ?? null;
      const name = labelOf(node, catalogue);
      return {
        id: node.id,
        type: 'compared',
        position: node.position,
        width: NODE_WIDTH,
        data: { node, change, catalogue },
        selected: node.id === chosen,
        ariaLabel: change === null ? name : t('{name}, {change}', { name, change: t(WORDS[change]) }),
      };
    });
  }, [nodes, steps, catalogue, chosen]);
  const canvasEdges = useMemo(
    () =>
      edges.map(
        ({ edge: { source, target, sourceHandle, targetHandle }, change }, index): FlowEdge => ({
          id: String(index),
          source,
          target,
          sourceHandle: sourceHandle ?? 'out',
          targetHandle,
          className: change ?? '',
          ariaLabel: t('From {source} to {targetHandle} of {target}', {
            source,
            targetHandle: targetHandle ?? t('input'),
            target,
          }),
        }),
      ),
    [edges],
  );
  const [aria] = useState(ariaWords);
  return (
    <ReactFlow
      ariaLabelConfig={aria}
      nodes={cards}
      edges={canvasEdges}
      nodeTypes={NODE_VIEWS}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      nodesFocusable={false}
      deleteKeyCode={null}
      minZoom={0.2}
      maxZoom={2}
      fitView
      fitViewOptions={{ maxZoom: 1, padding: 0.06 }}
    >
      <Background gap={20} size={1} />
      <Controls showInteractive={false} position="bottom-left" aria-label={t('View of the graph')} />
    </ReactFlow>
  );
}

function ComparedCard({ data: { node, change, catalogue }, selected }: NodeProps<ComparedNode>) {
  const type = catalogue.types.get(node.type);
  const { inputs, outputs } = portsOf(type, configOf(node));
  if (catalogue.notes.has(node.type))
    return (
      <div className="note">
        {labelOf(node, catalogue)} {change ? <strong>{t(WORDS[change])}</strong> : null}
      </div>
    );
  return (
    <div className={`node-card ${type?.group ?? 'unknown'} ${change ?? ''}${selected ? ' selected' : ''}`}>
      <div className="node-head">
        <span className="node-title clip">{labelOf(node, catalogue)}</span>
        {change ? <span className="small">{t(WORDS[change])}</span> : null}
      </div>
      <NodeBody inputs={inputs} outputs={outputs}>
        <span className="dim clip">{summaryOf(node, type)}</span>
      </NodeBody>
    </div>
  );
}

function ChangeList({
  comparison: { steps },
  choose,
}: {
  comparison: Comparison;
  choose: (id: string) => void;
}) {
  const flow = useReactFlow();
  const show = ({ id }: StepChange) => {
    choose(id);
    void flow.fitView({ nodes: [{ id }], maxZoom: 1, duration: motionMs(VIEW_MOVE_MS) });
  };
  return (
    <aside className="inspector" aria-label={t('Changes')}>
      {steps.length === 0 ? <p className="plain">{t('Nothing changed.')}</p> : null}
      <ul className="plain-list change-list">
        {steps.map((step) => (
          <li key={step.id}>
            <button type="button" className="text-button" onClick={() => show(step)}>
              {step.name}
            </button>{' '}
            <span className="dim">{t(WORDS[step.change])}</span>
            {step.details.map((detail) => (
              <div key={detail} className="small">
                {detail}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </aside>
  );
}

import { type Node as FlowNode, type NodeProps, NodeToolbar, Position } from '@xyflow/react';
import { memo, useContext, useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { Sparkline } from '../../charts/sparkline.tsx';
import { shortValue } from '../../format/node-value-words.ts';
import { t } from '../../language/language.ts';
import { CatalogueContext } from '../context.ts';
import { copiesWords } from '../drawing/list-states.ts';
import { configOf, labelOf } from '../drawing/model.ts';
import { moduleOf } from '../drawing/modules/types.ts';
import { danglingInputs, pendingPorts, portsOf } from '../drawing/ports.ts';
import { summaryOf } from '../drawing/summary.ts';
import { numbersOf, recentOf } from '../recent-values.ts';
import { useEditor } from '../store.ts';
import { LastAct, NodeValue, useActionWords } from './last-act.tsx';
import { nodeBadgeOf, switchedOffBadge } from './node-badge.ts';
import { NodeBody } from './node-body.tsx';

/** `silentBy`: the step that is switched off and silences this one: itself, or an earlier one. */
type StepNode = FlowNode<{ silentBy: string | null }>;

/**
 * One node: its name, its settings in a line, its current value, one mark, and its ports by name. An action says what it does and
 * when it last did.
 */
export const NodeCard = memo(function NodeCard({ id, selected, data: { silentBy } }: NodeProps<StepNode>) {
  const catalogue = useContext(CatalogueContext);
  const node = useEditor((editor) => editor.nodes.find((each) => each.id === id));
  const type = node && catalogue.types.get(node.type);
  const state = useEditor((editor) => editor.states[id]);
  const copies = useEditor((editor) => editor.copies.get(id));
  const statesAt = useEditor((editor) => editor.statesAt);
  const issues = useEditor(useShallow((editor) => editor.issues.filter(({ nodeId }) => nodeId === id)));
  const edges = useEditor((editor) => editor.edges);
  const loose = useMemo(() => (node ? danglingInputs(node, edges, catalogue) : []), [node, edges, catalogue]);
  const does = useActionWords(id, type);
  const recent = useEditor((editor) => recentOf(editor.recent, id));
  const trail = useMemo(() => numbersOf(recent), [recent]);
  const [isHovered, setHovered] = useState(false);
  if (!node) return null;
  const { inputs, outputs } = portsOf(type, configOf(node));
  const silent = silentBy === null ? null : silentBy === id ? 'off' : 'silent';
  const mark = silent ? switchedOffBadge(silent) : nodeBadgeOf(state, issues, statesAt);
  const Icon = mark?.icon;
  return (
    <div
      className={`node-card ${type?.group ?? 'unknown'}${selected ? ' selected' : ''}${silent ? ` ${silent}` : ''}`}
      data-mark={mark?.word}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      {isHovered && trail.length > 2 ? (
        // Only then: wherever it is, it looks through all nodes at each of their moves.
        <NodeToolbar isVisible position={Position.Top}>
          <TrailCard trail={trail} />
        </NodeToolbar>
      ) : null}
      <div className="node-head">
        <span className="node-title clip">{labelOf(node, catalogue)}</span>
        {mark && Icon ? (
          <span className={`status ${mark.tone}`} title={mark.title}>
            <Icon size={14} aria-hidden className={mark.word === 'waiting' ? 'spin slow' : undefined} />
            <span className={silent || does !== null ? 'small' : 'sr'}>{mark.word}</span>
            {mark.count > 1 ? <span className="small">×{mark.count}</span> : null}
          </span>
        ) : null}
      </div>
      <NodeBody inputs={inputs} outputs={outputs} pending={pendingPorts(type, configOf(node))} loose={loose}>
        {does === null ? (
          <span className="dim clip">{summaryOf(node, type)}</span>
        ) : (
          <span className="node-act" title={does}>
            {does}
          </span>
        )}
        {state && !silent && does !== null ? <LastAct state={state} now={statesAt} /> : null}
        {state && !silent && does === null ? (
          <span className="node-value" title={mark?.title}>
            {trail.length > 2 ? (
              <Sparkline
                values={trail}
                width={48}
                height={20}
                label={t('The last {count} values', { count: trail.length })}
                isNeutral
              />
            ) : null}
            {copies ? (
              moduleOf(node.type) === null ? (
                copiesWords(copies)
              ) : (
                mark?.word
              )
            ) : (
              <NodeValue id={id} type={type} state={state} isPast={statesAt !== undefined} />
            )}
          </span>
        ) : null}
      </NodeBody>
    </div>
  );
});

/** The latest values of a step, larger: under the pointer. */
const TrailCard = ({ trail }: { trail: readonly number[] }) => (
  <div className="trail-card" aria-hidden>
    <Sparkline values={trail} width={200} height={56} label="" isNeutral />
    <span className="dim small">
      {t('{least} to {most} in the last {count} values', {
        least: shortValue(Math.min(...trail)),
        most: shortValue(Math.max(...trail)),
        count: trail.length,
      })}
    </span>
  </div>
);

/** Text on the canvas; not executed. */
export const NoteNode = memo(function NoteNode({ id }: NodeProps) {
  const label = useEditor((editor) => editor.nodes.find((each) => each.id === id)?.data.label);
  return <div className="note">{typeof label === 'string' ? label : ''}</div>;
});

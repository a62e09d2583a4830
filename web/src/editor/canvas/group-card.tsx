import '../groups.css';
import { type Node as FlowNode, Handle, type NodeProps, Position } from '@xyflow/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useContext } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { t } from '../../language/language.ts';
import { CatalogueContext } from '../context.ts';
import type { Group } from '../drawing/groups.ts';
import { labelOf } from '../drawing/model.ts';
import { portTop } from '../drawing/ports.ts';
import { foldGroup, useEditor } from '../store.ts';
import { type NodeBadge, nodeBadgeOf } from './node-badge.ts';

type GroupNode = FlowNode<{ group: Group }>;

/** A frame around the steps of a group. */
export const FrameNode = memo(function FrameNode({ id, data: { group }, selected }: NodeProps<GroupNode>) {
  return (
    <div className={`group-frame tint-${group.color}${selected ? ' selected' : ''}`}>
      <GroupHead group={group} isFolded={false} nodeId={id} />
    </div>
  );
});

/**
 * A group as one card: its name, its number of steps, and the worst mark among them. It has a port for each edge across its
 * border.
 */
export const FoldedNode = memo(function FoldedNode({ id, data: { group }, selected }: NodeProps<GroupNode>) {
  const worst = useWorst(group);
  const Icon = worst?.mark.icon;
  return (
    <div
      className={`node-card folded tint-${group.color}${selected ? ' selected' : ''}`}
      data-mark={worst?.mark.word}
    >
      <GroupHead group={group} isFolded nodeId={id} />
      <div className="folded-facts">
        <span className="dim">{stepsWords(group)}</span>
        {worst && Icon ? (
          <span className={`status ${worst.mark.tone}`} title={worst.title}>
            <Icon size={14} aria-hidden />
            <span className="small">{worst.mark.word}</span>
          </span>
        ) : null}
      </div>
      <Handle
        id="in"
        type="target"
        position={Position.Left}
        className="handle"
        isConnectable={false}
        style={{ top: portTop(0) }}
      />
      <Handle
        id="out"
        type="source"
        position={Position.Right}
        className="handle"
        isConnectable={false}
        style={{ top: portTop(0) }}
      />
    </div>
  );
});

export const stepsWords = ({ members }: Group): string =>
  t('{count, plural, one {# node} other {# nodes}}', { count: members.length });

/** The card that replaces another takes its focus. */
const focusHead = (nodeId: string) =>
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-id="${CSS.escape(nodeId)}"] .group-head button`)?.focus(),
  );

function GroupHead({ group, isFolded, nodeId }: { group: Group; isFolded: boolean; nodeId: string }) {
  const name = group.name === '' ? t('Group') : group.name;
  const Icon = isFolded ? ChevronRight : ChevronDown;
  return (
    <div className="group-head">
      <button
        type="button"
        className="nodrag"
        aria-expanded={!isFolded}
        aria-label={isFolded ? t('Unfold “{name}”', { name }) : t('Fold “{name}”', { name })}
        onClick={() => {
          foldGroup(group.id, !isFolded);
          focusHead(nodeId);
        }}
      >
        <Icon size={14} aria-hidden />
      </button>
      <span className="node-title clip">{name}</span>
    </div>
  );
}

const ORDER: readonly NodeBadge['tone'][] = ['bad', 'warn', 'info', 'ok', 'idle'];

/** The worst mark within a group, and its step. */
function useWorst({ members }: Group): { mark: NodeBadge; title: string } | null {
  const catalogue = useContext(CatalogueContext);
  const nodes = useEditor(useShallow((editor) => editor.nodes.filter(({ id }) => members.includes(id))));
  const states = useEditor(useShallow((editor) => members.map((id) => editor.states[id])));
  const issues = useEditor(
    useShallow((editor) => editor.issues.filter(({ nodeId }) => nodeId !== null && members.includes(nodeId))),
  );
  const found = nodes.flatMap((node) => {
    const mark = nodeBadgeOf(
      states[members.indexOf(node.id)],
      issues.filter(({ nodeId }) => nodeId === node.id),
    );
    return mark ? [{ mark, title: `${labelOf(node, catalogue)}: ${mark.title}` }] : [];
  });
  const rank = ({ mark }: { mark: NodeBadge }) => ORDER.indexOf(mark.tone);
  return found.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

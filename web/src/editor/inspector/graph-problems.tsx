import { useReactFlow } from '@xyflow/react';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useContext } from 'react';
import { t, translateReason } from '../../language/language.ts';
import type { NodeState } from '../../live/events.ts';
import { motionMs } from '../../settings/store.ts';
import { statusWords } from '../canvas/node-badge.ts';
import { VIEW_MOVE_MS } from '../canvas/use-opening-view.ts';
import { CatalogueContext } from '../context.ts';
import { type Issue, labelOf } from '../drawing/model.ts';
import { select, useEditor } from '../store.ts';

type Problem = {
  key: string;
  nodeId: string | null;
  severity: 'error' | 'warning';
  message: string;
  count: number;
};

/** All faults, equal ones merged, each under the name of its step and leading to it. Faults of no step are included. */
export function GraphProblems({ error }: { error: string | null }) {
  const issues = useEditor((editor) => editor.issues);
  const states = useEditor((editor) => editor.states);
  const nodes = useEditor((editor) => editor.nodes);
  const catalogue = useContext(CatalogueContext);
  const names = new Map(nodes.map((node) => [node.id, labelOf(node, catalogue)]));
  const problems = group([
    ...(error === null ? [] : [{ nodeId: null, severity: 'error' as const, message: error }]),
    ...issues.map(ofIssue),
    ...Object.entries(states).flatMap(ofState),
  ]);
  const flow = useReactFlow();
  const show = (nodeId: string) => {
    select([nodeId]);
    void flow.fitView({ nodes: [{ id: nodeId }], maxZoom: 1, duration: motionMs(VIEW_MOVE_MS) });
  };
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <details className="problems" open={errors > 0}>
      <summary>
        {problems.length === 0 ? (
          <span className="status ok">
            <CircleCheck size={14} aria-hidden /> {t('No problems')}
          </span>
        ) : errors > 0 ? (
          t('Problems ({count})', { count: problems.length })
        ) : (
          t('Warnings ({count})', { count: problems.length })
        )}
      </summary>
      {problems.map(({ key, nodeId, severity, message, count }) => {
        const Icon = severity === 'error' ? CircleAlert : TriangleAlert;
        return (
          <button key={key} type="button" disabled={nodeId === null} onClick={() => nodeId && show(nodeId)}>
            <span className={`status ${severity === 'error' ? 'bad' : 'warn'}`}>
              <Icon size={14} aria-label={severity === 'error' ? t('error') : t('warning')} />
            </span>
            {nodeId ? <bdi className="of">{names.get(nodeId) ?? nodeId}</bdi> : null}
            <span>{message}</span>
            {count > 1 ? <span className="dim">×{count}</span> : null}
          </button>
        );
      })}
    </details>
  );
}

const ofIssue = ({ nodeId, severity, message }: Issue): Omit<Problem, 'key' | 'count'> => ({
  nodeId,
  severity,
  message,
});

const BAD: ReadonlySet<NodeState['status']> = new Set(['error', 'blocked', 'missed', 'stale']);

function ofState([nodeId, { status, reason }]: [string, NodeState]): Omit<Problem, 'key' | 'count'>[] {
  if (!BAD.has(status)) return [];
  return [
    {
      nodeId,
      severity: status === 'error' ? 'error' : 'warning',
      message: reason
        ? translateReason(reason.message)
        : status === 'error'
          ? t('error')
          : statusWords(status),
    },
  ];
}

function group(found: readonly Omit<Problem, 'key' | 'count'>[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const each of found) {
    const key = `${each.nodeId ?? ''} ${each.message}`;
    const known = problems.get(key);
    problems.set(key, known ? { ...known, count: known.count + 1 } : { ...each, key, count: 1 });
  }
  return [...problems.values()].sort(
    (a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'),
  );
}

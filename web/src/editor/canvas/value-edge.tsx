import {
  BaseEdge,
  EdgeLabelRenderer,
  type EdgeProps,
  type Edge as FlowEdge,
  getBezierPath,
} from '@xyflow/react';
import { memo } from 'react';
import { shortValue } from '../../format/node-value-words.ts';
import { pathAlong } from '../drawing/arrange/edge-lanes.ts';
import { useEditor } from '../store.ts';

/**
 * `from`: the step whose value it carries, also one within a folded group. `lane`: the height at which the edge passes the
 * nodes between its ends. `alone`: its port has no other edge. `silent`: no value arrives. `loose`: it ends at a port that does
 * not exist.
 */
export type CanvasEdge = FlowEdge<{
  from: string;
  lane: number | null;
  alone: boolean;
  silent: boolean;
  loose: boolean;
}>;

/** An edge with its latest value while the blueprint runs: beside its port, where no other edge's value can be. */
export const ValueEdge = memo(function ValueEdge(props: EdgeProps<CanvasEdge>) {
  const { id, source, selected, markerEnd, data, sourceX, sourceY, targetX, targetY } = props;
  const state = useEditor((editor) => editor.states[data?.from ?? source]);
  const isOfList = useEditor((editor) => editor.copies.has(data?.from ?? source));
  const lane = data?.lane ?? null;
  const path =
    lane === null
      ? getBezierPath(props)[0]
      : pathAlong({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, lane);
  const unknown = state !== undefined && state.value === null && !isOfList;
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        {...(markerEnd !== undefined && { markerEnd })}
        interactionWidth={24}
        style={{
          stroke: selected ? 'var(--accent)' : data?.loose ? 'var(--red)' : 'var(--line-strong)',
          strokeWidth: selected ? 2.5 : 1.5,
          ...(data?.loose && { strokeDasharray: '6 3' }),
          ...((unknown || data?.silent) && { strokeDasharray: data?.silent ? '2 6' : '4 4' }),
        }}
      />
      {state && state.value !== null && data?.alone && !isOfList ? (
        <EdgeLabelRenderer>
          <span
            aria-hidden
            className="edge-value"
            style={{ transform: `translate(-100%, -50%) translate(${targetX - 3}px, ${targetY}px)` }}
          >
            {shortValue(state.value)}
          </span>
        </EdgeLabelRenderer>
      ) : null}
    </>
  );
});

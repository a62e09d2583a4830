import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo } from 'react';
import { shortValue } from './mark.ts';
import { useEditor } from './store.ts';

/** A wire, with what flows along it while the blueprint runs. */
export const ValueEdge = memo(function ValueEdge(props: EdgeProps) {
  const { id, source, selected, markerEnd } = props;
  const state = useEditor((editor) => editor.states[source]);
  const [path, x, y] = getBezierPath(props);
  const unknown = state !== undefined && state.value === null;
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        {...(markerEnd !== undefined && { markerEnd })}
        interactionWidth={24}
        style={{
          stroke: selected ? 'var(--accent)' : 'var(--line-strong)',
          strokeWidth: selected ? 2.5 : 1.5,
          ...(unknown && { strokeDasharray: '4 4' }),
        }}
      />
      {state && state.value !== null ? (
        <EdgeLabelRenderer>
          <span
            className="edge-value"
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {shortValue(state.value)}
          </span>
        </EdgeLabelRenderer>
      ) : null}
    </>
  );
});

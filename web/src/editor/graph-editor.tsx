import { Button, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useReducer, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { trpc } from '../api/trpc.ts';
import { t, translateServed } from '../language/language.ts';
import { nodeStatesOf } from '../live/events.ts';
import { forgetNodeStates, useLive } from '../live/store.ts';
import { watchBlueprint } from '../live/stream.ts';
import { Skeleton } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Canvas } from './canvas/canvas.tsx';
import { BlueprintIdContext, CatalogueContext } from './context.ts';
import { readGraph } from './drawing/json.ts';
import { copyStatesOf, graphNodeOf, statesByNode } from './drawing/list-states.ts';
import { statesWithin } from './drawing/modules/open.ts';
import { GraphProblems } from './inspector/graph-problems.tsx';
import { RunningGraphGuide } from './inspector/guide.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { closeModules } from './modules/module-actions.ts';
import { ModuleTrail, useCatalogueWithModules } from './modules/module-trail.tsx';
import { NodeList } from './node-list.tsx';
import { NodePalette } from './node-palette.tsx';
import { withLatest } from './recent-values.ts';
import { replaceGraph, select, useEditor } from './store.ts';
import { useCatalogue } from './use-catalogue.ts';

type GraphProps = {
  id: string;
  /** The error of the blueprint as a whole, or null. */
  error: string | null;
  /** The state of each node until the live stream has newer ones, if it is watched. */
  nodeStates: unknown;
  watched: boolean;
  readOnly: boolean;
  focus: string | undefined;
  /** The past instant that is shown; absent: now. */
  pastAt?: string;
  /** Whether it is a part of its page, whose keys it must leave alone. */
  isPart?: boolean;
  save: () => Promise<boolean>;
};

/**
 * The editor: nodes to add, the canvas, and the selection. On a phone, steps are added and connected by lists, and the
 * selection overlays the graph.
 */
export function GraphEditor(props: GraphProps) {
  const { id, error, nodeStates, watched, readOnly, focus, pastAt, isPart = false, save } = props;
  const types = useCatalogue();
  const catalogue = useCatalogueWithModules(types.data);
  // Other tabs show the graph whole.
  useEffect(() => () => closeModules(0), []);
  const small = useMediaQuery('(max-width: 860px)') ?? false;
  // At this width a graph shows a column and a half, which a list reads better. An empty one has its hint on the canvas.
  const [isList, setList] = useState(() => readOnly || useEditor.getState().nodes.length > 0);
  const [isWhole, toggleWhole] = useReducer((now) => !now, false);
  /** An empty graph opens with the guide: there is nothing for it to cover. */
  const [isGuideOpen, toggleGuide] = useReducer(
    (now) => !now,
    null,
    () => useEditor.getState().nodes.length === 0,
  );
  useNodeStates(id, nodeStates, watched, pastAt);
  useEffect(() => {
    const ids = new Set(useEditor.getState().nodes.map((node) => node.id));
    if (focus) select([graphNodeOf(ids, focus) ?? focus]);
  }, [focus]);
  if (types.error && !types.data)
    return <ProblemNotice error={types.error} retry={() => void types.refetch()} />;
  if (!catalogue) return <Skeleton height={440} />;
  const shape = small ? 'small' : readOnly ? 'watching' : 'editing';
  return (
    <CatalogueContext value={catalogue}>
      <BlueprintIdContext value={id}>
        <ReactFlowProvider>
          <div className={`workbench ${shape}`} data-whole={(isWhole && !small) || undefined}>
            {small || readOnly ? null : <NodePalette />}
            {small ? <FormChoice isList={isList} onChoose={setList} /> : null}
            {small && isList ? (
              <NodeList />
            ) : (
              <section className="canvas" tabIndex={-1} aria-label={t('Graph')}>
                <Canvas
                  readOnly={readOnly}
                  small={small}
                  isPast={pastAt !== undefined}
                  isPart={isPart}
                  isWhole={isWhole}
                  toggleWhole={toggleWhole}
                  isGuideOpen={isGuideOpen}
                  toggleGuide={toggleGuide}
                  save={save}
                />
                <ModuleTrail />
                <EmptyHint readOnly={readOnly} small={small} />
              </section>
            )}
            {small && !readOnly ? (
              <details className="adding">
                <summary>{t('Add a node')}</summary>
                <NodePalette />
              </details>
            ) : null}
            <Inspector readOnly={readOnly} shape={shape} isGuideOpen={isGuideOpen} />
          </div>
          <GraphProblems error={error} />
          {watched ? <RunningGraphGuide /> : null}
        </ReactFlowProvider>
      </BlueprintIdContext>
    </CatalogueContext>
  );
}

const FormChoice = ({ isList, onChoose }: { isList: boolean; onChoose: (isList: boolean) => void }) => (
  <div className="form-choice">
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t('Form of the graph')}
      value={isList ? 'list' : 'graph'}
      data={[
        { value: 'list', label: t('List') },
        { value: 'graph', label: t('Graph') },
      ]}
      onChange={(form) => onChoose(form === 'list')}
    />
  </div>
);

/** The state of each node while it runs: from the stream, until then as the server last stored it. */
function useNodeStates(id: string, stored: unknown, watched: boolean, pastAt: string | undefined): void {
  const live = useLive(({ nodeStates }) => nodeStates[id]);
  const ids = useEditor(useShallow((editor) => editor.nodes.map((node) => node.id)));
  const trail = useEditor((editor) => editor.trail);
  useEffect(() => {
    const statesAt = pastAt === undefined ? undefined : new Date(pastAt);
    const all = (watched && pastAt === undefined ? live : undefined) ?? nodeStatesOf(stored);
    const states = statesWithin(all, trail);
    const copies = copyStatesOf(new Set(ids), states);
    const byNode = statesByNode(states, copies);
    useEditor.setState(({ recent }) => ({
      states: byNode,
      copies,
      statesAt,
      recent: statesAt ? recent : withLatest(recent, byNode),
    }));
  }, [live, stored, watched, pastAt, ids, trail]);
  useEffect(() => {
    if (!watched) return;
    const watch = () => watchBlueprint(id);
    watch();
    window.addEventListener('focus', watch);
    return () => {
      window.removeEventListener('focus', watch);
      watchBlueprint(null);
      forgetNodeStates(id);
    };
  }, [id, watched]);
}

function EmptyHint({ readOnly, small }: { readOnly: boolean; small: boolean }) {
  const empty = useEditor((editor) => editor.nodes.length === 0);
  const templates = useQuery({
    ...trpc.console.templates.queryOptions({}),
    staleTime: 300_000,
    enabled: empty && !readOnly,
  });
  if (!empty || readOnly) return null;
  return (
    <div className="canvas-hint">
      <div className="panel">
        <strong>{t('Add a first node')}</strong>
        <span className="dim">
          {small
            ? t('Choose one below the graph, or start from an example:')
            : t('Press or drag one from the left, or start from an example:')}
        </span>
        {templates.data?.slice(0, 3).map(({ key, name, summary, visual }) => (
          <Button
            key={key}
            variant="default"
            title={translateServed(summary)}
            onClick={() => replaceGraph(readGraph(visual))}
          >
            {translateServed(name)}
          </Button>
        ))}
      </div>
    </div>
  );
}

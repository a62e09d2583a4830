import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { readProblem } from '../../api/problem.ts';
import { type Outputs, trpc } from '../../api/trpc.ts';
import { NotFound } from '../../shell/dead-ends.tsx';
import { RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Banners } from './banners.tsx';
import { useAutosave, useValidation } from './graph/autosave.ts';
import { BlueprintHeader } from './header.tsx';
import { OrdersTab } from './orders-tab.tsx';
import { PerformanceTab } from './performance-tab.tsx';
import { ReleasesTab } from './releases-tab.tsx';

const GraphTab = lazy(() => import('./graph/graph-tab.tsx'));
const JsonTab = lazy(() => import('./json-tab.tsx'));

/** As stored, with the version that edits and decisions rest on. */
export type Blueprint = Outputs['console']['blueprint'];

const TABS = [
  ['graph', 'Graph'],
  ['json', 'JSON'],
  ['orders', 'Orders'],
  ['performance', 'Performance'],
  ['releases', 'Releases'],
] as const;

export function BlueprintPage() {
  const { id } = useParams({ from: '/shell/blueprints/$id' });
  const blueprint = useQuery({
    ...trpc.console.blueprint.queryOptions({ id }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 10_000 : false),
  });
  if (blueprint.data) return <Loaded key={id} blueprint={blueprint.data} />;
  if (!blueprint.error) return <RowSkeleton rows={8} height={50} />;
  return readProblem(blueprint.error).status === 404 ? (
    <NotFound />
  ) : (
    <ProblemNotice error={blueprint.error} retry={() => void blueprint.refetch()} />
  );
}

function Loaded({ blueprint }: { blueprint: Blueprint }) {
  const { id, status } = blueprint;
  const { tab = 'graph', node } = useSearch({ from: '/shell/blueprints/$id' });
  const navigate = useNavigate({ from: '/blueprints/$id' });
  const readOnly = status === 'running';
  const autosave = useAutosave(blueprint, readOnly);
  useValidation(id);
  const saveNow = () => void autosave.save();
  return (
    <div className="page" data-subject={id}>
      <BlueprintHeader blueprint={blueprint} autosave={autosave} />
      <Banners blueprint={blueprint} autosave={autosave} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => void navigate({ search: next ? { tab: next } : {}, replace: true })}
      >
        <Tabs.List mb="sm">
          {TABS.map(([value, title]) => (
            <Tabs.Tab key={value} value={value}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="graph">
          <Suspense fallback={<span className="skeleton" style={{ height: 440 }} />}>
            <div className="stack">
              <GraphTab
                id={id}
                error={blueprint.error}
                nodeStates={blueprint.nodeStates}
                watched={status === 'running' || status === 'error'}
                readOnly={readOnly}
                focus={node}
                save={saveNow}
              />
            </div>
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <Suspense fallback={<span className="skeleton" style={{ height: 440 }} />}>
            <JsonTab name={blueprint.name} readOnly={readOnly} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="orders">
          <OrdersTab id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="performance">
          <PerformanceTab id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="releases">
          <ReleasesTab blueprint={blueprint} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { readProblem } from '../../../api/problem.ts';
import type { Blueprint } from '../../../api/row-types.ts';
import { trpc } from '../../../api/trpc.ts';
import { useDraftSync } from '../../../editor/use-draft-sync.ts';
import { useValidation } from '../../../editor/use-validation.ts';
import { msg, t } from '../../../language/language.ts';
import { NotFound } from '../../../shell/error-pages.tsx';
import { LeaveGuard } from '../../../ui/dialogs/leave-guard.tsx';
import { onDemand } from '../../../ui/help/on-demand.tsx';
import { RowSkeleton } from '../../../ui/panel.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { copyName, useCreate } from '../create.ts';
import { Banners } from './banners.tsx';
import { BlueprintHeader } from './header.tsx';
import { RunningStrip } from './running-strip.tsx';

const rows = () => <RowSkeleton rows={8} height={50} />;
const GraphEditor = onDemand(
  async () => (await import('../../../editor/graph-editor.tsx')).GraphEditor,
  rows,
);
const TextTab = onDemand(async () => (await import('./text-tab.tsx')).TextTab, rows);
const JsonTab = onDemand(async () => (await import('./json-tab.tsx')).JsonTab, rows);
const OrdersTab = onDemand(async () => (await import('./orders-tab.tsx')).OrdersTab, rows);
const TradesTab = onDemand(async () => (await import('./trading/trades-tab.tsx')).TradesTab, rows);
const LogTab = onDemand(async () => (await import('./trading/log-tab.tsx')).LogTab, rows);
const PerformanceTab = onDemand(async () => (await import('./performance-tab.tsx')).PerformanceTab, rows);
const BacktestTab = onDemand(async () => (await import('./backtest-tab.tsx')).BacktestTab, rows);
const ReleasesTab = onDemand(async () => (await import('./releases-tab.tsx')).ReleasesTab, rows);

const TABS = [
  ['graph', msg('Graph')],
  ['text', msg('Text')],
  ['json', msg('JSON')],
  ['orders', msg('Orders')],
  ['trades', msg('Trades')],
  ['log', msg('Log')],
  ['backtest', msg('Backtest')],
  ['performance', msg('Performance')],
  ['releases', msg('Releases')],
] as const;

/** The tabs that show the graph, each in a form of its own. */
const FORMS: readonly string[] = ['graph', 'text', 'json'];

export function BlueprintPage(): ReactNode {
  const { id } = useParams({ from: '/shell/blueprints/$id' });
  const blueprint = useQuery({
    ...trpc.console.blueprint.queryOptions({ id }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 10_000 : false),
  });
  if (blueprint.data) return <Loaded key={id} blueprint={blueprint.data} />;
  if (!blueprint.error) return <RowSkeleton rows={8} height={50} />;
  // An address with an invalid id is refused as a bad request.
  return [400, 404].includes(readProblem(blueprint.error).status ?? 0) ? (
    <NotFound />
  ) : (
    <ProblemNotice error={blueprint.error} retry={() => void blueprint.refetch()} />
  );
}

/** Scrolls the row of tabs to the open one: on a phone they are wider than the window. */
function showOpenTab(list: HTMLElement | null, tab: string): void {
  const open = list?.children[TABS.findIndex(([value]) => value === tab)];
  if (list && open instanceof HTMLElement)
    list.scrollLeft = open.offsetLeft - (list.clientWidth - open.offsetWidth) / 2;
}

function Loaded({ blueprint }: { blueprint: Blueprint }) {
  const { id, name, status } = blueprint;
  const { tab = 'graph', node, run } = useSearch({ from: '/shell/blueprints/$id' });
  const navigate = useNavigate({ from: '/blueprints/$id' });
  const readOnly = status === 'running';
  const isWatched = readOnly || status === 'error';
  const draft = useDraftSync(blueprint);
  const { sync } = draft;
  const save = useCallback(() => sync.save(), [sync]);
  useValidation(id, readOnly);
  /** Text that was typed and not applied, and the graph's text when typing began, by tab. */
  const [typed, setTyped] = useState<Record<string, { text: string | null; from: string | null }>>({});
  const typedIn = (form: string) => ({
    typed: (readOnly ? null : typed[form]?.text) ?? null,
    typedFrom: typed[form]?.from ?? null,
    setTyped: (text: string | null, from: string | null = null) =>
      setTyped((all) => ({ ...all, [form]: { text, from } })),
  });
  // Also while a running strategy hides it: leaving the page would lose it.
  const isTyped = Object.values(typed).some(({ text }) => text !== null);
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => showOpenTab(tabs.current, tab), [tab]);
  const create = useCreate();
  const isOutrun = draft.outrun.length > 0 && !create.isPending;
  return (
    <div className="page" data-subject={id}>
      <LeaveGuard
        title={t('Leave “{name}” with edits that are not saved?', { name })}
        action={t('Leave without the edits')}
        isLossy={() => isTyped || isOutrun || sync.hasEdits()}
        keep={async () => (await sync.save()) && !isTyped && !isOutrun}
        onLeave={() => sync.discard()}
      >
        {isTyped ? t('What you typed is not applied.') : t('Unsaved edits are lost when you leave.')}
      </LeaveGuard>
      <BlueprintHeader blueprint={blueprint} draft={draft} isTyped={isTyped} />
      <Banners
        blueprint={blueprint}
        draft={draft}
        showsGraph={FORMS.includes(tab)}
        keepAsDraft={(visual) => create.mutate({ name: copyName(name), visual })}
      />
      {isWatched ? <RunningStrip blueprint={blueprint} hasResult={tab !== 'performance'} /> : null}
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => void navigate({ search: next ? { tab: next } : {}, replace: true })}
      >
        <Tabs.List mb="sm" ref={tabs}>
          {TABS.map(([value, title]) => (
            <Tabs.Tab key={value} value={value}>
              {t(title)}
              {typedIn(value).typed !== null ? `, ${t('not applied')}` : null}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="graph">
          <div className="stack">
            <GraphEditor
              id={id}
              error={blueprint.error}
              nodeStates={isWatched ? blueprint.nodeStates : null}
              watched={isWatched}
              readOnly={readOnly}
              focus={node}
              save={save}
            />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <TextTab name={name} readOnly={readOnly} {...typedIn('text')} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonTab name={name} readOnly={readOnly} {...typedIn('json')} />
        </Tabs.Panel>
        <Tabs.Panel value="orders">
          <OrdersTab id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="trades">
          <TradesTab id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <LogTab id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="backtest">
          <BacktestTab blueprint={blueprint} runId={run} save={save} />
        </Tabs.Panel>
        <Tabs.Panel value="performance">
          <PerformanceTab id={id} createdAt={blueprint.createdAt} />
        </Tabs.Panel>
        <Tabs.Panel value="releases">
          <ReleasesTab blueprint={blueprint} takeStored={() => sync.takeTheirs()} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

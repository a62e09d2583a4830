import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { serviceMs } from '../../../api/clock.ts';
import { readProblem } from '../../../api/problem.ts';
import type { Backtest, Blueprint } from '../../../api/row-types.ts';
import { client, invalidate, newIdempotencyKey, trpc } from '../../../api/trpc.ts';
import { PlannedAssumptionsPanel } from '../../../backtests/assumptions.tsx';
import { DataCoveragePanel } from '../../../backtests/data-coverage.tsx';
import { FormFields, StartButton } from '../../../backtests/form.tsx';
import { RunView } from '../../../backtests/run-view.tsx';
import { BacktestStatusMark } from '../../../backtests/status.tsx';
import { useBacktest, useBacktests } from '../../../backtests/use-backtest.ts';
import { amount, signedFineShare } from '../../../format/number.ts';
import {
  type BacktestForm,
  backtestFaults,
  backtestFormOf,
  backtestRequestOf,
  blankBacktestForm,
  formAssumptionWords,
} from '../../../format/research/backtest-form.ts';
import { instrumentsOfGraph } from '../../../format/research/graph-instruments.ts';
import { t } from '../../../language/language.ts';
import { curl } from '../../../ui/copy.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel, RowSkeleton } from '../../../ui/panel.tsx';
import { PendingRows } from '../../../ui/pending-rows.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { Pnl } from '../../../ui/status.tsx';
import { Age } from '../../../ui/time.tsx';

type TabProps = {
  blueprint: Blueprint;
  /** The run to show; the newest if none is requested. */
  runId: string | undefined;
  /** Stores the graph on screen; returns whether it is stored. */
  save: () => Promise<boolean>;
};

/** Shows a run, the newest if none is requested, and the form of the next one: it starts with the last request. */
export function BacktestTab({ blueprint, runId, save }: TabProps) {
  const runs = useBacktests(blueprint.id);
  if (!runs.data) return <PendingRows query={runs} rows={8} height={44} />;
  const [newest] = runs.data;
  const id = runId ?? newest?.id;
  if (!newest || !id) {
    return (
      <div className="stack">
        <Ask blueprint={blueprint} last={null} save={save} />
        <Panel title={t('Runs')}>
          <EmptyState
            title={t('No run yet')}
            why={t(
              'A backtest runs the strategy over history with the rules, fees and matching of paper trading.',
            )}
            command={curl('POST', '/api/backtests', { blueprintId: blueprint.id, from: '…', to: '…' })}
          />
        </Panel>
      </div>
    );
  }
  return (
    <RunView
      key={id}
      id={id}
      more={[
        {
          name: 'runs',
          title: t('Runs, {count}', { count: amount(runs.data.length) }),
          content: <Runs blueprintId={blueprint.id} rows={runs.data} runId={id} />,
        },
        {
          name: 'new',
          title: t('New run'),
          content: (
            <LastRequest key={blueprint.id} id={newest.id}>
              {(last) => <Ask blueprint={blueprint} last={last} save={save} />}
            </LastRequest>
          ),
        },
      ]}
    />
  );
}

type LastRequestProps = { id: string; children: (last: Backtest | null) => React.ReactNode };

/** The last request, read once: the form must not change while the user types. */
function LastRequest({ id, children }: LastRequestProps) {
  const [first] = useState(id);
  const last = useBacktest(first);
  if (!last.data && !last.error) return <RowSkeleton rows={6} height={44} />;
  return children(last.data ?? null);
}

type AskProps = { blueprint: Blueprint; last: Backtest | null; save: () => Promise<boolean> };

function Ask({ blueprint: { id, visual }, last, save }: AskProps) {
  const navigate = useNavigate({ from: '/blueprints/$id' });
  const releases = useQuery(trpc.blueprints.releases.queryOptions({ id }));
  const [form, setForm] = useState<BacktestForm>(() =>
    last ? backtestFormOf(last.request, serviceMs()) : blankBacktestForm(serviceMs()),
  );
  const [isFresh, setFresh] = useState(false);
  const tokens = instrumentsOfGraph(visual);
  const start = useMutation({
    mutationFn: async () => {
      if (form.of === 'draft' && !(await save())) throw new Error(t('The strategy could not be saved.'));
      return client.backtests.start.mutate(
        { ...backtestRequestOf(id, form), fresh: isFresh },
        { context: { idempotencyKey: newIdempotencyKey() } },
      );
    },
    onSuccess: ({ id: run, reusedFrom }) => {
      if (reusedFrom) notifications.show({ message: t('The same was run before: this is its result.') });
      invalidate(trpc.backtests.pathFilter());
      void navigate({ search: { tab: 'backtest', run }, replace: true });
    },
  });
  const faults = backtestFaults(form);
  return (
    <div className="grid-2">
      <Panel
        title={t('Run backtest')}
        actions={
          <Link to="/sweeps/new" search={{ blueprint: id }} className="chip">
            {t('Optimize parameters')}
          </Link>
        }
      >
        <form
          className="stack"
          aria-label={t('Backtest')}
          onSubmit={(event) => {
            event.preventDefault();
            if (Object.keys(faults).length === 0) start.mutate();
          }}
        >
          <FormFields
            form={form}
            faults={faults}
            releases={releases.data?.map(({ number }) => number) ?? []}
            tokens={tokens}
            onChange={(change) => setForm((now) => ({ ...now, ...change }))}
          />
          <label className="row tight">
            <input
              type="checkbox"
              checked={isFresh}
              onChange={(event) => setFresh(event.currentTarget.checked)}
            />
            {t('Ignore cached result')}
          </label>
          <StartButton faults={faults} isPending={start.isPending} />
          {start.error ? <StartProblem error={start.error} /> : null}
        </form>
      </Panel>
      <div className="stack">
        <PlannedAssumptionsPanel lines={formAssumptionWords(form)} />
        <DataCoveragePanel visual={visual} from={form.from} to={form.to} />
      </div>
    </div>
  );
}

/** The reason why a run cannot start; issues of the graph link to it. */
function StartProblem({ error }: { error: unknown }) {
  const { issues } = readProblem(error);
  return (
    <>
      <ProblemNotice error={error} />
      {issues.some(({ path }) => path.startsWith('/nodes') || path.startsWith('/visual')) ? (
        <Link to="." search={{ tab: 'graph' }}>
          {t('To the graph')}
        </Link>
      ) : null}
    </>
  );
}

type RunsProps = {
  blueprintId: string;
  rows: NonNullable<ReturnType<typeof useBacktests>['data']>;
  runId: string | undefined;
};

const LISTED = 6;

function Runs({ blueprintId, rows, runId }: RunsProps) {
  return (
    <Panel
      title={t('Runs')}
      flush
      actions={
        <Link to="/backtests" search={{ blueprint: blueprintId }}>
          {t('All {rows}', { rows: rows.length })}
        </Link>
      }
    >
      <ul className="list">
        {rows.slice(0, LISTED).map(({ id, status, outline, createdAt, notes }) => (
          <li key={id} className="row apart" data-run={id}>
            <Link
              to="/blueprints/$id"
              params={{ id: blueprintId }}
              search={{ tab: 'backtest', run: id }}
              replace
              aria-current={id === runId ? 'true' : undefined}
              className="run-link"
            >
              <BacktestStatusMark status={status} /> <Age at={createdAt} />
            </Link>
            {notes === '' ? null : <span className="dim small clip">{notes}</span>}
            <span className="row figures">
              <Pnl value={outline?.netProfit} />
              <span className="dim">{signedFineShare(outline?.totalReturn.value)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

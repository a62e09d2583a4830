import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { serviceMs } from '../../api/clock.ts';
import type { Blueprint, Sweep } from '../../api/row-types.ts';
import { client, invalidate, newIdempotencyKey, trpc } from '../../api/trpc.ts';
import { PlannedAssumptionsPanel } from '../../backtests/assumptions.tsx';
import { DataCoveragePanel } from '../../backtests/data-coverage.tsx';
import { FormFields } from '../../backtests/form.tsx';
import { useCatalogue } from '../../editor/use-catalogue.ts';
import {
  backtestFaults,
  blankBacktestForm,
  formAssumptionWords,
  LOOK_AHEAD,
} from '../../format/research/backtest-form.ts';
import { instrumentsOfGraph } from '../../format/research/graph-instruments.ts';
import { t } from '../../language/language.ts';
import { ParameterFields, TrialOptionFields } from '../../sweeps/form.tsx';
import {
  BLANK_SWEEP,
  hasNoFault,
  sizeWords,
  sweepFaultsOf,
  sweepFormsOf,
  sweepRequestOf,
  sweepSizeOf,
} from '../../sweeps/form-values.ts';
import { type Parameter, parametersOf } from '../../sweeps/parameters.ts';
import { useSweep } from '../../sweeps/use-sweep.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Labelled } from '../../ui/fields/labelled.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';

/** Asks for a sweep of a blueprint; from another sweep it starts with that one's request. */
export function NewSweepPage() {
  const { blueprint, like } = useSearch({ from: '/shell/sweeps/new' });
  const navigate = useNavigate({ from: '/sweeps/new' });
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  return (
    <div className="page">
      <PageHead title={t('New sweep')}>
        <Link to="/sweeps" className="chip large">
          {t('All sweeps')}
        </Link>
      </PageHead>
      <PendingRows query={blueprints} rows={1} height={44} />
      {blueprints.data?.length === 0 ? (
        <EmptyState
          title={t('No strategy to optimize')}
          why={t('A sweep needs a strategy: create one first, or start from an example.')}
          action={<Link to="/blueprints">{t('Go to strategies')}</Link>}
        />
      ) : null}
      {blueprints.data && blueprints.data.length > 0 ? (
        <Panel title={t('Strategy')}>
          <div className="form-grid">
            <Labelled id="sweep-blueprint" label={t('Strategy')}>
              <select
                id="sweep-blueprint"
                className="text-input"
                value={blueprint ?? ''}
                onChange={(event) =>
                  void navigate({ search: { blueprint: event.currentTarget.value }, replace: true })
                }
              >
                {blueprint ? null : <option value="">{t('Choose')}</option>}
                {blueprints.data.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Labelled>
          </div>
        </Panel>
      ) : null}
      {blueprint ? <Loading key={`${blueprint} ${like}`} id={blueprint} like={like} /> : null}
    </div>
  );
}

function Loading({ id, like }: { id: string; like: string | undefined }) {
  const blueprint = useQuery(trpc.console.blueprint.queryOptions({ id }));
  const catalogue = useCatalogue();
  const before = useSweep(like ?? '', like !== undefined);
  const error = blueprint.error ?? catalogue.error;
  const isThere = blueprint.data && catalogue.data && (like === undefined || before.data || before.error);
  if (error && !isThere) return <ProblemNotice error={error} retry={() => void blueprint.refetch()} />;
  if (!blueprint.data || !catalogue.data || !isThere) return <RowSkeleton rows={8} height={44} />;
  return (
    <Ask
      blueprint={blueprint.data}
      before={before.data ?? null}
      parameters={parametersOf(blueprint.data.visual, catalogue.data)}
    />
  );
}

type AskProps = { blueprint: Blueprint; before: Sweep | null; parameters: readonly Parameter[] };

function Ask({ blueprint: { id, visual }, before, parameters }: AskProps) {
  const navigate = useNavigate();
  const [earlier] = useState(() => before && sweepFormsOf(before, serviceMs()));
  const [run, setRun] = useState(() => ({
    ...(earlier?.run ?? blankBacktestForm(serviceMs())),
    of: 'draft',
  }));
  const [form, setForm] = useState(earlier?.form ?? BLANK_SWEEP);
  const tokens = instrumentsOfGraph(visual);
  const faults = sweepFaultsOf(form, run);
  const size = sweepSizeOf(form, run);
  const start = useMutation({
    mutationFn: () =>
      client.sweeps.start.mutate(sweepRequestOf(id, run, form, parameters), {
        context: { idempotencyKey: newIdempotencyKey() },
      }),
    onSuccess: ({ id: sweep }) => {
      invalidate(trpc.sweeps.pathFilter());
      void navigate({ to: '/sweeps/$id', params: { id: sweep } });
    },
  });
  const canStart = hasNoFault(run, faults);
  return (
    <form
      className="stack"
      aria-label={t('Sweep')}
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart) start.mutate();
      }}
    >
      <div className="grid-2">
        <div className="stack">
          <Panel title={t('Parameters')}>
            <ParameterFields
              form={form}
              faults={faults}
              parameters={parameters}
              onChange={(change) => setForm((now) => ({ ...now, ...change }))}
            />
          </Panel>
          <Panel title={t('Search and ranking')}>
            <TrialOptionFields
              form={form}
              faults={faults}
              onChange={(change) => setForm((now) => ({ ...now, ...change }))}
            />
          </Panel>
          <Panel title={t('Backtest settings')}>
            <FormFields
              form={run}
              faults={backtestFaults(run)}
              releases={[]}
              tokens={tokens}
              isOfMany
              onChange={(change) => setRun((now) => ({ ...now, ...change }))}
            />
          </Panel>
        </div>
        <div className="stack">
          <Panel title={t('Size of this sweep')}>
            <div className="stack">
              <p className="plain" role="status" data-size={size.trials}>
                {sizeWords(size)}
              </p>
              {faults.all.length > 0 ? (
                <ul className="plain-list">
                  {faults.all.map((fault) => (
                    <li key={fault}>{fault}</li>
                  ))}
                </ul>
              ) : null}
              <p className="plain dim small">
                {t(
                  'The more combinations are tried, the better the best looks by luck alone. All trials ever made on this strategy and range count, not this sweep alone.',
                )}
              </p>
              <div className="row">
                <Button type="submit" disabled={!canStart} loading={start.isPending}>
                  {t('Start sweep')}
                </Button>
                {canStart || faults.all.length > 0 ? null : (
                  <span className="dim small">{t('Correct the marked fields first.')}</span>
                )}
              </div>
              {start.error ? <ProblemNotice error={start.error} /> : null}
            </div>
          </Panel>
          <PlannedAssumptionsPanel
            lines={formAssumptionWords(run).filter(({ name }) => name !== t(LOOK_AHEAD))}
          />
          <DataCoveragePanel visual={visual} from={run.from} to={run.to} />
        </div>
      </div>
    </form>
  );
}

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { MODE_PREFIX } from '../../api/page-mode.ts';
import { readProblem } from '../../api/problem.ts';
import type { Sweep, SweepOutline } from '../../api/row-types.ts';
import { invalidate, trpc } from '../../api/trpc.ts';
import { BacktestWarnings } from '../../backtests/backtest-warnings.tsx';
import { BacktestStatusMark } from '../../backtests/status.tsx';
import { amount, fineShare, signedFineShare } from '../../format/number.ts';
import type { Verdict } from '../../format/research/backtest-words.ts';
import { t, translateReason } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { NotFound } from '../../shell/error-pages.tsx';
import { ApplyTrialDialog } from '../../sweeps/apply-trial-dialog.tsx';
import { DeflatedSharpe, Overfitting } from '../../sweeps/deflated-sharpe.tsx';
import { OBJECTIVES } from '../../sweeps/figures.ts';
import { isSweepUnderWay, pointersOf } from '../../sweeps/form-values.ts';
import { Heatmap } from '../../sweeps/heatmap.tsx';
import { ParameterEffects } from '../../sweeps/parameter-effects.tsx';
import { scalarWords } from '../../sweeps/parameters.ts';
import { SweepProgressPanel } from '../../sweeps/progress.tsx';
import { TrialsPanel } from '../../sweeps/trials.tsx';
import { useParameterNames, useSweep } from '../../sweeps/use-sweep.ts';
import { WalkForwardPanels } from '../../sweeps/walk-forward.tsx';
import { Curl, curl, Id } from '../../ui/copy.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { Help } from '../../ui/help/help.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Time, TimeSpan } from '../../ui/time.tsx';

/** One sweep: its progress, its verdicts, and its figures. */
export function SweepPage() {
  const { id } = useParams({ from: '/shell/sweeps/$id' });
  const sweep = useSweep(id);
  if (sweep.data) return <Loaded key={id} sweep={sweep.data} />;
  if (!sweep.error) return <RowSkeleton rows={8} height={50} />;
  return [400, 404].includes(readProblem(sweep.error).status ?? 0) ? (
    <NotFound />
  ) : (
    <ProblemNotice error={sweep.error} retry={() => void sweep.refetch()} />
  );
}

function Loaded({ sweep }: { sweep: Sweep }) {
  const { id, name, status, blueprintId, failure, best, result } = sweep;
  const names = useParameterNames(sweep);
  const [deleting, setDeleting] = useState(false);
  const [applied, setApplied] = useState<number | null>(null);
  return (
    <div className="page" data-subject={id}>
      <PageHead
        title={
          <>
            {name} <span className="dim">{t('sweep')}</span>
          </>
        }
      >
        <BacktestStatusMark status={status} />
        {blueprintId ? (
          <>
            <Link to="/blueprints/$id" params={{ id: blueprintId }} className="chip large">
              {t('Strategy')}
            </Link>
            <Link to="/sweeps/new" search={{ blueprint: blueprintId, like: id }} className="chip large">
              {t('Ask again with changes')}
            </Link>
          </>
        ) : null}
        <Button variant="default" disabled={isSweepUnderWay(sweep)} onClick={() => setDeleting(true)}>
          {t('Delete…')}
        </Button>
      </PageHead>
      <SweepProgressPanel sweep={sweep} />
      {failure ? (
        <div className="notice bad" role="alert" data-failure={failure.code}>
          <strong>{t('It failed.')}</strong> {translateReason(failure.message)}
        </div>
      ) : null}
      {status === 'canceled' ? (
        <div className="notice warn" role="note">
          {t('It was canceled: the trials made until then stand below, and count. Nothing was judged.')}
        </div>
      ) : null}
      {result ? <BacktestWarnings verdicts={named(result.verdicts, sweep, names)} /> : null}
      {best && result ? (
        <BestKpis sweep={sweep} best={best} names={names} trialsEver={result.trialsEver} />
      ) : null}
      {names.length > 1 ? <Heatmap sweep={sweep} names={names} onApply={setApplied} /> : null}
      {result ? <ParameterEffects sweep={sweep} profile={result.profile} names={names} /> : null}
      {result?.walkForward ? <WalkForwardPanels id={id} walk={result.walkForward} names={names} /> : null}
      <TrialsPanel sweep={sweep} names={names} onApply={setApplied} />
      <Refused sweep={sweep} names={names} />
      <Facts sweep={sweep} />
      {deleting ? <DeleteDialog sweep={sweep} onClose={() => setDeleting(false)} /> : null}
      {applied === null ? null : (
        <ApplyTrialDialog sweep={sweep} names={names} number={applied} onClose={() => setApplied(null)} />
      )}
    </div>
  );
}

/** Verdicts with each pointer into the graph replaced by the parameter's name. */
const named = (verdicts: readonly Verdict[], sweep: Sweep, names: readonly string[]): Verdict[] =>
  verdicts.map((verdict) => ({
    ...verdict,
    message: pointersOf(sweep).reduce(
      (message, pointer, index) => message.replaceAll(pointer, `“${names[index] ?? pointer}”`),
      verdict.message,
    ),
  }));

type BestProps = {
  sweep: Sweep;
  best: NonNullable<SweepOutline['best']>;
  names: readonly string[];
  trialsEver: number;
};

/** The return of the best trial, beside the share that luck explains. */
const BestKpis = ({ sweep, best, names, trialsEver }: BestProps) => (
  <div className="grid-4">
    <div className="kpi">
      <span className="label">{t('Return of the best trial')}</span>
      <span className="value">{signedFineShare(best.figures.totalReturn.value)}</span>
      <span className="note">
        {best.values.map((value, index) => `${names[index]} ${scalarWords(value)}`).join(', ')}
      </span>
    </div>
    <div className="kpi">
      <span className="label">
        <Trans
          message="More than luck {help}"
          values={{
            help: (
              <Help of={t('More than luck')}>
                {t(
                  'Deflated Sharpe: how probable it is that its Sharpe ratio is above what luck alone shows in as many trials. Below 95% it may be luck.',
                )}
              </Help>
            ),
          }}
        />
      </span>
      <span className="value">
        <DeflatedSharpe of={best.deflatedSharpe} />
      </span>
      <span className="note">
        {t('of {trialsEver, plural, one {# trial} other {# trials}} ever made on this strategy and range', {
          trialsEver,
        })}
      </span>
    </div>
    <div className="kpi">
      <span className="label">
        <Trans
          message="Overfitted {help}"
          values={{
            help: (
              <Help of={t('Overfitted')}>
                {t(
                  'Probability of backtest overfitting: in how many halvings of the time the best of one half lies below the middle in the other. Above 50% choosing the best was worse than chance.',
                )}
              </Help>
            ),
          }}
        />
      </span>
      <span className="value">
        <Overfitting of={best.probabilityOfOverfitting} />
      </span>
      <span className="note">
        {t('{trials, plural, one {# trial} other {# trials}} compared', { trials: sweep.trials })}
      </span>
    </div>
    <div className="kpi">
      <span className="label">{t('Sharpe of the best trial')}</span>
      <span className="value">
        {best.figures.sharpe.value === null ? '—' : OBJECTIVES.sharpe.write(best.figures.sharpe.value)}
      </span>
      <span className="note">
        {t('{closed, plural, one {# trade} other {# trades}}, max. drawdown {maxDrawdown}', {
          closed: best.figures.closed,
          maxDrawdown: fineShare(-best.figures.maxDrawdown),
        })}
      </span>
    </div>
  </div>
);

function Refused({ sweep: { refused }, names }: { sweep: Sweep; names: readonly string[] }) {
  if (!refused || refused.count === 0) return null;
  return (
    <Panel title={t('Not run: {count} do not compile', { count: amount(refused.count) })}>
      <ul className="plain-list tall">
        {refused.first.map(({ values, issues }) => (
          <li key={values.join()}>
            {values.map((value, index) => `${names[index]} ${scalarWords(value)}`).join(', ')}:{' '}
            {issues.map(({ message }) => message).join(' ')}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const Facts = ({ sweep: { id, from, to, createdAt, request } }: { sweep: Sweep }) => (
  <Panel title={t('Sweep details')}>
    <div className="stack">
      <dl className="facts">
        <dt>{t('Range')}</dt>
        <dd>
          <TimeSpan from={from} to={to} />
        </dd>
        <dt>{t('Requested')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>{t('ID')}</dt>
        <dd>
          <Id id={id} label={t('sweep ID')} />
        </dd>
      </dl>
      <details>
        <summary>{t('The request, every default written out')}</summary>
        <pre className="mono">{JSON.stringify(request, null, 2)}</pre>
      </details>
      {MODE_PREFIX === '' ? <Curl command={curl('GET', `/api/sweeps/${id}`)} /> : null}
    </div>
  </Panel>
);

function DeleteDialog({ sweep: { id, name }, onClose }: { sweep: Sweep; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.sweeps.delete.mutationOptions({
      onSuccess: () => {
        invalidate(trpc.sweeps.list.pathFilter());
        void navigate({ to: '/sweeps' });
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('Delete this sweep of “{name}”?', { name })}
      action={t('Delete sweep')}
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p className="plain">
        {t('With its trials. Their number still counts against later sweeps of the strategy.')}
      </p>
    </ConfirmDialog>
  );
}

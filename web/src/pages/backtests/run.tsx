import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { readProblem } from '../../api/problem.ts';
import type { Backtest } from '../../api/row-types.ts';
import { invalidate, trpc } from '../../api/trpc.ts';
import { RunView } from '../../backtests/run-view.tsx';
import { BacktestStatusMark } from '../../backtests/status.tsx';
import { useBacktest } from '../../backtests/use-backtest.ts';
import { isUnderWay } from '../../format/research/backtest-words.ts';
import { t } from '../../language/language.ts';
import { NotFound } from '../../shell/error-pages.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';

/** One run, whatever page started it. */
export function RunPage() {
  const { id } = useParams({ from: '/shell/backtests/$id' });
  const run = useBacktest(id);
  if (run.data) return <Loaded key={id} run={run.data} />;
  if (!run.error) return <RowSkeleton rows={8} height={50} />;
  return [400, 404].includes(readProblem(run.error).status ?? 0) ? (
    <NotFound />
  ) : (
    <ProblemNotice error={run.error} retry={() => void run.refetch()} />
  );
}

function Loaded({ run }: { run: Backtest }) {
  const { id, name, status, blueprintId, pinned } = run;
  const [deleting, setDeleting] = useState(false);
  const change = useUpdate();
  return (
    <div className="page" data-subject={id}>
      <PageHead
        title={
          <>
            {name} <span className="dim">{t('backtest')}</span>
          </>
        }
      >
        <BacktestStatusMark status={status} />
        {blueprintId ? (
          <Link
            to="/blueprints/$id"
            params={{ id: blueprintId }}
            search={{ tab: 'backtest' }}
            className="chip large"
          >
            {t('Strategy')}
          </Link>
        ) : null}
        <Button
          variant="default"
          aria-pressed={pinned}
          title={t('A pinned run is never deleted to make room for a new one')}
          loading={change.isPending}
          onClick={() => change.mutate({ id, pinned: !pinned })}
        >
          {pinned ? t('Unpin') : t('Pin')}
        </Button>
        <Button variant="default" disabled={isUnderWay(run)} onClick={() => setDeleting(true)}>
          {t('Delete…')}
        </Button>
      </PageHead>
      <RunView id={id} />
      <Notes run={run} />
      {deleting ? <DeleteDialog run={run} onClose={() => setDeleting(false)} /> : null}
    </div>
  );
}

const useUpdate = () =>
  useMutation(
    trpc.backtests.update.mutationOptions({ onSettled: () => invalidate(trpc.backtests.pathFilter()) }),
  );

const NOTES_MAX = 2_000;

function Notes({ run: { id, notes } }: { run: Backtest }) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = useUpdate();
  const isChanged = typed !== null && typed !== notes;
  return (
    <Panel
      title={t('Notes')}
      actions={
        <Button
          variant="default"
          disabled={!isChanged}
          loading={save.isPending}
          onClick={() => save.mutate({ id, notes: typed ?? notes }, { onSuccess: () => setTyped(null) })}
        >
          {t('Save notes')}
        </Button>
      }
    >
      <textarea
        className="text-input area"
        aria-label={t('Notes')}
        rows={3}
        maxLength={NOTES_MAX}
        placeholder={t('What was tried, and why.')}
        value={typed ?? notes}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {save.error ? <ProblemNotice error={save.error} /> : null}
    </Panel>
  );
}

function DeleteDialog({ run: { id, name }, onClose }: { run: Backtest; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.backtests.delete.mutationOptions({
      onSuccess: () => {
        invalidate(trpc.backtests.list.pathFilter());
        void navigate({ to: '/backtests' });
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('Delete this backtest of “{name}”?', { name })}
      action={t('Delete backtest')}
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p className="plain">{t('With its trades, orders, equity and notes. The strategy stays as it is.')}</p>
    </ConfirmDialog>
  );
}

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Backtest } from '../api/row-types.ts';
import { invalidate, trpc } from '../api/trpc.ts';
import { amount } from '../format/number.ts';
import { isUnderWay, phaseWords } from '../format/research/backtest-words.ts';
import { duration } from '../format/time.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { Panel } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';

/** The progress of a run, and the button that cancels it. The page may be left: the run continues. */
export function ProgressPanel({ run }: { run: Backtest }) {
  const { id, phase, progress, status } = run;
  const cancel = useMutation(
    trpc.backtests.cancel.mutationOptions({ onSettled: () => invalidate(trpc.backtests.pathFilter()) }),
  );
  if (!isUnderWay(run)) return null;
  const percent = progress?.percent ?? 0;
  return (
    <Panel
      title={status === 'queued' ? t('Waiting for its turn') : phaseWords(phase)}
      actions={
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
          {t('Cancel run')}
        </Button>
      }
    >
      <div className="stack tight">
        <progress max={100} value={percent} aria-label={t('Progress of the run')} className="progress" />
        <div className="row baseline small dim figures">
          <span>{amount(Math.floor(percent))}%</span>
          {progress ? (
            <span>
              {t('{evaluationsPerSec} evaluations per second', {
                evaluationsPerSec: amount(Math.round(progress.evaluationsPerSec)),
              })}
            </span>
          ) : null}
          {progress?.simulatedAt ? (
            <span>
              <Trans message="now at {time}" values={{ time: <Time at={progress.simulatedAt} /> }} />
            </span>
          ) : null}
          {progress?.etaSec === null || progress === null ? null : (
            <span>{t('{etaSec} left', { etaSec: duration(progress.etaSec * 1_000) })}</span>
          )}
        </div>
        <p className="plain dim small">
          {t('It keeps running without this page: come back to it here or under Backtests.')}
        </p>
        {cancel.error ? <ProblemNotice error={cancel.error} /> : null}
      </div>
    </Panel>
  );
}

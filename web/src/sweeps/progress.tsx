import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Sweep } from '../api/row-types.ts';
import { invalidate, trpc } from '../api/trpc.ts';
import { amount } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { isSweepUnderWay } from './form-values.ts';

/** The progress of a sweep, and the button that cancels it. The page may be left: the sweep continues. */
export function SweepProgressPanel({ sweep }: { sweep: Sweep }) {
  const { id, progress, status } = sweep;
  const cancel = useMutation(
    trpc.sweeps.cancel.mutationOptions({ onSettled: () => invalidate(trpc.sweeps.pathFilter()) }),
  );
  if (!isSweepUnderWay(sweep)) return null;
  const { done = 0, total = null, etaSec = null } = progress ?? {};
  return (
    <Panel
      title={
        status === 'queued'
          ? t('Waiting for its turn')
          : total === null
            ? t('Compiling the combinations')
            : t('Running the trials')
      }
      actions={
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
          {t('Cancel sweep')}
        </Button>
      }
    >
      <div className="stack tight">
        <progress
          max={total ?? 1}
          value={total === null ? 0 : done}
          aria-label={t('Progress of the sweep')}
          className="progress"
        />
        <div className="row baseline small dim figures">
          {total === null ? null : (
            <span>{t('{done} of {total} runs', { done: amount(done), total: amount(total) })}</span>
          )}
          {etaSec === null ? null : <span>{t('{etaSec} left', { etaSec: duration(etaSec * 1_000) })}</span>}
        </div>
        <p className="plain dim small">
          {t(
            'It keeps running without this page: come back to it here or under Sweeps. If canceled, its trials stay.',
          )}
        </p>
        {cancel.error ? <ProblemNotice error={cancel.error} /> : null}
      </div>
    </Panel>
  );
}

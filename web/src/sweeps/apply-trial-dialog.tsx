import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Sweep } from '../api/row-types.ts';
import { client, invalidate, type Outputs, trpc } from '../api/trpc.ts';
import { t } from '../language/language.ts';
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx';
import { Skeleton } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { scalarWords } from './parameters.ts';

type ApplyProps = { sweep: Sweep; names: readonly string[]; number: number; onClose: () => void };
type Change = Outputs['console']['sweepChange'];

/** Writes a trial into the draft, after showing the changes. It replaces exactly the draft that was shown, or fails. */
export function ApplyTrialDialog({ sweep, names, number, onClose }: ApplyProps) {
  const navigate = useNavigate();
  const change = useQuery({
    ...trpc.console.sweepChange.queryOptions({ id: sweep.id, number }),
    staleTime: 0,
  });
  const apply = useMutation({
    mutationFn: (version: number) =>
      client.sweeps.applyTrial.mutate({ id: sweep.id, number }, { context: { ifMatch: `"v${version}"` } }),
    onSuccess: ({ id }) => {
      invalidate(trpc.console.blueprint.queryFilter({ id }));
      invalidate(trpc.console.blueprints.pathFilter());
      void navigate({ to: '/blueprints/$id', params: { id } });
    },
    onError: () => void change.refetch(),
  });
  const { data, error } = change;
  return (
    <ConfirmDialog
      title={t('Write trial {number} as the draft of “{name}”?', {
        number: number + 1,
        name: data?.blueprint.name ?? sweep.name,
      })}
      action={t('Write as draft')}
      blocked={data ? blockOf(data) : t('It is not compared with the draft yet.')}
      pending={apply.isPending}
      error={apply.error}
      onConfirm={() => data && apply.mutate(data.blueprint.version)}
      onClose={onClose}
    >
      {error && !data ? <ProblemNotice error={error} retry={() => void change.refetch()} /> : null}
      {data ? (
        <>
          <Values change={data} names={names} />
          <Edited edited={data.edited} />
        </>
      ) : error ? null : (
        <Skeleton height={120} />
      )}
      <p className="plain dim">{t('This deploys nothing: running strategies keep their release.')}</p>
    </ConfirmDialog>
  );
}

const blockOf = ({ blueprint }: Change): string | null =>
  blueprint.status === 'running'
    ? t('The strategy is running: stop it first, or duplicate it as a draft.')
    : null;

const Values = ({ change: { values }, names }: { change: Change; names: readonly string[] }) => (
  <table className="rows" aria-label={t('What changes')}>
    <thead>
      <tr>
        <th>{t('Parameter')}</th>
        <th className="num">{t('Now')}</th>
        <th className="num">{t('Then')}</th>
      </tr>
    </thead>
    <tbody>
      {values.map(({ pointer, now, next }, index) => (
        <tr key={pointer}>
          <td>{names[index] ?? pointer}</td>
          <td className="num">{now === null ? '—' : scalarWords(now)}</td>
          <td className="num">
            {now === next ? (
              <span className="dim">{t('as it is')}</span>
            ) : (
              <strong>{scalarWords(next)}</strong>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const EDITS = [
  ['added', 'added'],
  ['removed', 'removed'],
  ['changed', 'changed'],
  ['edgesAdded', 'wired'],
  ['edgesRemoved', 'unwired'],
] as const;

/** The sweep is of an older draft: applying it loses later edits. */
function Edited({ edited }: Pick<Change, 'edited'>) {
  const edits = EDITS.flatMap(([key, word]) =>
    edited[key].length > 0 ? [`${word}: ${edited[key].join(', ')}`] : [],
  );
  if (edits.length === 0) return null;
  return (
    <div className="notice warn" role="note">
      <strong>{t('The draft was edited since the sweep began. These edits go:')}</strong>
      <ul className="plain-list">
        {edits.map((edit) => (
          <li key={edit}>{edit}</li>
        ))}
      </ul>
    </div>
  );
}

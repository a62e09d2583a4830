import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { readProblem } from '../../api/problem.ts';
import { changeAccount } from '../../api/session.ts';
import { type Outputs, readAgain, trpc } from '../../api/trpc.ts';
import { browserWords } from '../../format/browser.ts';
import { t } from '../../language/language.ts';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';

type Session = Outputs['console']['sessions'][number];

/** Where this account is signed in, and the way to end it there. */
export function SessionsPanel() {
  const sessions = useQuery({ ...trpc.console.sessions.queryOptions({}), staleTime: 0 });
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const end = useMutation({
    mutationFn: (id: string | null) =>
      id === null ? changeAccount('revoke-other-sessions', {}) : changeAccount('revoke-session', { id }),
    onSettled: () => readAgain(trpc.console.sessions.pathFilter()),
    onSuccess: (_answer, id) =>
      notifications.show({
        message: id === null ? t('Signed out everywhere else.') : t('Signed out there.'),
      }),
    onError: (error) => notifications.show({ color: 'red', message: readProblem(error).message }),
  });
  return (
    <Panel
      title={t('Where you are signed in')}
      flush
      actions={
        others > 0 ? (
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
            {t('Sign out {others, plural, one {# other session} other {# other sessions}}', { others })}
          </Button>
        ) : null
      }
    >
      {sessions.error && !sessions.data ? (
        <ProblemNotice error={sessions.error} retry={() => void sessions.refetch()} />
      ) : null}
      {!sessions.data && !sessions.error ? <RowSkeleton rows={2} height={22} /> : null}
      {sessions.data ? (
        <table className="rows cards">
          <thead>
            <tr>
              <th>{t('Browser')}</th>
              <th>{t('Address')}</th>
              <th>{t('Signed in')}</th>
              <th>
                <span className="sr">{t('Actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.data.map((session) => (
              <Row key={session.id} session={session} isBusy={end.isPending} onEnd={end.mutate} />
            ))}
          </tbody>
        </table>
      ) : null}
    </Panel>
  );
}

type RowProps = { session: Session; isBusy: boolean; onEnd: (id: string) => void };

function Row({ session: { id, agent, address, startedAt, isCurrent }, isBusy, onEnd }: RowProps) {
  const browser = browserWords(agent);
  return (
    <tr>
      <td data-label={t('Browser')} title={agent ?? undefined}>
        {browser} {isCurrent ? <span className="chip">{t('this one')}</span> : null}
      </td>
      <td data-label={t('Address')} className="mono">
        {address ?? '—'}
      </td>
      <td data-label={t('Signed in')}>
        <Time at={startedAt} />
      </td>
      <td className="num">
        {isCurrent ? null : (
          <Button
            variant="default"
            disabled={isBusy}
            aria-label={t('Sign out {browser} at {address}', {
              browser,
              address: address ?? t('an unknown address'),
            })}
            onClick={() => onEnd(id)}
          >
            {t('Sign out')}
          </Button>
        )}
      </td>
    </tr>
  );
}

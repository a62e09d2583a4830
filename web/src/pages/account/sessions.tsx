import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { readProblem } from '../../api/problem.ts';
import { changeAccount } from '../../api/session.ts';
import { invalidate, type Outputs, trpc } from '../../api/trpc.ts';
import { browserWords } from '../../format/browser.ts';
import { msg, t } from '../../language/language.ts';
import { Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { SortedTable } from '../../ui/table/sorted-table.tsx';
import { Time } from '../../ui/time.tsx';

type Session = Outputs['console']['sessions'][number];

const TABLE = 'sessions';

/** The sessions of this account, each with a button that ends it. */
export function SessionsPanel() {
  const sessions = useQuery({ ...trpc.console.sessions.queryOptions({}), staleTime: 0 });
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const end = useMutation({
    mutationFn: (id: string | null) =>
      id === null ? changeAccount('revoke-other-sessions', {}) : changeAccount('revoke-session', { id }),
    onSettled: () => invalidate(trpc.console.sessions.pathFilter()),
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
      <PendingRows query={sessions} rows={2} height={22} />
      {sessions.data ? (
        <SortedTable
          name={TABLE}
          columns={COLUMNS}
          rows={sessions.data}
          nameOf={({ agent, address }) => nameOf(agent, address)}
          first="signedIn"
          actions={(session) => <EndButton session={session} isBusy={end.isPending} onEnd={end.mutate} />}
        />
      ) : null}
    </Panel>
  );
}

const nameOf = (agent: string | null, address: string | null): string =>
  t('{browser} at {address}', {
    browser: browserWords(agent),
    address: address ?? t('an unknown address'),
  });

const COLUMNS: readonly Column<Session>[] = [
  {
    id: 'browser',
    title: msg('Browser'),
    sortBy: ({ agent }) => browserWords(agent),
    cell: ({ agent, isCurrent }) => (
      <>
        {browserWords(agent)} {isCurrent ? <span className="chip">{t('this one')}</span> : null}
      </>
    ),
    cellProps: ({ agent }) => ({ title: agent ?? undefined }),
  },
  {
    id: 'address',
    title: msg('Address'),
    sortBy: ({ address }) => address,
    cell: ({ address }) => address ?? '—',
    cellProps: () => ({ className: 'mono' }),
  },
  {
    id: 'signedIn',
    title: msg('Signed in'),
    sortBy: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
];

type EndProps = { session: Session; isBusy: boolean; onEnd: (id: string) => void };

function EndButton({ session: { id, agent, address, isCurrent }, isBusy, onEnd }: EndProps) {
  if (isCurrent) return null;
  return (
    <Button
      variant="default"
      disabled={isBusy}
      aria-label={t('Sign out {browser} at {address}', {
        browser: browserWords(agent),
        address: address ?? t('an unknown address'),
      })}
      onClick={() => onEnd(id)}
    >
      {t('Sign out')}
    </Button>
  );
}

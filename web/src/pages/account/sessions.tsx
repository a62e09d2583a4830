import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { readProblem } from '../../api/problem.ts';
import { changeAccount } from '../../api/session.ts';
import { type Outputs, readAgain, trpc } from '../../api/trpc.ts';
import { browserWords } from '../../format/browser.ts';
import { counted } from '../../format/number.ts';
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
      notifications.show({ message: id === null ? 'Signed out everywhere else.' : 'Signed out there.' }),
    onError: (error) => notifications.show({ color: 'red', message: readProblem(error).message }),
  });
  return (
    <Panel
      title="Where you are signed in"
      flush
      actions={
        others > 0 ? (
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
            Sign out {counted(others, 'other session')}
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
              <th>Browser</th>
              <th>Address</th>
              <th>Signed in</th>
              <th>
                <span className="sr">Actions</span>
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
      <td data-label="Browser" title={agent ?? undefined}>
        {browser} {isCurrent ? <span className="chip">this one</span> : null}
      </td>
      <td data-label="Address" className="mono">
        {address ?? '—'}
      </td>
      <td data-label="Signed in">
        <Time at={startedAt} />
      </td>
      <td className="num">
        {isCurrent ? null : (
          <Button
            variant="default"
            disabled={isBusy}
            aria-label={`Sign out ${browser} at ${address ?? 'an unknown address'}`}
            onClick={() => onEnd(id)}
          >
            Sign out
          </Button>
        )}
      </td>
    </tr>
  );
}

import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { signOut, type User } from '../../api/session.ts';
import { client, trpc } from '../../api/trpc.ts';
import { counted } from '../../format/number.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextField } from '../../ui/text-field.tsx';

const EXPORT = '/api/account/export';

/** All that is stored, to take along; and the way out. */
export function LeavePanel({ user }: { user: User }) {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <Panel title="Your data">
        <div className="stack">
          <p className="plain dim">
            One file with everything that is stored of this account, paper and real money: a line of JSON for
            each row. Secrets are not in it.
          </p>
          <div>
            <Button component="a" href={EXPORT} download="account.ndjson" variant="default" size="sm">
              Export all my data
            </Button>
          </div>
        </div>
      </Panel>
      <Panel title="Delete the account">
        <div className="stack">
          <p className="plain dim">You are signed out for good, and nothing runs for you any more.</p>
          <div>
            <Button color="red" size="sm" onClick={() => setLeaving(true)}>
              Delete the account…
            </Button>
          </div>
        </div>
      </Panel>
      {isLeaving ? <LeaveDialog user={user} onClose={() => setLeaving(false)} /> : null}
    </>
  );
}

function LeaveDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const blueprints = useQuery({ ...trpc.console.blueprints.queryOptions({}), staleTime: 0 });
  const positions = useQuery({ ...trpc.portfolio.positions.queryOptions({}), staleTime: 0 });
  const running = blueprints.data?.filter(({ status }) => status === 'running' || status === 'error').length;
  const leave = useMutation({
    mutationFn: () => client.console.leave.mutate({ password }),
    gcTime: 0,
    onSuccess: async () => {
      await signOut();
      await navigate({ to: '/sign-in' });
    },
  });
  return (
    <ConfirmDialog
      title="Delete your account?"
      action="Delete the account"
      danger
      typeToConfirm={user.email}
      blocked={password === '' ? 'Enter your password.' : null}
      pending={leave.isPending}
      error={leave.error}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>Strategies</dt>
        <dd>
          {running === undefined
            ? '—'
            : `${running === 1 ? '1 strategy' : `${running} strategies`} of this mode`}{' '}
          stop
        </dd>
        <dt>Orders</dt>
        <dd>what waits is declined, what is open is canceled</dd>
        <dt>Paper positions</dt>
        <dd>
          {positions.data ? counted(positions.data.length, 'position') : '—'}: not sold, they end as they are
        </dd>
        <dt>Real money</dt>
        <dd>refused while a position is held or an order is at a venue: close those first</dd>
        <dt>Keys and connections</dt>
        <dd>revoked and removed, with their secrets</dd>
        <dt>Books</dt>
        <dd>
          orders, fills and cash stay, without your name. Drawings, labels and what else names you are erased
          by the operator of this service
        </dd>
        <dt>Undo</dt>
        <dd className="warn">none. Export your data first if you want to keep it</dd>
      </dl>
      <TextField
        id={id}
        type="password"
        label="Your password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

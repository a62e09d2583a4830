import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { signOut, type User } from '../../api/session.ts';
import { client, trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Panel } from '../../ui/panel.tsx';

const EXPORT = '/api/account/export';

/** Exports all stored data, and deletes the account. */
export function DeleteAccountPanel({ user }: { user: User }) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  return (
    <>
      <Panel title={t('Your data')}>
        <div className="stack">
          <p className="plain dim">
            {t(
              'One file with everything that is stored of this account, paper and real money: a line of JSON for each row. Secrets are not in it.',
            )}
          </p>
          <div>
            <Button component="a" href={EXPORT} download="account.ndjson" variant="default" size="sm">
              {t('Export all my data')}
            </Button>
          </div>
        </div>
      </Panel>
      <Panel title={t('Delete the account')}>
        <div className="stack">
          <p className="plain dim">{t('You are signed out permanently, and your strategies stop.')}</p>
          <div>
            <Button color="red" size="sm" onClick={() => setDialogOpen(true)}>
              {t('Delete the account…')}
            </Button>
          </div>
        </div>
      </Panel>
      {isDialogOpen ? <DeleteAccountDialog user={user} onClose={() => setDialogOpen(false)} /> : null}
    </>
  );
}

function DeleteAccountDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const blueprints = useQuery({ ...trpc.console.blueprints.queryOptions({}), staleTime: 0 });
  const positions = useQuery({ ...trpc.portfolio.positions.queryOptions({}), staleTime: 0 });
  const running = blueprints.data?.filter(({ status }) => status === 'running' || status === 'error').length;
  const deleteAccount = useMutation({
    mutationFn: () => client.console.leave.mutate({ password }),
    gcTime: 0,
    onSuccess: async () => {
      await signOut();
      await navigate({ to: '/sign-in' });
    },
  });
  return (
    <ConfirmDialog
      title={t('Delete your account?')}
      action={t('Delete the account')}
      danger
      typeToConfirm={user.email}
      blocked={password === '' ? t('Enter your password.') : null}
      pending={deleteAccount.isPending}
      error={deleteAccount.error}
      onConfirm={() => deleteAccount.mutate()}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>{t('Strategies')}</dt>
        <dd>
          {running === undefined
            ? '—'
            : t('{running, plural, one {# strategy} other {# strategies}} of this mode stop', { running })}
        </dd>
        <dt>{t('Orders')}</dt>
        <dd>{t('orders awaiting approval are rejected, open orders are canceled')}</dd>
        <dt>{t('Paper positions')}</dt>
        <dd>
          {positions.data
            ? t('{count, plural, one {# position} other {# positions}}: not sold, they end as they are', {
                count: positions.data.length,
              })
            : t('—: not sold, they end as they are')}
        </dd>
        <dt>{t('Real money')}</dt>
        <dd>{t('refused while a position is held or an order is at a venue: close those first')}</dd>
        <dt>{t('Keys and connections')}</dt>
        <dd>{t('revoked and removed, with their secrets')}</dd>
        <dt>{t('Books')}</dt>
        <dd>
          {t(
            'orders, fills and cash stay, without your name. Strategies, labels and whatever names you are erased by the operator of this service',
          )}
        </dd>
        <dt>{t('Undo')}</dt>
        <dd className="warn">{t('none. Export your data first if you want to keep it')}</dd>
      </dl>
      <TextField
        id={id}
        type="password"
        label={t('Your password')}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

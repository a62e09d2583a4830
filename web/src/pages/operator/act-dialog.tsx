import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, invalidate, trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { accountName, type OperatedAccount } from './account-name.ts';
import { ReasonField, reasonMissing } from './reason-field.tsx';

type Kind = 'suspend' | 'resume' | 'endSessions';
export type Act = { kind: Kind; account: OperatedAccount };

function wordsOf({ kind, account }: Act): { title: string; action: string; effect: string; done: string } {
  const name = accountName(account);
  switch (kind) {
    case 'suspend':
      return {
        title: t('Suspend {name}?', { name }),
        action: t('Suspend the account'),
        effect: t(
          'At once: it buys nothing, deploys nothing and creates no key. Its buys are canceled, those that wait are rejected. Sells, stops, cancels, closes and sign-in work, and its strategies still exit.',
        ),
        done: t('{name} is suspended.', { name }),
      };
    case 'resume':
      return {
        title: t('Resume {name}?', { name }),
        action: t('Resume the account'),
        effect: t('At once: strategies that run buy again. Canceled orders stay canceled.'),
        done: t('{name} is active again.', { name }),
      };
    case 'endSessions':
      return {
        title: t('End the sessions of {name}?', { name }),
        action: t('End the sessions'),
        effect: t('Each browser has to sign in again. API keys and strategies keep working.'),
        done: t('The sessions of {name} have ended.', { name }),
      };
  }
}

/** Asks for the reason of an act on an account. The account's owner and the operator read it in their activity. */
export function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const { title, action, effect, done } = wordsOf(act);
  const input = { accountId: act.account.id, reason: reason.trim() };
  const mutation = useMutation({
    mutationFn: async () => {
      await client.console.operator[act.kind].mutate(input);
    },
    onSettled: () => invalidate(trpc.console.operator.accounts.pathFilter()),
    onSuccess: () => {
      notifications.show({ message: done });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={title}
      action={action}
      danger={act.kind === 'suspend'}
      blocked={reasonMissing(reason)}
      pending={mutation.isPending}
      error={mutation.error}
      onConfirm={() => mutation.mutate()}
      onClose={onClose}
    >
      <p>{effect}</p>
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

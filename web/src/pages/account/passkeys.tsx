import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import {
  addPasskey,
  hasPasskeys,
  type Passkey,
  passkeysQuery,
  removePasskey,
  renamePasskey,
} from '../../api/passkeys.ts';
import { readProblem } from '../../api/problem.ts';
import { invalidate } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { ActionForm } from '../../ui/dialogs/action-form.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';

const NAME_MAX = 60;

const nameOf = ({ name }: Passkey): string => name ?? t('Passkey');

/** Keys of devices and password managers: each signs in alone, without password and code. */
export function PasskeysPanel() {
  const passkeys = useQuery(passkeysQuery);
  const [open, setOpen] = useState<{ act: 'rename' | 'remove'; passkey: Passkey } | null>(null);
  const close = () => setOpen(null);
  return (
    <Panel title={t('Passkeys')}>
      <div className="stack">
        <p className="plain dim">
          {t(
            'A passkey of this device or of your password manager signs you in alone: it stands for the password and for the code.',
          )}
        </p>
        {passkeys.error && !passkeys.data ? (
          <ProblemNotice error={passkeys.error} retry={() => void passkeys.refetch()} />
        ) : null}
        {passkeys.data && passkeys.data.length > 0 ? (
          <ul className="plain-list" aria-label={t('Passkeys')}>
            {passkeys.data.map((passkey) => (
              <li key={passkey.id} className="row apart">
                <span>
                  <strong>{nameOf(passkey)}</strong>{' '}
                  <span className="dim small">
                    {passkey.createdAt ? <Time at={passkey.createdAt} /> : null}{' '}
                    {passkey.backedUp ? t('kept by a password manager') : t('kept by one device')}
                  </span>
                </span>
                <span className="row tight">
                  <Button
                    variant="default"
                    aria-label={t('Rename passkey “{name}”', { name: nameOf(passkey) })}
                    onClick={() => setOpen({ act: 'rename', passkey })}
                  >
                    {t('Rename…')}
                  </Button>
                  <Button
                    variant="default"
                    aria-label={t('Remove passkey “{name}”', { name: nameOf(passkey) })}
                    onClick={() => setOpen({ act: 'remove', passkey })}
                  >
                    {t('Remove…')}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        ) : null}
        {hasPasskeys() ? <Adding /> : <p className="plain dim">{t('This browser has no passkeys here.')}</p>}
      </div>
      {open?.act === 'rename' ? <Renaming passkey={open.passkey} onClose={close} /> : null}
      {open?.act === 'remove' ? <Removing passkey={open.passkey} onClose={close} /> : null}
    </Panel>
  );
}

function Adding() {
  const id = useId();
  return (
    <ActionForm
      action={t('Add a passkey…')}
      send={(read) => addPasskey(read('name'), read('password'))}
      onSent={() => {
        invalidate({ queryKey: passkeysQuery.queryKey });
        notifications.show({ message: t('The passkey is added. It signs you in from now on.') });
      }}
    >
      <TextField
        id={`${id}-name`}
        name="name"
        label={t('Name of the passkey')}
        autoComplete="off"
        maxLength={NAME_MAX}
        required
        hint={t('How you tell it from others, such as “Work laptop”.')}
      />
      <TextField
        id={`${id}-password`}
        name="password"
        type="password"
        label={t('Your password now')}
        autoComplete="current-password"
        hint={t('Empty where you come in by GitHub or Google alone.')}
      />
    </ActionForm>
  );
}

type DialogProps = { passkey: Passkey; onClose: () => void };

function Renaming({ passkey, onClose }: DialogProps) {
  const id = useId();
  return (
    <FormDialog
      title={t('Rename passkey “{name}”', { name: nameOf(passkey) })}
      action={t('Rename passkey')}
      outdated={{ queryKey: passkeysQuery.queryKey }}
      send={(form) => renamePasskey(passkey.id, String(new FormData(form).get('name')))}
      onSent={() => {}}
      onClose={onClose}
    >
      <TextField
        id={id}
        name="name"
        label={t('Name of the passkey')}
        autoComplete="off"
        defaultValue={nameOf(passkey)}
        maxLength={NAME_MAX}
        required
      />
    </FormDialog>
  );
}

function Removing({ passkey, onClose }: DialogProps) {
  const remove = useMutation({
    mutationFn: () => removePasskey(passkey.id),
    onSettled: () => invalidate({ queryKey: passkeysQuery.queryKey }),
    onSuccess: onClose,
    onError: (error) => notifications.show({ color: 'red', message: readProblem(error).message }),
  });
  return (
    <ConfirmDialog
      title={t('Remove passkey “{name}”?', { name: nameOf(passkey) })}
      action={t('Remove passkey')}
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p className="plain">
        {t('It can no longer sign in. Its device or password manager keeps it until you delete it there.')}
      </p>
    </ConfirmDialog>
  );
}

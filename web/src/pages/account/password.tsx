import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import { changeAccount, PASSWORD_MIN } from '../../api/session.ts';
import { invalidate, trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { ActionForm } from '../../ui/dialogs/action-form.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Panel } from '../../ui/panel.tsx';

export function PasswordPanel() {
  const id = useId();
  return (
    <Panel title={t('Password')}>
      <ActionForm
        action={t('Change password')}
        send={(read) =>
          changeAccount('change-password', {
            currentPassword: read('current'),
            newPassword: read('new'),
          })
        }
        onSent={() => {
          invalidate(trpc.console.sessions.pathFilter());
          notifications.show({ message: t('Password changed. You are signed out everywhere else.') });
        }}
      >
        <CurrentPassword id={`${id}-current`} name="current" />
        <TextField
          id={`${id}-new`}
          name="new"
          type="password"
          label={t('New password')}
          autoComplete="new-password"
          minLength={PASSWORD_MIN}
          required
          hint={t('At least {passwordMin} characters. Every other session ends.', {
            passwordMin: PASSWORD_MIN,
          })}
        />
      </ActionForm>
    </Panel>
  );
}

/** The current password: a session alone changes no way to sign in. */
export const CurrentPassword = ({ id, name }: { id: string; name: string }) => (
  <TextField
    id={id}
    name={name}
    type="password"
    label={t('Your password now')}
    autoComplete="current-password"
    required
  />
);

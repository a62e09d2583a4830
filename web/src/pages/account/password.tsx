import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import { changeAccount, PASSWORD_MIN } from '../../api/session.ts';
import { readAgain, trpc } from '../../api/trpc.ts';
import { ActForm } from '../../ui/act-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextField } from '../../ui/text-field.tsx';

export function PasswordPanel() {
  const id = useId();
  return (
    <Panel title="Password">
      <ActForm
        action="Change password"
        send={(read) =>
          changeAccount('change-password', {
            currentPassword: read('current'),
            newPassword: read('new'),
          })
        }
        onSent={() => {
          readAgain(trpc.console.sessions.pathFilter());
          notifications.show({ message: 'Password changed. You are signed out everywhere else.' });
        }}
      >
        <CurrentPassword id={`${id}-current`} name="current" />
        <TextField
          id={`${id}-new`}
          name="new"
          type="password"
          label="New password"
          autoComplete="new-password"
          minLength={PASSWORD_MIN}
          required
          hint={`At least ${PASSWORD_MIN} characters. Every other session ends.`}
        />
      </ActForm>
    </Panel>
  );
}

/** The password once more: a session alone changes nothing of how one comes in. */
export const CurrentPassword = ({ id, name }: { id: string; name: string }) => (
  <TextField
    id={id}
    name={name}
    type="password"
    label="Your password now"
    autoComplete="current-password"
    required
  />
);

import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import { changeAccount, type User } from '../../api/session.ts';
import { t } from '../../language/language.ts';
import { ActionForm } from '../../ui/dialogs/action-form.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Panel } from '../../ui/panel.tsx';

const NAME_MAX = 120;

export function ProfilePanel({ user }: { user: User }) {
  const id = useId();
  return (
    <Panel title={t('Profile')}>
      <ActionForm
        key={user.name}
        action={t('Save name')}
        send={(read) => changeAccount('update-user', { name: read('name') })}
        onSent={() => notifications.show({ message: t('Your name is saved.') })}
      >
        <TextField
          id={`${id}-name`}
          name="name"
          label={t('Name')}
          autoComplete="name"
          defaultValue={user.name}
          maxLength={NAME_MAX}
          required
        />
        <dl className="facts">
          <dt>{t('E-mail')}</dt>
          <dd>{user.email}</dd>
        </dl>
      </ActionForm>
    </Panel>
  );
}

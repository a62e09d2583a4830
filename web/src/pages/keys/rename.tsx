import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import type { ApiKey } from '../../api/row-types.ts';
import { client, trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

const NAME_MAX = 120;

export function RenameDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const id = useId();
  return (
    <FormDialog
      title={t('Rename key “{name}”', { name: apiKey.name })}
      action={t('Rename key')}
      outdated={trpc.agentKeys.list.pathFilter()}
      send={(form) =>
        client.console.renameKey.mutate({ id: apiKey.id, name: String(new FormData(form).get('name')) })
      }
      onSent={() => notifications.show({ message: t('The key is renamed; what it may do stays.') })}
      onClose={onClose}
    >
      <TextField
        id={id}
        name="name"
        label={t('Name')}
        autoComplete="off"
        defaultValue={apiKey.name}
        maxLength={NAME_MAX}
        required
      />
    </FormDialog>
  );
}

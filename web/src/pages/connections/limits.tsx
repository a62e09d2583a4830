import { notifications } from '@mantine/notifications';
import { client } from '../../api/trpc.ts';
import type { Connection } from '../../format/trading/connection.ts';
import { t } from '../../language/language.ts';
import { LabelField, readLabel } from '../../ui/fields/label-field.tsx';
import { LimitFields, readLimits } from './limit-fields.tsx';
import { PasswordFormDialog } from './password-form-dialog.tsx';

/** The label of a connection and the limits of orders through it. */
export function LimitsDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { id, label } = connection;
  const send = (form: HTMLFormElement) =>
    client.venueConnections.update.mutate({ id, label: readLabel(form), ...readLimits(form) });
  return (
    <PasswordFormDialog
      title={t('Name and limits of “{label}”', { label })}
      action={t('Save')}
      send={send}
      onSent={() => notifications.show({ message: t('Saved. It applies from the next decision on.') })}
      onClose={onClose}
    >
      <LabelField label={label} />
      <LimitFields limits={connection} />
    </PasswordFormDialog>
  );
}

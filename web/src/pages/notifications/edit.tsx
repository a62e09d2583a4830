import { notifications } from '@mantine/notifications';
import { client, trpc } from '../../api/trpc.ts';
import {
  changedSwitches,
  readQuietHours,
  readSwitches,
} from '../../format/notifications/notification-form.ts';
import type { Channel, NotificationOptions } from '../../format/notifications/notification-words.ts';
import { msg, t } from '../../language/language.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { LabelField, readLabel } from '../../ui/fields/label-field.tsx';
import { ChannelPreferenceFields } from './channel-preference-fields.tsx';
import { TextField } from './destination-fields.tsx';

type Props = { channel: Channel; options: NotificationOptions; onClose: () => void };

/** The label of a channel, its notifications, and when they are sent. */
export function EditDialog({ channel, options, onClose }: Props) {
  const send = (form: HTMLFormElement) => {
    const data = new FormData(form);
    return client.notifications.update.mutate({
      id: channel.id,
      label: readLabel(form),
      switches: changedSwitches(channel.switches, readSwitches(data, options.kinds)),
      quietHours: readQuietHours(data),
      bodyTemplate: data.has('usualBody') ? null : String(data.get('bodyTemplate') ?? '').trim() || undefined,
    });
  };
  return (
    <FormDialog
      title={t('Edit “{label}”', { label: channel.label })}
      action={t('Save')}
      send={send}
      outdated={trpc.notifications.pathFilter()}
      onSent={() => notifications.show({ message: t('Saved. It applies from now on.') })}
      onClose={onClose}
    >
      <LabelField label={channel.label} />
      {channel.kind === 'webhook' ? <NewBody /> : null}
      <ChannelPreferenceFields kinds={options.kinds} channel={channel} />
    </FormDialog>
  );
}

/** A body is a secret: it is replaced without being shown. */
const NewBody = () => (
  <>
    <TextField
      name="bodyTemplate"
      label={msg('New body (optional)')}
      hint={msg('JSON of your own. The present body is not shown; left empty, it stays.')}
      isOptional
      isLong
    />
    <label className="row">
      <input type="checkbox" name="usualBody" />
      {t('Send the usual body again')}
    </label>
  </>
);

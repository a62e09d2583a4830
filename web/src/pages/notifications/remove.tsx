import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { invalidate, trpc } from '../../api/trpc.ts';
import type { Channel } from '../../format/notifications/notification-words.ts';
import { CHANNEL_WORDS } from '../../generated/service.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';

export function RemoveDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { id, label, kind, target } = channel;
  const remove = useMutation(
    trpc.notifications.remove.mutationOptions({
      onSettled: () => invalidate(trpc.notifications.pathFilter()),
      onSuccess: () => {
        notifications.show({ message: t('“{label}” is removed.', { label }) });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('Remove “{label}”?', { label })}
      action={t('Remove “{label}”', { label })}
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>{t('Channel')}</dt>
        <dd>
          {t(CHANNEL_WORDS[kind].title)}, {target}
        </dd>
        <dt>{t('Effect')}</dt>
        <dd>{t('Permanent: nothing more is sent there, and queued notifications are dropped.')}</dd>
        <dt>{t('Goes with it')}</dt>
        <dd>{t('Its secrets and its lines of the log. Pause it instead to keep them.')}</dd>
      </dl>
    </ConfirmDialog>
  );
}

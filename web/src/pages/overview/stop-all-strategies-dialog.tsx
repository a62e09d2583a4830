import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { queryClient, trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';

type StopAllStrategiesProps = { blueprints: readonly { id: string; name: string }[]; onClose: () => void };

/** Stops every strategy. It asks once and needs no typing: loosening is slow, stopping is not. */
export function StopAllStrategiesDialog({ blueprints, onClose }: StopAllStrategiesProps) {
  const stop = useMutation(
    trpc.blueprints.stopAll.mutationOptions({
      onSuccess: ({ stopped }) => {
        notifications.show({
          message: t('Stopped {stopped, plural, one {# strategy} other {# strategies}}.', { stopped }),
        });
        void queryClient.invalidateQueries();
        onClose();
      },
    }),
  );
  const count = blueprints.length;
  return (
    <ConfirmDialog
      title={t('Stop all {count, plural, one {# strategy} other {# strategies}}?', { count })}
      action={t('Stop {count, plural, one {# strategy} other {# strategies}}', { count })}
      danger
      blocked={blueprints.length === 0 ? t('Nothing is running.') : null}
      pending={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({})}
      onClose={onClose}
    >
      <ul className="plain-list">
        {blueprints.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <p className="plain dim">
        {t(
          'Their waiting and queued orders are canceled at once. Orders at a venue get a cancel and may still fill until the venue confirms. Positions stay, and no exit guards them any more; close them under Portfolio. Orders by hand stay too; cancel them under Orders.',
        )}
      </p>
    </ConfirmDialog>
  );
}

import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient, trpc } from '../../../api/trpc.ts';
import { amount } from '../../../format/number.ts';
import { shortName } from '../../../format/short-name.ts';
import { outcomeOf } from '../../../format/trading/order.ts';
import { t } from '../../../language/language.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx';

type DeleteProps = {
  blueprint: { id: string; name: string; status: string };
  onClose: () => void;
  onDeleted: () => void;
};

/** Before the deletion of a blueprint: what blocks it, and which data stays. */
export function DeleteDialog({ blueprint: { id, name, status }, onClose, onDeleted }: DeleteProps) {
  const positions = useQuery({ ...trpc.portfolio.positions.queryOptions({}), staleTime: 0 });
  const held = positions.data?.find(({ blueprintId }) => blueprintId === id);
  const remove = useMutation(
    trpc.blueprints.delete.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: t('{name} is deleted.', { name }) });
        void queryClient.invalidateQueries(trpc.console.blueprints.pathFilter());
        onDeleted();
      },
    }),
  );
  const runs = status === 'running' || status === 'error' ? t('It runs. Stop it first.') : null;
  const holds = held
    ? t('It holds {amount} {tokenId} {title}. Close that under Portfolio first.', {
        amount: amount(held.amount),
        tokenId: outcomeOf(held.tokenId),
        title: held.title,
      })
    : null;
  return (
    <ConfirmDialog
      title={t('Delete “{name}”?', { name })}
      action={t('Delete “{name}”', { name: shortName(name) })}
      danger
      blocked={runs ?? holds ?? (positions.data ? null : t('Reading its positions…'))}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p className="plain">
        {t(
          'Its graph and releases cannot be opened any more. Its orders, fills and results stay in the account.',
        )}
      </p>
    </ConfirmDialog>
  );
}

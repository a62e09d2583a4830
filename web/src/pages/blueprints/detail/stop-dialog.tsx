import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Blueprint } from '../../../api/row-types.ts';
import { client, invalidate, trpc } from '../../../api/trpc.ts';
import { amount, usd } from '../../../format/number.ts';
import { shortName } from '../../../format/short-name.ts';
import { outcomeOf } from '../../../format/trading/order.ts';
import { t } from '../../../language/language.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx';
import { orderStatusWords } from '../../../ui/status.tsx';

/** Before a stop: the orders that end, and the positions that stay and lose their guard. */
export function StopDialog({ blueprint, onClose }: { blueprint: Blueprint; onClose: () => void }) {
  const { id, name } = blueprint;
  const orders = useQuery({
    ...trpc.console.orders.queryOptions({ blueprintId: id, limit: 200 }),
    staleTime: 0,
  });
  const positions = useQuery({ ...trpc.portfolio.positions.queryOptions({}), staleTime: 0 });
  const open = orders.data?.filter(({ isOpen }) => isOpen);
  const held = positions.data?.filter(({ blueprintId }) => blueprintId === id);
  const stop = useMutation({
    mutationFn: (idempotencyKey: string) =>
      client.blueprints.stop.mutate({ id }, { context: { idempotencyKey } }),
    onSettled: () => invalidate(),
    onSuccess: () => {
      notifications.show({ message: t('{name} is stopped.', { name }) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('Stop “{name}”?', { name })}
      action={t('Stop strategy “{name}”', { name: shortName(name) })}
      danger
      pending={stop.isPending}
      error={stop.error}
      onConfirm={(key) => stop.mutate(key)}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>{t('Open orders')}</dt>
        <dd>
          {open ? (open.length === 0 ? t('none') : null) : '—'}
          {open?.map((order) => (
            <div key={order.id}>
              {orderStatusWords(order.status)}: {order.side} {amount(order.amount)} {outcomeOf(order.tokenId)}{' '}
              {order.title} ({usd(order.size)})
            </div>
          ))}
        </dd>
        <dt>{t('Positions that stay')}</dt>
        <dd className={held && held.length > 0 ? 'warn' : undefined}>
          {held ? (held.length === 0 ? t('none') : null) : '—'}
          {held?.map((position) => (
            <div key={position.tokenId}>
              {amount(position.amount)} {outcomeOf(position.tokenId)} {position.title}
            </div>
          ))}
        </dd>
        <dt>{t('Effect')}</dt>
        <dd>
          {t(
            'Waiting and queued orders are canceled at once. Orders at a venue get a cancel and may still fill until the venue confirms. Positions stay, and no exit node guards them any more.',
          )}
        </dd>
      </dl>
    </ConfirmDialog>
  );
}

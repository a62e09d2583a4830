import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { serviceMs } from '../../api/clock.ts';
import type { ApiKey } from '../../api/row-types.ts';
import { invalidate, trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { Age } from '../../ui/time.tsx';

const BUSY_MS = 86_400_000;

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name, start, last4, scopes, lastUsedAt } = apiKey;
  const busy = lastUsedAt !== null && serviceMs() - new Date(lastUsedAt).getTime() < BUSY_MS;
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSettled: () => invalidate(trpc.agentKeys.list.pathFilter()),
      onSuccess: () => {
        notifications.show({ message: t('Key “{name}” is revoked: its next call gets 401.', { name }) });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('Revoke key “{name}”?', { name })}
      action={t('Revoke {start}…{last4}', { start, last4 })}
      danger
      typeToConfirm={busy ? name : undefined}
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ id })}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>{t('Key')}</dt>
        <dd className="mono">
          {start}…{last4}
        </dd>
        <dt>{t('Scopes')}</dt>
        <dd>{scopes.join(', ')}</dd>
        <dt>{t('Last used')}</dt>
        <dd className={busy ? 'warn' : undefined}>
          {lastUsedAt ? <Age at={lastUsedAt} /> : t('never')}
          {busy ? t(': something uses it') : ''}
        </dd>
        <dt>{t('Effect')}</dt>
        <dd>
          {t(
            'At once and for good: every later call with it answers 401. Strategies it deployed go on, and its open orders stay.',
          )}
        </dd>
      </dl>
    </ConfirmDialog>
  );
}

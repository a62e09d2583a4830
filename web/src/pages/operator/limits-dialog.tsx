import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, invalidate, trpc } from '../../api/trpc.ts';
import { amount } from '../../format/number.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { accountName, type OperatedAccount } from './account-name.ts';
import { ReasonField, reasonMissing } from './reason-field.tsx';

const MIB = 1024 * 1024;
/** As the service bounds them. */
const MOST = { blueprints: 1_000, graphMib: 64, keys: 1_000 };
type Field = keyof typeof MOST;
const FIELDS = Object.keys(MOST) as Field[];

const labelOf = (field: Field): string =>
  ({ blueprints: t('Strategies'), graphMib: t('Graphs, MiB'), keys: t('API keys') })[field];

/** Sets the limits of an account. Its owner and the operator read the reason in their activity; the trail has the numbers. */
export function LimitsDialog({ account, onClose }: { account: OperatedAccount; onClose: () => void }) {
  const { limits } = account;
  const [typed, setTyped] = useState<Record<Field, string>>({
    blueprints: `${limits.blueprints}`,
    graphMib: `${Math.ceil(limits.graphBytes / MIB)}`,
    keys: `${limits.keys}`,
  });
  const [reason, setReason] = useState('');
  const name = accountName(account);
  const mutation = useMutation({
    mutationFn: () =>
      client.console.operator.setLimits.mutate({
        accountId: account.id,
        reason: reason.trim(),
        limits: {
          blueprints: Number(typed.blueprints),
          graphBytes: Number(typed.graphMib) * MIB,
          keys: Number(typed.keys),
        },
      }),
    onSettled: () => invalidate(trpc.console.operator.accounts.pathFilter()),
    onSuccess: () => {
      notifications.show({ message: t('The limits of {name} are set.', { name }) });
      onClose();
    },
  });
  const problems = Object.fromEntries(FIELDS.map((field) => [field, problemIn(field, typed[field])]));
  const problem = FIELDS.map((field) => problems[field]).find((found) => found != null);
  return (
    <ConfirmDialog
      title={t('Limits of {name}', { name })}
      action={t('Set the limits')}
      danger={false}
      blocked={problem ?? reasonMissing(reason)}
      pending={mutation.isPending}
      error={mutation.error}
      onConfirm={() => mutation.mutate()}
      onClose={onClose}
    >
      <p>{t('Beyond a lower limit all stays and works; further ones are refused.')}</p>
      {FIELDS.map((field) => (
        <TextField
          key={field}
          id={`limit-${field}`}
          label={labelOf(field)}
          inputMode="numeric"
          value={typed[field]}
          error={problems[field]}
          onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, [field]: value }))}
        />
      ))}
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

const problemIn = (field: Field, text: string): string | null =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) <= MOST[field]
    ? null
    : t('A whole number from 0 to {limit}.', { limit: amount(MOST[field]) });

import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Decimal } from 'decimal.js';
import { useState } from 'react';
import type { Position } from '../../api/row-types.ts';
import { client, invalidate, type Outputs } from '../../api/trpc.ts';
import { amount, signedUsd, usd } from '../../format/number.ts';
import { outcomeOf, quantityOf } from '../../format/trading/order.ts';
import { t } from '../../language/language.ts';
import { useMoneyBlockReason } from '../../live/store.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { TranslatedReason } from '../../ui/translated-reason.tsx';

const DECIMAL = /^\d+(\.\d+)?$/;

export type WriteOffTerms = NonNullable<Outputs['console']['writeOff']>;
type Props = { position: Position; terms: WriteOffTerms; onClose: () => void };

/** Writes an unsellable position off, at a value that the user states and is responsible for. */
export function WriteOffDialog({ position, terms, onClose }: Props) {
  const { tokenId, blueprintId, averageCost, amount: held } = position;
  const moneyBlock = useMoneyBlockReason();
  const [typed, setTyped] = useState('');
  const writeOff = useMutation({
    mutationFn: (idempotencyKey: string) =>
      client.portfolio.writeOff.mutate(
        { tokenId, blueprintId, value: Number(typed) },
        { context: { idempotencyKey } },
      ),
    onSettled: () => invalidate(),
    onSuccess: ({ amount: gone, realizedPnl }) => {
      notifications.show({
        message: t('Written off: {gone} of {tokenId}, {realizedPnl}.', {
          gone: amount(gone),
          tokenId,
          realizedPnl: signedUsd(realizedPnl),
        }),
      });
      onClose();
    },
  });
  const fault = faultOf(typed, terms.valueMax);
  const value = fault ? null : Number(typed);
  const quantity = quantityOf(held, position);
  return (
    <ConfirmDialog
      title={t('Write off {held} {tokenId} {title}?', {
        held: amount(held),
        tokenId: outcomeOf(tokenId),
        title: position.title,
      })}
      action={
        value === null
          ? t('Write off {quantity}', { quantity })
          : t('Write off {quantity} for {held}', { quantity, held: usd(held * value) })
      }
      danger
      blocked={moneyBlock ?? fault}
      pending={writeOff.isPending}
      error={writeOff.error}
      onConfirm={(key) => writeOff.mutate(key)}
      onClose={onClose}
    >
      <p>
        {t(
          'All of it leaves the books at the value you state, as if it were settled: no order is sent, the profit or loss is final, and it is kept in the activity under your name.',
        )}
      </p>
      <div className="field">
        <label htmlFor="write-off-value">{t('Value of one unit, USD')}</label>
        <input
          id="write-off-value"
          className="text-input amount-input"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          aria-invalid={fault && typed !== '' ? true : undefined}
          onChange={(event) => setTyped(event.currentTarget.value.trim())}
        />
        <span className="hint">
          {t('0 if it is worth nothing, {valueMax} at most', { valueMax: terms.valueMax })}
        </span>
      </div>
      <dl className="facts">
        <dt>{t('Why')}</dt>
        <dd>
          <TranslatedReason of={terms.reason} />
        </dd>
        <dt>{t('Cost')}</dt>
        <dd>{usd(held * averageCost)}</dd>
        <dt>{t('Against cost')}</dt>
        <dd>{value === null ? '—' : signedUsd(held * (value - averageCost))}</dd>
      </dl>
    </ConfirmDialog>
  );
}

/** The reason why the service would refuse the value, or null. */
function faultOf(typed: string, most: number): string | null {
  if (!DECIMAL.test(typed)) return t('Type the value of one unit, from 0 to {most}.', { most });
  return new Decimal(typed).gt(most)
    ? t('{typed} is more than the {most} it could be worth.', { typed, most })
    : null;
}

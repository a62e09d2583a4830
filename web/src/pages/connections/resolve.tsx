import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { client, type Inputs, invalidate } from '../../api/trpc.ts';
import { usd } from '../../format/number.ts';
import {
  type Difference,
  differenceAmount,
  differenceSubject,
  differenceTitle,
} from '../../format/trading/difference.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';

export type Resolution = Inputs['venueConnections']['resolveDifference']['as'];

type Props = { connectionId: string; difference: Difference; as: Resolution; onClose: () => void };

const NOTE_MAX = 500;

const EFFECTS: Readonly<Record<Resolution, Message>> = {
  adjustment: msg('The books are moved to where the venue is, for good, with an entry of its own.'),
  explained: msg('Nothing is moved. It stays as it is and is known; entries wait for it no longer.'),
};

/** Resolves one difference: the books change, or it is marked as known. */
export function ResolveDifferenceDialog({ connectionId, difference, as, onClose }: Props) {
  const id = useId();
  const [note, setNote] = useState('');
  const isBooked = as === 'adjustment';
  const resolve = useMutation({
    mutationFn: (idempotencyKey: string) =>
      client.venueConnections.resolveDifference.mutate(
        { id: connectionId, differenceId: difference.id, as, note: note.trim() === '' ? null : note.trim() },
        { context: { idempotencyKey } },
      ),
    onSettled: () => invalidate(),
    onSuccess: () => {
      notifications.show({ message: isBooked ? t('Booked.') : t('Explained.') });
      onClose();
    },
  });
  const subject = differenceSubject(difference);
  return (
    <ConfirmDialog
      title={
        isBooked
          ? t('Book what the venue says of {subject}?', { subject })
          : t('Call {subject} explained?', { subject })
      }
      action={isBooked ? t('Book it') : t('It is explained')}
      danger={isBooked}
      blocked={!isBooked && note.trim() === '' ? t('Explain it, for later readers.') : null}
      pending={resolve.isPending}
      error={resolve.error}
      onConfirm={(key) => resolve.mutate(key)}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>{t('What')}</dt>
        <dd>{differenceTitle(difference)}</dd>
        <dt>{t('Books')}</dt>
        <dd>{differenceAmount(difference, difference.ours)}</dd>
        <dt>{t('Venue')}</dt>
        <dd>{differenceAmount(difference, difference.theirs)}</dd>
        <dt>{t('Market value')}</dt>
        <dd>{usd(difference.worth)}</dd>
        <dt>{t('Effect')}</dt>
        <dd>{t(EFFECTS[as])}</dd>
      </dl>
      <div className="field">
        <label htmlFor={id}>{isBooked ? t('Why (optional)') : t('Why')}</label>
        <input
          id={id}
          className="text-input"
          autoComplete="off"
          maxLength={NOTE_MAX}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  );
}

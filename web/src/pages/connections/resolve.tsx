import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { client, type Inputs, readAgain } from '../../api/trpc.ts';
import {
  type Difference,
  differenceAmount,
  differenceSubject,
  differenceTitle,
} from '../../format/difference.ts';
import { usd } from '../../format/number.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';

export type Resolution = Inputs['venueConnections']['resolveDifference']['as'];

type Props = { connectionId: string; difference: Difference; as: Resolution; onClose: () => void };

const NOTE_MAX = 500;

const EFFECTS: Readonly<Record<Resolution, string>> = {
  adjustment: 'The books are moved to where the venue is, for good, with an entry of its own.',
  explained: 'Nothing is moved. It stays as it is and is known; entries wait for it no longer.',
};

/** A person's word about one difference: the books move, or it is known. */
export function ResolveDialog({ connectionId, difference, as, onClose }: Props) {
  const id = useId();
  const [note, setNote] = useState('');
  const isBooked = as === 'adjustment';
  const resolve = useMutation({
    mutationFn: (idempotencyKey: string) =>
      client.venueConnections.resolveDifference.mutate(
        { id: connectionId, differenceId: difference.id, as, note: note.trim() === '' ? null : note.trim() },
        { context: { idempotencyKey } },
      ),
    onSettled: () => readAgain(),
    onSuccess: () => {
      notifications.show({ message: isBooked ? 'Booked.' : 'Explained.' });
      onClose();
    },
  });
  const subject = differenceSubject(difference);
  return (
    <ConfirmDialog
      title={isBooked ? `Book what the venue says of ${subject}?` : `Call ${subject} explained?`}
      action={isBooked ? 'Book it' : 'It is explained'}
      danger={isBooked}
      blocked={!isBooked && note.trim() === '' ? 'Say what explains it, for whoever looks later.' : null}
      pending={resolve.isPending}
      error={resolve.error}
      onConfirm={(key) => resolve.mutate(key)}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>What</dt>
        <dd>{differenceTitle(difference)}</dd>
        <dt>Books</dt>
        <dd>{differenceAmount(difference, difference.ours)}</dd>
        <dt>Venue</dt>
        <dd>{differenceAmount(difference, difference.theirs)}</dd>
        <dt>Worth</dt>
        <dd>{usd(difference.worth)}</dd>
        <dt>Effect</dt>
        <dd>{EFFECTS[as]}</dd>
      </dl>
      <div className="field">
        <label htmlFor={id}>Why{isBooked ? ' (optional)' : ''}</label>
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

import type { VenueTransfer } from '../../../venues/broker.ts';
import { moveCash } from '../../books/accounting/move-cash.ts';
import type { Work } from '../../platform/context.ts';
import { type Exact, exact, ZERO } from '../../platform/decimal.ts';
import type { AutoBooked, RecordedTransfer } from './compare/cash.ts';
import { type Difference, differenceSubjects } from './compare/difference.ts';
import { closeBySubject, insertClosed, readStoredSubjects } from './difference-store.ts';

const WORDS: Readonly<Record<AutoBooked['kind'], string>> = {
  transfer: 'The venue records it as a deposit or a withdrawal.',
  fee_true_up: 'The venue charged another fee than was booked.',
  redemption: 'What was won has been redeemed.',
};

const OPENING = 'The balance that the account was connected with.';

/** Books a movement that explains the cash of the venue. */
export async function bookAutomatically(
  tx: Work,
  connectionId: string,
  move: AutoBooked,
  now: Date,
): Promise<void> {
  const { kind, amount } = move;
  const reason = move.kind === 'transfer' && move.id === null ? OPENING : WORDS[kind];
  const recordId = move.kind === 'transfer' ? { recordId: move.id } : {};
  await moveCash(tx, { kind, amount, connectionId, reason, ...recordId }, now);
  if (move.kind === 'redemption') {
    await closeBySubject(tx, connectionId, differenceSubjects.unredeemed(move.tokenId), now, 'booked');
    return;
  }
  const difference: Difference =
    move.kind === 'transfer' ? transferred(amount, move.id) : { ...transferred(amount, null), kind: 'fee' };
  await insertClosed(tx, connectionId, difference, reason, now);
}

/** Returns transfers of the venue's record that are not booked yet, USD. */
export async function unbookedOf(
  work: Work,
  connectionId: string,
  transfers: readonly VenueTransfer[],
): Promise<readonly RecordedTransfer[]> {
  const known = await readStoredSubjects(
    work,
    connectionId,
    transfers.map(({ id }) => differenceSubjects.transfer(id)),
  );
  return transfers
    .filter(({ id }) => !known.has(differenceSubjects.transfer(id)))
    .map(({ id, amount }) => ({ id, amount: exact(amount) }));
}

/** Records the transfers that the opening balance contains, so that none is booked again. */
export async function takeOverTransfers(
  tx: Work,
  connectionId: string,
  transfers: readonly VenueTransfer[],
  now: Date,
): Promise<void> {
  for (const { id, amount } of await unbookedOf(tx, connectionId, transfers))
    await insertClosed(tx, connectionId, transferred(amount, id), 'It is part of the opening balance.', now);
}

const transferred = (amount: Exact, id: string | null): Difference => ({
  subject: id === null ? differenceSubjects.cash : differenceSubjects.transfer(id),
  kind: 'transfer',
  ours: ZERO,
  theirs: amount,
  worth: amount.abs(),
  about: { gap: amount.toFixed() },
});

/** Converts a movement that the service would book automatically to a difference. */
export const unbooked = ({ kind, amount }: AutoBooked): Difference => ({
  ...transferred(amount, null),
  kind: kind === 'fee_true_up' ? 'fee' : kind === 'redemption' ? 'unredeemed' : 'transfer',
});

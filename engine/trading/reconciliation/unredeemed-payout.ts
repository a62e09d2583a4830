import { moveCash } from '../../books/accounting/move-cash.ts';
import type { Work } from '../../platform/context.ts';
import { type Exact, ZERO } from '../../platform/decimal.ts';
import { differenceSubjects } from './compare/difference.ts';
import { amountOf, mergeDifferences, readActiveDifferences } from './difference-store.ts';

/**
 * Moves the payout of a settlement from cash to a claim on the venue: the money comes when the owner redeems it. Call under the
 * account's lock, in the transaction of the settlement.
 */
export async function recordUnredeemedPayout(
  tx: Work,
  connectionId: string,
  { tokenId, worth }: { readonly tokenId: string; readonly worth: Exact },
  now: Date,
): Promise<void> {
  const subject = differenceSubjects.unredeemed(tokenId);
  const before = (await readActiveDifferences(tx, connectionId)).find((row) => row.subject === subject);
  const all = worth.plus(amountOf(before?.worth ?? null));
  await moveCash(
    tx,
    {
      kind: 'redemption',
      amount: worth.negated(),
      connectionId,
      reason: `${tokenId} is won and not redeemed.`,
    },
    now,
  );
  const found = {
    subject,
    kind: 'unredeemed',
    ours: ZERO,
    theirs: all,
    worth: all,
    about: { tokenId },
  } as const;
  await mergeDifferences(tx, connectionId, { found: [found], scopes: [] }, now);
}

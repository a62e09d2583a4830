import type { AccountFill } from '../../../../venues/broker.ts';
import { exact, ZERO } from '../../../platform/decimal.ts';
import { valueAt } from '../../../platform/valuation.ts';
import { reversalIdOf } from '../../orders/execution/reverse-trade.ts';
import { type Difference, differenceSubjects } from './difference.ts';

/** An order of ours with its ids and booked trades. */
export type FilledOrder = {
  readonly id: string;
  readonly clientOrderId: string;
  readonly venueOrderId: string | null;
  readonly tradeIds: ReadonlySet<string>;
};

/** A fill of ours whose booking does not match the venue's report. */
export type MissedFill = { readonly orderId: string; readonly fill: AccountFill };

export type SortedFills = {
  readonly missed: readonly MissedFill[];
  /** Fills of orders placed outside this service. */
  readonly external: readonly Difference[];
  /** Subjects of reversed trades: external ones, or ours that were never booked or are already reversed in the books. */
  readonly undone: readonly string[];
};

/**
 * Sorts the fills of the venue account into ours that are not booked, and external ones. Fills of unknown orders before `since`
 * are ignored. A list by account uses the instrument of the venue's book, so that bookings of ours come from the order. Pure.
 */
export function sortFills(
  listed: readonly AccountFill[],
  ours: readonly FilledOrder[],
  since: Date,
): SortedFills {
  const byName = new Map(
    ours.flatMap((order) =>
      [order.clientOrderId, order.venueOrderId].flatMap((name) => (name === null ? [] : [[name, order]])),
    ),
  );
  const missed: MissedFill[] = [];
  const external = new Map<string, Difference>();
  const undone = new Set<string>();
  for (const fill of listed) {
    const order = byName.get(fill.venueOrderId) ?? byName.get(fill.clientOrderId ?? '');
    if (order !== undefined) {
      if (isMissed(fill, order.tradeIds)) missed.push({ orderId: order.id, fill });
      else if (fill.state === 'failed') undone.add(differenceSubjects.fill(fill.venueOrderId, fill.tradeId));
    } else if (fill.at >= since) {
      const difference = externalFill(fill);
      external.set(difference.subject, difference);
      if (fill.state === 'failed') undone.add(difference.subject);
    }
  }
  const standing = [...external.values()].filter(({ subject }) => !undone.has(subject));
  return { missed, external: standing, undone: [...undone] };
}

/** Whether the books lack a reported trade or its reversal. */
export const isMissed = (
  { tradeId, state }: Pick<AccountFill, 'tradeId' | 'state'>,
  booked: ReadonlySet<string>,
): boolean =>
  state === 'failed' ? booked.has(tradeId) && !booked.has(reversalIdOf(tradeId)) : !booked.has(tradeId);

/** Builds the difference of a fill of ours that even its order does not report yet. */
export const missedFillDifference = ({ orderId, fill }: MissedFill): Difference => ({
  subject: differenceSubjects.fill(fill.venueOrderId, fill.tradeId),
  kind: 'lag',
  ours: ZERO,
  theirs: exact(fill.amount),
  worth: null,
  about: { ...aboutOf(fill), orderId, ...(fill.state === 'failed' && { isFailed: true }) },
});

const externalFill = (fill: AccountFill): Difference => ({
  subject: differenceSubjects.fill(fill.venueOrderId, fill.tradeId),
  kind: 'external_fill',
  ours: ZERO,
  theirs: exact(fill.amount),
  worth: valueAt(exact(fill.amount), exact(fill.price)),
  about: aboutOf(fill),
});

const aboutOf = ({ tokenId, side, price, fee, venueOrderId, tradeId }: AccountFill) => ({
  tokenId,
  side,
  price,
  fee,
  venueOrderId,
  tradeId,
});

import type { AccountFill } from '../../../../venues/broker.ts';
import { exact, ZERO } from '../../../platform/decimal.ts';
import { valueAt } from '../../../platform/valuation.ts';
import { reversalIdOf } from '../../orders/execution/reversal.ts';
import { type Difference, subjects } from './difference.ts';

/** An order of ours by its names, and what is booked of it. */
export type FilledOrder = {
  readonly id: string;
  readonly clientOrderId: string;
  readonly venueOrderId: string | null;
  readonly tradeIds: ReadonlySet<string>;
};

/** A fill of ours that is not booked as the venue tells it. */
export type MissedFill = { readonly orderId: string; readonly fill: AccountFill };

export type SortedFills = {
  readonly missed: readonly MissedFill[];
  /** Fills of orders that nobody here placed. */
  readonly external: readonly Difference[];
  /** What the venue took back, of others or of ours and never booked or booked back, by subject. */
  readonly undone: readonly string[];
};

/**
 * Tells which fills of the venue account are ours and not booked, and which are somebody else's. Those before `since` are none
 * of ours. A fill listed by account is in the words of the venue's book: what is booked of ours comes from the order itself. Pure.
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
      else if (fill.state === 'failed') undone.add(subjects.fill(fill.venueOrderId, fill.tradeId));
    } else if (fill.at >= since) {
      const told = externalFill(fill);
      external.set(told.subject, told);
      if (fill.state === 'failed') undone.add(told.subject);
    }
  }
  const standing = [...external.values()].filter(({ subject }) => !undone.has(subject));
  return { missed, external: standing, undone: [...undone] };
}

/** Whether the books do not have what the venue tells: a trade, or that it took one back. */
export const isMissed = (
  { tradeId, state }: Pick<AccountFill, 'tradeId' | 'state'>,
  booked: ReadonlySet<string>,
): boolean =>
  state === 'failed' ? booked.has(tradeId) && !booked.has(reversalIdOf(tradeId)) : !booked.has(tradeId);

/** A fill of ours that not even the order itself shows yet. */
export const laggingFill = ({ orderId, fill }: MissedFill): Difference => ({
  subject: subjects.fill(fill.venueOrderId, fill.tradeId),
  kind: 'lag',
  ours: ZERO,
  theirs: exact(fill.amount),
  worth: null,
  about: { ...aboutOf(fill), orderId, ...(fill.state === 'failed' && { isFailed: true }) },
});

const externalFill = (fill: AccountFill): Difference => ({
  subject: subjects.fill(fill.venueOrderId, fill.tradeId),
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

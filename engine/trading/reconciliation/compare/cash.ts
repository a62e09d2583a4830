import { type Exact, exact, sumOf } from '../../../platform/decimal.ts';
import { type Difference, differenceSubjects } from './difference.ts';
import { type ExplainedGap, gapBeyondRange, gapExplainedUntil } from './explained-gap.ts';

/** A claim on winnings that are not paid out yet, USD. */
export type UnpaidClaim = { readonly tokenId: string; readonly worth: Exact; readonly isAtVenue: boolean };

/** A deposit or withdrawal in the venue's record that is not booked yet, USD, signed. */
export type RecordedTransfer = { readonly id: string; readonly amount: Exact };

/** Inputs of the cash comparison, USD. All dollar currencies count as one. */
export type CashFacts = {
  readonly ours: Exact;
  readonly theirs: Exact;
  /** Surplus at the venue that a person has explained. */
  readonly explained: Exact;
  /** Moved by external fills without a resolution yet. */
  readonly external: Exact;
  /** Paid out for pairs of yes and no, and not booked. */
  readonly netted: Exact;
  readonly claims: readonly UnpaidClaim[];
  readonly transfers: readonly RecordedTransfer[];
  /** Traded notional and fees since both last agreed. */
  readonly traded: { readonly notional: Exact; readonly fees: Exact };
  /** The range that known orders and delayed lists explain; none once it is quiet. */
  readonly slack: ExplainedGap;
  /** Until when fills of resting orders explain a gap found now. */
  readonly graceUntil: Date;
  /** Whether holdings agree, so that missing cash has not bought anything. */
  readonly positionsAgree: boolean;
  readonly isQuiet: boolean;
  /** Whether the account was never reconciled before. */
  readonly isFirst: boolean;
};

/** Movements that are booked automatically, each with an audit row. */
export type AutoBooked =
  /** `id`: id in the venue's record; null for the opening balance of the account. */
  | { readonly kind: 'transfer'; readonly amount: Exact; readonly id: string | null }
  | { readonly kind: 'fee_true_up'; readonly amount: Exact }
  | { readonly kind: 'redemption'; readonly amount: Exact; readonly tokenId: string };

export type ComparedCash = {
  readonly booked: readonly AutoBooked[];
  readonly difference: Difference | null;
};

/** Precision of the venues' balances. */
const DUST = exact('0.01');
/** Fraction of the traded notional: a smaller fee difference is booked automatically. */
const FEE_SELF_BOOKED = exact('0.0001');

/**
 * Classifies a cash difference. Only the venue's record makes a transfer. A redemption has left the holdings. An amount below
 * the fees since both agreed is a fee. The rest is unexplained; while orders move, only the part beyond their range is. Pure.
 */
export function compareCash(facts: CashFacts): ComparedCash {
  const gap = facts.theirs.minus(facts.ours).minus(facts.explained).minus(facts.external).minus(facts.netted);
  if (facts.isFirst) return compareFirst(gap, facts);
  const transfers = recorded(gap, facts);
  const rest = gap.minus(sumOf(transfers.map(({ amount }) => amount)));
  if (rest.abs().lt(DUST)) return { booked: transfers, difference: null };
  if (!facts.isQuiet) return { booked: transfers, difference: whileMoving(rest, facts) };
  const redeemed = redemptions(rest, facts.claims);
  const left = rest.minus(sumOf(redeemed.map(({ amount }) => amount)));
  const booked = [...transfers, ...redeemed];
  if (left.abs().lt(DUST)) return { booked, difference: null };
  const { notional, fees } = facts.traded;
  if (facts.positionsAgree && left.abs().lte(notional.times(FEE_SELF_BOOKED)))
    return { booked: [...booked, { kind: 'fee_true_up', amount: left }], difference: null };
  const kind = facts.positionsAgree && left.abs().lte(fees) ? 'fee' : 'unexplained';
  return { booked, difference: cashDifference(kind, facts, left) };
}

/** Books the whole opening balance once it is quiet, including recorded transfers; nothing is booked before. */
function compareFirst(gap: Exact, facts: CashFacts): ComparedCash {
  if (!facts.isQuiet) return { booked: [], difference: gap.abs().lt(DUST) ? null : whileMoving(gap, facts) };
  return { booked: gap.isZero() ? [] : [{ kind: 'transfer', amount: gap, id: null }], difference: null };
}

/** Returns recorded transfers that reduce the gap. One that is not in the venue's balance yet waits. */
function recorded(gap: Exact, { transfers, slack }: CashFacts): Extract<AutoBooked, { kind: 'transfer' }>[] {
  let left = gap;
  return transfers.flatMap(({ id, amount }) => {
    const after = left.minus(amount);
    const [nearer, before] = [gapBeyondRange(after, slack.all).abs(), gapBeyondRange(left, slack.all).abs()];
    if (nearer.gt(before) || (nearer.eq(before) && after.abs().gte(left.abs()))) return [];
    left = after;
    return [{ kind: 'transfer', amount, id }];
  });
}

/** Classifies a gap while orders move it: the part within their range is temporary, the part beyond it is not. */
function whileMoving(gap: Exact, facts: CashFacts): Difference {
  const excess = gapBeyondRange(gap, facts.slack.all);
  const moving = { whole: gap, until: gapExplainedUntil(gap, facts.slack, facts.graceUntil, DUST) };
  const isPassing = facts.isFirst || excess.abs().lt(DUST);
  const found = isPassing
    ? cashDifference('in_flight', facts, gap)
    : cashDifference('unexplained', facts, excess);
  return { ...found, moving };
}

/** Returns claims whose holding has left the venue, as far as the gap covers their worth, the greatest first. */
function redemptions(
  gap: Exact,
  claims: readonly UnpaidClaim[],
): Extract<AutoBooked, { kind: 'redemption' }>[] {
  let left = gap;
  const gone = claims.filter(({ isAtVenue }) => !isAtVenue).sort((a, b) => b.worth.cmp(a.worth));
  return gone.flatMap(({ tokenId, worth }) => {
    if (worth.minus(left).gte(DUST)) return [];
    left = left.minus(worth);
    return [{ kind: 'redemption', amount: worth, tokenId }];
  });
}

const cashDifference = (kind: Difference['kind'], { ours, theirs }: CashFacts, gap: Exact): Difference => ({
  subject: differenceSubjects.cash,
  kind,
  ours,
  theirs,
  worth: gap.abs(),
  about: { gap: gap.toFixed() },
});

import { type Exact, exact, sumOf } from '../../../platform/decimal.ts';
import { type Difference, subjects } from './difference.ts';
import { beyond, explainedUntil, type Slack } from './range.ts';

/** Won and not paid out yet, USD. */
export type Claim = { readonly tokenId: string; readonly worth: Exact; readonly isAtVenue: boolean };

/** A deposit or a withdrawal of the venue's own record that the books do not have, USD, signed. */
export type RecordedTransfer = { readonly id: string; readonly amount: Exact };

/** What money is compared by, USD. Dollars of every name count as one. */
export type CashFacts = {
  readonly ours: Exact;
  readonly theirs: Exact;
  /** There more than here, as a person has confirmed. */
  readonly explained: Exact;
  /** Moved by fills of somebody else that nobody has decided about. */
  readonly external: Exact;
  /** Paid out for pairs of yes and no, and not booked. */
  readonly netted: Exact;
  readonly claims: readonly Claim[];
  readonly transfers: readonly RecordedTransfer[];
  /** Since both last agreed: what was traded, and its fees. */
  readonly traded: { readonly notional: Exact; readonly fees: Exact };
  /** The range that known orders and late lists explain; none once it is quiet. */
  readonly slack: Slack;
  /** Until when fills of resting orders explain a gap of this moment. */
  readonly patience: Date;
  /** Holdings agree, so that what money is missing has not bought anything. */
  readonly positionsAgree: boolean;
  readonly isQuiet: boolean;
  /** The account was never compared before. */
  readonly isFirst: boolean;
};

/** What the books take over by themselves, each with an audit row. */
export type SelfBooked =
  /** `id`: as the venue's record names it; null for the balance an account was connected with. */
  | { readonly kind: 'transfer'; readonly amount: Exact; readonly id: string | null }
  | { readonly kind: 'fee_true_up'; readonly amount: Exact }
  | { readonly kind: 'redemption'; readonly amount: Exact; readonly tokenId: string };

export type ComparedCash = {
  readonly booked: readonly SelfBooked[];
  readonly difference: Difference | null;
};

/** What venues cut their balances to. */
const DUST = exact('0.01');
/** Of what was traded: a fee that differs by less books itself. */
const FEE_SELF_BOOKED = exact('0.0001');

/**
 * Says why money differs. A transfer is what the venue's own record shows, and nothing else. What was redeemed has left the
 * holdings. What is less than the fees since both agreed is a fee. The rest is unexplained, at any moment: while something is under
 * way, as far as it lies beyond what that can explain. Pure.
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

/** Takes the whole balance over once it is quiet, recorded transfers with it: nothing is booked before. */
function compareFirst(gap: Exact, facts: CashFacts): ComparedCash {
  if (!facts.isQuiet) return { booked: [], difference: gap.abs().lt(DUST) ? null : whileMoving(gap, facts) };
  return { booked: gap.isZero() ? [] : [{ kind: 'transfer', amount: gap, id: null }], difference: null };
}

/** Recorded transfers that bring both nearer to each other. One that the venue's balance does not show yet waits. */
function recorded(gap: Exact, { transfers, slack }: CashFacts): Extract<SelfBooked, { kind: 'transfer' }>[] {
  let left = gap;
  return transfers.flatMap(({ id, amount }) => {
    const after = left.minus(amount);
    const [nearer, before] = [beyond(after, slack.all).abs(), beyond(left, slack.all).abs()];
    if (nearer.gt(before) || (nearer.eq(before) && after.abs().gte(left.abs()))) return [];
    left = after;
    return [{ kind: 'transfer', amount, id }];
  });
}

/** A gap that known orders can explain passes alone; what lies beyond them does not. */
function whileMoving(gap: Exact, facts: CashFacts): Difference {
  const excess = beyond(gap, facts.slack.all);
  const moving = { whole: gap, until: explainedUntil(gap, facts.slack, facts.patience, DUST) };
  const isPassing = facts.isFirst || excess.abs().lt(DUST);
  const found = isPassing
    ? cashDifference('in_flight', facts, gap)
    : cashDifference('unexplained', facts, excess);
  return { ...found, moving };
}

/** Claims whose holding has left the venue, as far as money has come for them, the greatest first. */
function redemptions(gap: Exact, claims: readonly Claim[]): Extract<SelfBooked, { kind: 'redemption' }>[] {
  let left = gap;
  const gone = claims.filter(({ isAtVenue }) => !isAtVenue).sort((a, b) => b.worth.comparedTo(a.worth));
  return gone.flatMap(({ tokenId, worth }) => {
    if (worth.minus(left).gte(DUST)) return [];
    left = left.minus(worth);
    return [{ kind: 'redemption', amount: worth, tokenId }];
  });
}

const cashDifference = (kind: Difference['kind'], { ours, theirs }: CashFacts, gap: Exact): Difference => ({
  subject: subjects.cash,
  kind,
  ours,
  theirs,
  worth: gap.abs(),
  about: { gap: gap.toFixed() },
});

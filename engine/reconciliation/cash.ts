import { type Exact, exact, sumOf } from '../decimal.ts';
import { type Difference, subjects } from './difference.ts';

/** Won and not paid out yet, USD. */
export type Claim = { readonly tokenId: string; readonly worth: Exact; readonly isAtVenue: boolean };

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
  /** Since both last agreed: what was traded, and its fees. */
  readonly traded: { readonly notional: Exact; readonly fees: Exact };
  /** Holdings agree, so that what money is missing has not bought anything. */
  readonly positionsAgree: boolean;
  readonly isQuiet: boolean;
  /** The account was never compared before. */
  readonly isFirst: boolean;
};

/** What the books take over by themselves, each with an audit row. */
export type SelfBooked =
  | { readonly kind: 'transfer' | 'fee_true_up'; readonly amount: Exact }
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
 * Why money differs. What was redeemed has left the holdings; what is less than the fees since both agreed is a fee; all else
 * came from outside or went there, as long as every holding agrees. Pure.
 */
export function compareCash(facts: CashFacts): ComparedCash {
  const gap = facts.theirs.minus(facts.ours).minus(facts.explained).minus(facts.external).minus(facts.netted);
  if (facts.isQuiet && facts.isFirst) return { booked: transfer(gap), difference: null };
  if (gap.abs().lt(DUST)) return NOTHING;
  if (!facts.isQuiet) return { booked: [], difference: cashDifference('in_flight', facts, gap) };
  const redeemed = redemptions(gap, facts.claims);
  const rest = gap.minus(sumOf(redeemed.map(({ amount }) => amount)));
  if (rest.abs().lt(DUST)) return { booked: redeemed, difference: null };
  if (!facts.positionsAgree)
    return { booked: redeemed, difference: cashDifference('unexplained', facts, rest) };
  const { notional, fees } = facts.traded;
  if (rest.abs().lte(notional.times(FEE_SELF_BOOKED)))
    return { booked: [...redeemed, { kind: 'fee_true_up', amount: rest }], difference: null };
  if (rest.abs().lte(fees)) return { booked: redeemed, difference: cashDifference('fee', facts, rest) };
  return { booked: [...redeemed, ...transfer(rest)], difference: null };
}

const NOTHING: ComparedCash = { booked: [], difference: null };

const transfer = (amount: Exact): SelfBooked[] => (amount.isZero() ? [] : [{ kind: 'transfer', amount }]);

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

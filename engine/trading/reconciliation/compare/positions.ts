import type { Clearing } from '../../../../venues/records/venue-record.ts';
import { type Exact, exact, sumOf, ZERO } from '../../../platform/decimal.ts';
import { valueAt } from '../../../platform/valuation.ts';
import { type Difference, differenceSubjects } from './difference.ts';
import { type ExplainedGap, gapBeyondRange, gapExplainedUntil, NOTHING_EXPLAINED } from './explained-gap.ts';

/** Amount of each instrument. */
export type Amounts = ReadonlyMap<string, Exact>;

/** Inputs of the comparison of holdings. Amounts are signed at a venue that nets; see {@link netOutcomes}. */
export type PositionFacts = {
  readonly clearing: Clearing;
  /** Holdings at this venue account by the books. */
  readonly ours: Amounts;
  readonly theirs: Amounts;
  /** External holdings there that a person has explained. */
  readonly explained: Amounts;
  /** Moved by external fills without a resolution yet. */
  readonly external: Amounts;
  /** USD a unit; absent without a price. */
  readonly marks: Amounts;
  /** Settlement values, USD a unit. */
  readonly paid: Amounts;
  /** The range of each holding that known orders and delayed lists explain; none once it is quiet. */
  readonly slack: ReadonlyMap<string, ExplainedGap>;
  /** Until when fills of resting orders explain a gap found now. */
  readonly graceUntil: Date;
  /** Whether nothing is under way, and the last movement is old enough for the venue to list it. */
  readonly isQuiet: boolean;
  /** Whether the account was never reconciled before: its holdings existed before the connection. */
  readonly isFirst: boolean;
};

/** A gap below both limits is a rounding remainder. */
const AMOUNT_DUST = exact('0.01');
const WORTH_DUST = exact('0.01');
/** Maximum time between the settlement of a market in the books and at the venue. */
const SETTLING_MS = 86_400_000;

/** Returns the differences in holdings that external fills do not explain. Pure. */
export function comparePositions(facts: PositionFacts): Difference[] {
  const tokens = new Set([...facts.ours.keys(), ...facts.theirs.keys(), ...facts.explained.keys()]);
  for (const tokenId of facts.external.keys()) tokens.add(tokenId);
  return [...tokens].flatMap((tokenId) => {
    const difference = compareOne(tokenId, facts);
    return difference === null ? [] : [difference];
  });
}

function compareOne(tokenId: string, facts: PositionFacts): Difference | null {
  const of = (amounts: Amounts) => amounts.get(tokenId) ?? ZERO;
  const ours = of(facts.ours);
  const theirs = of(facts.theirs);
  const value = facts.paid.get(tokenId);
  const mark = value ?? facts.marks.get(tokenId);
  const whole = theirs.minus(ours).minus(of(facts.explained)).minus(of(facts.external));
  const slack = facts.slack.get(tokenId) ?? NOTHING_EXPLAINED;
  const excess = gapBeyondRange(whole, slack.all);
  const isPassing = !facts.isQuiet && (facts.isFirst || excess.abs().lt(AMOUNT_DUST));
  const gap = isPassing ? whole : excess;
  const worth = mark === undefined ? null : valueAt(gap.abs(), mark);
  if (gap.abs().lt(AMOUNT_DUST) && (worth ?? ZERO).lt(WORTH_DUST)) return null;
  const found = { ours, theirs, worth, about: { tokenId, gap: gap.toFixed() } };
  if (value !== undefined) return settling(tokenId, facts, found);
  const kind = isPassing ? 'in_flight' : facts.isFirst ? 'external_fill' : 'unexplained';
  const until = gapExplainedUntil(whole, slack, facts.graceUntil, AMOUNT_DUST);
  return {
    subject: differenceSubjects.position(tokenId),
    kind,
    ...found,
    ...(!facts.isQuiet && { moving: { whole, until } }),
  };
}

/** Classifies a rest of a settled market: won and not redeemed, lost and still listed, or not settled by both sides yet. */
function settling(
  tokenId: string,
  { clearing, paid }: PositionFacts,
  found: Pick<Difference, 'ours' | 'theirs' | 'worth' | 'about'>,
): Difference | null {
  const isAwaited = clearing.paysOnRedemption && found.ours?.isZero() === true;
  if (isAwaited && (paid.get(tokenId) ?? ZERO).isZero()) return null;
  if (isAwaited) return { subject: differenceSubjects.unredeemed(tokenId), kind: 'unredeemed', ...found };
  return { subject: differenceSubjects.position(tokenId), kind: 'lag', graceMs: SETTLING_MS, ...found };
}

const NO = /:no$/;

/** Converts holdings to the form of a venue that nets: no becomes negative yes. Others stay unchanged. Pure. */
export function netOutcomes(
  held: readonly { readonly tokenId: string; readonly amount: Exact }[],
  { netsOutcomes }: Clearing,
): Amounts {
  const booked = held.map(({ tokenId, amount }) => {
    const isNo = netsOutcomes && NO.test(tokenId);
    return isNo ? { tokenId: tokenId.replace(NO, ':yes'), amount: amount.negated() } : { tokenId, amount };
  });
  return new Map(
    [...Map.groupBy(booked, ({ tokenId }) => tokenId)].map(([tokenId, parts]) => [
      tokenId,
      sumOf(parts.map(({ amount }) => amount)),
    ]),
  );
}

/**
 * Returns the payouts of a venue that nets for pairs of yes and no, beyond the books and external fills: a dollar a pair. In
 * one book a purchase of no is a sale of yes, at a dollar less. Pure.
 */
export function pairPayouts(
  held: readonly { readonly tokenId: string; readonly amount: Exact }[],
  { explained, external }: Pick<PositionFacts, 'explained' | 'external'>,
  clearing: Clearing,
): Exact {
  if (!clearing.netsOutcomes) return ZERO;
  const net = netOutcomes(held, clearing);
  const gross = held.filter(({ tokenId }) => NO.test(tokenId)).map(({ amount }) => amount);
  const shorts = [...new Set([...net.keys(), ...explained.keys(), ...external.keys()])].map((tokenId) => {
    const known = explained.get(tokenId) ?? ZERO;
    const all = sumOf([net.get(tokenId) ?? ZERO, known, external.get(tokenId) ?? ZERO]);
    return short(known).minus(short(all));
  });
  return sumOf([...gross, ...shorts]);
}

const short = (amount: Exact): Exact => (amount.isNegative() ? amount.negated() : ZERO);

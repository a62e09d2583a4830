import { type InstrumentKind, mayRest, type Side, type TimeInForce } from '../../../../db/vocabulary.ts';
import type { Clearing } from '../../../../venues/records/venue-record.ts';
import { Exact, ZERO } from '../../../platform/decimal.ts';
import { type ExplainedGap, type GapRange, NO_GAP_RANGE } from './explained-gap.ts';
import { netOutcomes } from './positions.ts';

/** An order that the venue may have filled beyond the booked fills. */
export type OrderUnderWay = {
  readonly tokenId: string;
  readonly kind: InstrumentKind;
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  /** Amount not filled yet in the books. */
  readonly amount: Exact;
  readonly limitPrice: Exact;
  /** Maximum further fee, USD. */
  readonly fee: Exact;
  /** Until when it explains a gap; null: it rests, so that the venue lists its fills within seconds. */
  readonly until: Date | null;
};

/** A recently booked fill, which the venue may not list yet. Signed as in the books. */
export type RecentFill = {
  readonly tokenId: string;
  readonly amount: Exact;
  readonly cash: Exact;
  readonly at: Date;
};

export type ExplainedGaps = {
  readonly cash: ExplainedGap;
  readonly positions: ReadonlyMap<string, ExplainedGap>;
};

/** A buy that does not rest may be bounded by its cost: below its limit price it gets a larger amount than stated. */
const TAKING_BUY_MOST = 2;
/** A sell of coins gets its limit price or an unbounded better one: twice the limit exceeds any price band. */
const COIN_SELL_MOST = 2;

type Move = { readonly tokenId: string; readonly amount: Exact; readonly cash: readonly Exact[] };

/** Maximum lag of the venue's lists of cash and of holdings. */
export type VenueLagMs = { readonly cash: number; readonly positions: number };

/** Returns the largest gaps in both directions that known orders and delayed lists can cause. Pure. */
export function explainedGapsOf(
  underWay: readonly OrderUnderWay[],
  recent: readonly RecentFill[],
  clearing: Clearing,
  lagMs: VenueLagMs,
  now: Date,
): ExplainedGaps {
  const since = {
    cashSince: new Date(now.getTime() - lagMs.cash),
    positionsSince: new Date(now.getTime() - lagMs.positions),
  };
  const all = rangesOf(underWay.map(worstOf), recent, clearing, since);
  const sent = underWay.filter(({ until }) => until !== null);
  const late = rangesOf(sent.map(worstOf), recent, clearing, since);
  return {
    cash: { late: late.cash, all: all.cash, lateUntil: latestOf(sent, recent, lagMs.cash) },
    positions: new Map(
      [...all.positions].map(([tokenId, range]) => [
        tokenId,
        {
          late: late.positions.get(tokenId) ?? NO_GAP_RANGE,
          all: range,
          lateUntil: latestOf(sent, recent, lagMs.positions),
        },
      ]),
    ),
  };
}

/** Returns when the last of them stops explaining a gap. */
function latestOf(sent: readonly OrderUnderWay[], recent: readonly RecentFill[], lagMs: number): Date | null {
  const ends = [
    ...sent.flatMap(({ until }) => until ?? []),
    ...recent.map(({ at }) => new Date(at.getTime() + lagMs)),
  ];
  return ends.length === 0 ? null : new Date(Math.max(...ends.map((end) => end.getTime())));
}

function rangesOf(
  coming: readonly Move[],
  recent: readonly RecentFill[],
  clearing: Clearing,
  { cashSince, positionsSince }: { readonly cashSince: Date; readonly positionsSince: Date },
): { cash: GapRange; positions: ReadonlyMap<string, GapRange> } {
  const late = (since: Date): Move[] =>
    recent
      .filter(({ at }) => at >= since)
      .map(({ tokenId, amount, cash }) => ({ tokenId, amount: amount.negated(), cash: [cash.negated()] }));
  const holdings = [...coming, ...late(positionsSince)].flatMap(({ tokenId, amount }) => [
    ...netOutcomes([{ tokenId, amount }], clearing),
  ]);
  return {
    cash: rangeOf([...coming, ...late(cashSince)].flatMap(({ cash }) => cash)),
    positions: new Map(
      [...Map.groupBy(holdings, ([tokenId]) => tokenId)].map(([tokenId, moves]) => [
        tokenId,
        rangeOf(moves.map(([, amount]) => amount)),
      ]),
    ),
  };
}

function worstOf({ tokenId, kind, side, timeInForce, amount, limitPrice, fee }: OrderUnderWay): Move {
  const atLimit = amount.times(limitPrice);
  if (side === 'buy') {
    const most = mayRest(timeInForce) ? amount : amount.times(TAKING_BUY_MOST);
    return { tokenId, amount: most, cash: [atLimit.plus(fee).negated()] };
  }
  const most = kind === 'outcome' ? amount : atLimit.times(COIN_SELL_MOST);
  return { tokenId, amount: amount.negated(), cash: [most, fee.negated()] };
}

/** Returns the range if each move may have happened at the venue or not. */
const rangeOf = (moves: readonly Exact[]): GapRange => ({
  low: moves.reduce((sum, move) => sum.plus(Exact.min(move, ZERO)), ZERO),
  high: moves.reduce((sum, move) => sum.plus(Exact.max(move, ZERO)), ZERO),
});

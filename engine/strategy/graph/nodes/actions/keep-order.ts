/**
 * Keeps one limit order as a node wants it. Level-triggered: each step compares the live order with the wanted one. It raises a
 * cancel or an order, never both. So there is at most one live order, and a lost cancel is raised again.
 */
import { Exact, exact } from '../../../../platform/decimal.ts';
import { toStep } from '../../../../platform/instruments/lot.ts';
import type { Run } from '../../run/run.ts';
import type {
  ActionOrigin,
  DecisionInput,
  InstrumentFacts,
  NodeOrder,
  NodeOrders,
  NodeStatus,
  Reason,
  Unknown,
  Value,
} from '../../types.ts';
import { isUnknown, reason, unknown, waitingStatus } from '../../values.ts';
import type { Wiring } from '../node.ts';
import { isMissing, quoteReader, shortName } from '../quote-readers.ts';
import { claimBuy, claimSale, limitReached, unclaimedUnits } from './claims.ts';
import { decisionInputsOf } from './decision-inputs.ts';
import { draftAmount, draftPrice, draftSale, fromDouble } from './drafting.ts';
import { filledOutputOf, ordersOfNode } from './filled-output.ts';
import {
  begunRound,
  endedRound,
  hasRound,
  isMoved,
  memoryOn,
  type QuoteMemory,
  restOf,
  withFills,
} from './quote-round.ts';

/** Quotes older than this are no market to rest an order in. */
const QUOTE_MAX_AGE_SEC = 30;
/** Pause after a refusal, or after a cancel by anything but the node: the same would probably follow again. */
const TURNED_DOWN_PAUSE_MS = 60_000;
const TURNED_DOWN: ReadonlySet<string> = new Set(['denied', 'declined', 'rejected', 'canceled']);

const RESTING = reason('order_live', 'Its order is live.');
const CANCELING = reason('canceling', 'Its order is being canceled; it may still fill.');
const FILLED = reason(
  'amount_filled',
  'The whole amount is filled. It quotes again after its condition was false.',
);
const TOO_SOON = reason('backing_off', 'Its next order waits until `refreshMinSec` is over.');
const HALTED = reason(
  'halted',
  'The blueprint is in error: its exits continue, and need what its quotes would hold.',
);
/** Why the node cancels its order, for the order's log. */
const NO_LONGER = 'The condition of its quote no longer holds.';
const MOVED = 'The price of its quote has moved.';
const MORE = 'More is left to fill than its amount.';
const TOO_MUCH = 'Less is left to fill than its amount.';
const CONFLICT = reason('conflict', 'A close or an exit sells this instrument: quotes of it stand back.');

/** The order that a node keeps. */
export type KeptOrder = {
  readonly instrument: string;
  readonly origin: ActionOrigin;
  readonly side: 'buy' | 'sell';
  readonly refreshAboveTicks: number;
  readonly refreshMinSec: number;
  readonly afterFill: 'stop' | 'repeat';
  readonly timeInForce: 'gtc' | 'gtx';
  /** Whether it may rest; false ends the round. */
  readonly when: (run: Run) => Value;
  /** Its limit before rounding. */
  readonly price: (run: Run) => Value;
  /** Units of a round. */
  readonly amount: (run: Run) => Value;
  /** The amount changes while the round lasts; else it is fixed as the round begins. */
  readonly isFollowing?: true;
  /** Why its orders are raised. */
  readonly why: Reason;
  /** Facts of the node that led to an order. */
  readonly facts?: (run: Run) => readonly DecisionInput[];
  /** A reason of the node against any order now. */
  readonly against?: (run: Run) => Reason | null;
};

/** True for one step after an order of this deployment ended with a fill. */
export function keptOutputOf(wiring: Wiring): (run: Run) => Value {
  const hasFilled = filledOutputOf(wiring);
  return (run) => {
    if (run.isLive) ignoreEarlier(run, wiring);
    return hasFilled(run);
  };
}

/** At a deploy, the last order is of an earlier deployment. Its fills are news to nothing here. */
function ignoreEarlier(run: Run, { nodeId, slot }: Wiring): void {
  const { last, ended = last } = ordersOfNode(run, nodeId);
  if (ended === null || run.recall(slot) !== undefined) return;
  run.remember(slot, { done: ended.id, of: ended.id, had: ended.filledAmount } satisfies QuoteMemory);
}

export type Wanted = { readonly price: string; readonly facts: InstrumentFacts };
/** The state that the node shows after a step. */
type Display = { readonly status: NodeStatus; readonly reason?: Reason };

const display = (status: NodeStatus, why?: Reason): Display =>
  why === undefined ? { status } : { status, reason: why };
const waiting = (why: Reason): Display => display(waitingStatus(why), why);

/** Returns the action of a node that keeps an order. */
export function keepOrder(
  kept: KeptOrder,
  { nodeId, slot }: Pick<Wiring, 'nodeId' | 'slot'>,
): (run: Run) => void {
  const { instrument: tokenId, side } = kept;
  const isBuy = side === 'buy';
  const wantedOf = wantedReader(kept);
  const on = `${side} ${tokenId}`;
  const memoryOf = (run: Run): QuoteMemory => memoryOn(run.recall<QuoteMemory>(slot) ?? {}, on);
  /** An order that seems to be of the future was dated by a clock that was wrong: it holds up nothing. */
  const nextOf = ({ at }: QuoteMemory, now: number): number =>
    at === undefined || at > now ? Number.NEGATIVE_INFINITY : at + kept.refreshMinSec * 1_000;

  function withdraw(run: Run, live: NodeOrder | null, why: string): void {
    // An undecided intent has no order yet: the next step sees it.
    if (live === null || live.isCanceling || live.limitPrice === null) return;
    run.cancel({ nodeId, orderId: live.id, reason: why });
    run.remember(slot, { ...memoryOf(run), cut: live.id });
  }

  function reasonToReplace(run: Run, live: NodeOrder, { price, facts }: Wanted): string | null {
    if (live.isCanceling || live.limitPrice === null) return null;
    const memory = memoryOf(run);
    if (exact(live.amount).gt(restOf(memory))) return TOO_MUCH;
    // An order that waits for a person stays as it was shown.
    if (live.status === 'pending' || run.now < nextOf(memory, run.now)) return null;
    if (kept.isFollowing && mayGrow(run, live, facts)) return MORE;
    return isMoved(live.limitPrice, price, kept.refreshAboveTicks, facts) ? MOVED : null;
  }

  /** Whether a sell could be larger by a step: the round wants more, and that is free. */
  function mayGrow(run: Run, live: NodeOrder, facts: InstrumentFacts): boolean {
    const most = exact(live.amount).plus(unclaimedUnits(run, tokenId));
    return toStep(Exact.min(restOf(memoryOf(run)), most), facts).gt(live.amount);
  }

  function supervise(run: Run, live: NodeOrder, wanted: Wanted): Display {
    const why = reasonToReplace(run, live, wanted);
    if (why !== null) withdraw(run, live, why);
    return why !== null || live.isCanceling ? waiting(CANCELING) : display('fired', RESTING);
  }

  /** Begins a round, or continues it with the amount of now. */
  function follow(run: Run, ended: NodeOrder | null): void {
    const units = kept.amount(run);
    if (typeof units !== 'number') return;
    const [memory, want] = [memoryOf(run), sellable(units).text];
    if (memory.want === want) return;
    run.remember(slot, hasRound(memory) ? { ...memory, want } : begunRound(memory, { want, on }, ended));
  }

  /** Begins to count fills, if that has not begun. Returns the units left, or why there are none to order. */
  function leftOf(run: Run, ended: NodeOrder | null, { price, facts }: Wanted): Exact | Unknown | Refused {
    const memory = memoryOf(run);
    if (kept.isFollowing) return restOf(memory);
    const isOpen = hasRound(memory) && (restOf(memory).gt(0) || kept.afterFill === 'stop');
    const isOfThisDeploy = memory.n !== undefined;
    if (isOpen && (isOfThisDeploy || restOf(memory).isZero())) return restOf(memory);
    const units = kept.amount(run);
    if (typeof units !== 'number') return units as Unknown;
    const drafted = isBuy ? draftAmount(units, Number(price), facts) : sellable(units);
    if ('refused' in drafted) return drafted;
    // A round that a redeploy inherited ends at the amount of now, if that is less.
    const want = isOpen ? Exact.min(drafted.text, memory.want ?? '0').toFixed() : drafted.text;
    const round = isOpen ? { ...memory, want } : begunRound(memory, { want, on }, ended);
    run.remember(slot, { n: 0, ...round });
    return restOf(memoryOf(run));
  }

  function raise(run: Run, { last, ended = last }: NodeOrders, wanted: Wanted): Display {
    const left = leftOf(run, ended, wanted);
    if ('unknown' in left) return waiting(left.unknown);
    if ('refused' in left) return display('blocked', left.refused);
    if (!left.gt(0)) return display('ok', FILLED);
    const memory = memoryOf(run);
    const pause = turnedDown(run, memory, last);
    if (pause !== null) return display('blocked', pause);
    const next = nextOf(memory, run.now);
    if (run.now < next) {
      run.distances[slot] = (next - run.now) / 1_000;
      return waiting(TOO_SOON);
    }
    const units = isBuy
      ? draftAmount(left.toNumber(), Number(wanted.price), wanted.facts)
      : draftSale(left, unclaimedUnits(run, tokenId), Number(wanted.price), wanted.facts);
    if ('refused' in units) return refuse(run, memory, units.refused);
    const reached = isBuy ? limitReached(run, slot) : null;
    return reached === null ? order(run, units.text, wanted.price) : waiting(reached.unknown);
  }

  function order(run: Run, units: string, limitPrice: string): Display {
    const memory = memoryOf(run);
    const claimed = isBuy ? claimBuy : claimSale;
    claimed(run, tokenId, units);
    run.remember(slot, { ...memory, n: (memory.n ?? 0) + 1, at: run.now });
    run.raise({
      nodeId,
      stepAt: run.now,
      origin: kept.origin,
      side,
      tokenId,
      type: 'limit',
      amount: units,
      limitPrice,
      slippage: null,
      timeInForce: kept.timeInForce,
      isKept: true,
      reason: kept.why,
      inputs: decisionInputsOf(run, slot, kept.facts?.(run)),
    });
    return display('fired', kept.why);
  }

  /** A rest that is too small to order ends the round, as if it were filled. */
  function refuse(run: Run, memory: QuoteMemory, why: Reason): Display {
    if (kept.isFollowing || why.code !== 'below_minimum' || memory.got === '0')
      return display('blocked', why);
    run.remember(slot, { ...memory, got: memory.want ?? '0' });
    return display('ok', FILLED);
  }

  function rest(run: Run, live: NodeOrder | null): Display {
    withdraw(run, live, NO_LONGER);
    if (hasRound(memoryOf(run))) run.remember(slot, endedRound(memoryOf(run)));
    return live === null ? display('idle') : waiting(CANCELING);
  }

  /** Why no order may rest now, whatever its price; null if one may. */
  function against(run: Run, live: NodeOrder | null): Display | null {
    const value = kept.when(run);
    // A limit that is reached by its own resting buy does not withdraw it.
    const isOwnBuy = isUnknown(value) && value.isOfLiveBuys === true && isBuy && live !== null;
    if (isUnknown(value) && !isOwnBuy) return waiting(value.unknown);
    if (run.leaving.has(tokenId)) return display('blocked', CONFLICT);
    const own = kept.against?.(run) ?? null;
    if (own !== null) return display('blocked', own);
    return run.world.isHalted ? display('blocked', HALTED) : null;
  }

  function keep(run: Run): Display {
    const orders = ordersOfNode(run, nodeId);
    const { live, last, ended = last } = orders;
    const memory = memoryOf(run);
    const counted = withFills(memory, ended);
    if (counted !== memory) run.remember(slot, counted);
    if (kept.when(run) === false) return rest(run, live);
    if (kept.isFollowing) follow(run, ended);
    const wanted = wantedOf(run);
    const objection = against(run, live) ?? ('price' in wanted ? null : showMissing(wanted));
    if (objection !== null) withdraw(run, live, objection.reason?.message ?? NO_LONGER);
    if (objection !== null || !('price' in wanted)) return objection ?? display('idle');
    return live === null ? raise(run, orders, wanted) : supervise(run, live, wanted);
  }

  return (run) => {
    if (!run.isLive) return;
    const { status, reason: why } = keep(run);
    run.mark(slot, status, why);
  };
}

const showMissing = (why: Unknown | Refused): Display =>
  'unknown' in why ? waiting(why.unknown) : display('blocked', why.refused);

const sellable = (units: number): { text: string } => ({ text: fromDouble(Math.max(0, units)).toFixed() });

export type Refused = { readonly refused: Reason };

/** The price on the ladder, in an open market with a recent quote. */
export function wantedReader({
  instrument: tokenId,
  side,
  price,
}: Pick<KeptOrder, 'instrument' | 'side' | 'price'>): (run: Run) => Wanted | Unknown | Refused {
  const read = quoteReader(tokenId, QUOTE_MAX_AGE_SEC);
  const noFacts = unknown('no_data', `Tick and step of ${shortName(tokenId)} are not known yet.`);
  return (run) => {
    const seen = read(run);
    if (isMissing(seen)) return seen;
    const value = price(run);
    if (typeof value !== 'number') return value as Unknown;
    const facts = run.world.instruments.get(tokenId);
    if (facts === undefined) return noFacts;
    const limit = draftPrice(value, side, facts);
    return 'refused' in limit ? limit : { price: limit.text, facts };
  };
}

/** Why the node pauses: its last order was refused, or something else canceled it. */
function turnedDown(run: Run, { n = 0, cut }: QuoteMemory, last: NodeOrder | null): Reason | null {
  // An order of an earlier deployment ended with it.
  if (n === 0 || last === null || last.endedAt === null) return null;
  if (!TURNED_DOWN.has(last.status) || last.id === cut) return null;
  if (run.now - last.endedAt >= TURNED_DOWN_PAUSE_MS) return null;
  return reason('denied', last.message ?? 'Its last order was refused or canceled; it tries again soon.');
}

/** A round: the fills of a quote since its condition turned true. Pure, over its memory. */
import { Exact, exact, ZERO } from '../../../../platform/decimal.ts';
import { type PriceLadder, tickOf } from '../../../../platform/instruments/price-ladder.ts';
import type { NodeOrder } from '../../types.ts';

/**
 * `want`: units of this round, and `got` how many of them ended orders have filled. `of` and `had`: the newest ended order whose
 * fills are counted, and how many those were. `cut`: the order that the node itself canceled last. `on`: side and instrument of
 * the round. `bought`: units bought of a position since it was opened at `opened`. `held` and `sold`: what was held, and what the
 * node itself had sold of it, when they were counted last.
 */
export type QuoteMemory = {
  on?: string;
  want?: string;
  got?: string;
  of?: string;
  had?: string;
  cut?: string;
  n?: number;
  at?: number;
  done?: string;
  bought?: string;
  held?: string;
  sold?: string;
  opened?: number;
};

export const hasRound = ({ want }: QuoteMemory): boolean => want !== undefined;

/** Returns the units that are left to fill; never below 0. */
export function restOf({ want = '0', got = '0' }: QuoteMemory): Exact {
  const rest = exact(want).minus(got);
  return rest.gt(0) ? rest : ZERO;
}

/** The memory of a quote of this side and instrument: after a redeploy to another one nothing that was filled counts. */
export const memoryOn = (memory: QuoteMemory, on: string): QuoteMemory =>
  memory.on === undefined || memory.on === on
    ? memory
    : { ...(memory.done === undefined ? {} : { done: memory.done }) };

/** Begins a round: nothing of orders before it counts. */
export const begunRound = (
  memory: QuoteMemory,
  { want, on }: { readonly want: string; readonly on: string },
  ended: NodeOrder | null,
): QuoteMemory => ({
  ...memory,
  on,
  want,
  got: '0',
  ...(ended !== null && hasFills(ended) ? { of: ended.id, had: ended.filledAmount } : {}),
});

export function endedRound({ want, got, bought, held, sold, opened, ...rest }: QuoteMemory): QuoteMemory {
  return rest;
}

/**
 * Counts what was bought since the last step: what a position grew by, and what the node sold of it meanwhile. A position that
 * was opened again begins a round.
 */
export function boughtSince(
  memory: QuoteMemory,
  { amount, openedAt }: { readonly amount: string; readonly openedAt: number },
  live: NodeOrder | null,
): QuoteMemory {
  const round = memory.opened === openedAt ? memory : endedRound(memory);
  const sold = exact(round.got ?? 0)
    .plus(live?.filledAmount ?? 0)
    .toFixed();
  const more = exact(amount)
    .minus(round.held ?? 0)
    .plus(sold)
    .minus(round.sold ?? sold);
  const bought = exact(round.bought ?? 0)
    .plus(Exact.max(0, more))
    .toFixed();
  if (round === memory && memory.held === amount && memory.sold === sold && memory.bought === bought)
    return memory;
  return { ...round, opened: openedAt, held: amount, sold, bought };
}

/**
 * Counts the fills of the order that ended last. They may grow after its end, when the venue reports them late. An order without
 * fills is passed over: an older one may fill late.
 */
export function withFills(memory: QuoteMemory, ended: NodeOrder | null): QuoteMemory {
  if (!hasRound(memory) || ended === null) return memory;
  const isKnown = ended.id === memory.of;
  if (!isKnown && !hasFills(ended)) return memory;
  const more = exact(ended.filledAmount).minus(isKnown ? (memory.had ?? '0') : '0');
  if (isKnown && more.isZero()) return memory;
  const got = exact(memory.got ?? '0').plus(more);
  return { ...memory, of: ended.id, had: ended.filledAmount, got: got.toFixed() };
}

const hasFills = ({ filledAmount }: NodeOrder): boolean => exact(filledAmount).gt(0);

/** Whether a price is more than `ticks` away from that of the order. */
export function isMoved(from: string, to: string, ticks: number, ladder: PriceLadder): boolean {
  const least = exact(tickOf(ladder, exact(from))).times(ticks);
  return exact(to).minus(from).abs().gt(least);
}

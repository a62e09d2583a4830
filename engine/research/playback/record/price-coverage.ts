import type { InstrumentRow } from '../../../trading/orders/row.ts';
import type { PriceChoice } from '../bars/choose-prices.ts';
import type { BacktestInput } from '../input.ts';
import type { FillPartRow } from '../result.ts';

/** A range `[fromMs, toMs)`. */
export type Stretch = { readonly fromMs: number; readonly toMs: number };

/** Finds the ranges of a span in which a tradable instrument has no prices. Pure. */
export function priceHolesOf(
  { tokenId, kind, history }: PriceChoice,
  { recorded, facts }: Pick<BacktestInput, 'recorded' | 'facts'>,
  { fromMs, toMs }: Stretch,
): Stretch[] {
  const instrument = facts.findLast((fact) => fact.instrument.token_id === tokenId)?.instrument;
  const untilMs = Math.min(toMs, endOf(instrument));
  const isMarket = instrument?.kind === 'outcome';
  const holes: Stretch[] = [];
  // A market opens with its first price; a coin existed before.
  let knownMs = isMarket ? Number.POSITIVE_INFINITY : fromMs;
  const take = (openMs: number, closeMs: number): void => {
    if (closeMs <= fromMs || openMs >= untilMs) return;
    if (openMs > knownMs) holes.push({ fromMs: knownMs, toMs: openMs });
    knownMs = Math.max(knownMs === Number.POSITIVE_INFINITY ? fromMs : knownMs, closeMs);
  };
  if (kind === 'recorded') {
    const quotes = recorded.find((each) => each.tokenId === tokenId)?.quotes ?? [];
    const [first, last] = [quotes[0], quotes.at(-1)];
    // A recorded quote is valid until the next one; the last one only at its instant.
    if (first !== undefined && last !== undefined) take(first.atMs, last.atMs + 1);
  } else if (history !== null) {
    const { openTimeMs, closeTimeMs } = history.rows.columns;
    // A midpoint is valid for one more resolution.
    const standsFor = kind === 'midpoint' ? history.key.resolutionMs : 0;
    for (let row = 0; row < history.rows.count; row++)
      take(openTimeMs[row] as number, (closeTimeMs[row] as number) + 1 + standsFor);
  }
  if (knownMs < untilMs) holes.push({ fromMs: knownMs, toMs: untilMs });
  return holes;
}

/** Returns when a market ended, as known at the end of a run; infinite for a coin. */
function endOf(instrument: InstrumentRow | undefined): number {
  if (instrument?.kind !== 'outcome' || instrument.closes_at === null) return Number.POSITIVE_INFINITY;
  return Date.parse(instrument.closes_at);
}

/** Returns the total overlap of two lists of ranges, ms. Both ascend without overlaps. */
export function overlapOf(stretches: readonly Stretch[], others: readonly Stretch[]): number {
  let [sum, one, other] = [0, 0, 0];
  for (;;) {
    const [a, b] = [stretches[one], others[other]];
    if (a === undefined || b === undefined) return sum;
    sum += Math.max(0, Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs));
    if (a.toMs < b.toMs) one++;
    else other++;
  }
}

export const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

/** Returns the ranges in which something was held, by its fills. */
export class HeldStretches {
  readonly #held = new Map<string, { amount: number; sinceMs: number; ended: Stretch[] }>();

  fill({ tokenId, side, amount }: Pick<FillPartRow, 'tokenId' | 'side' | 'amount'>, atMs: number): void {
    const held = this.#held.get(tokenId) ?? { amount: 0, sinceMs: atMs, ended: [] };
    this.#held.set(tokenId, held);
    if (held.amount < LEAST) held.sinceMs = atMs;
    const wasHeld = held.amount >= LEAST;
    held.amount += side === 'buy' ? Number(amount) : -Number(amount);
    if (wasHeld && held.amount < LEAST) held.ended.push({ fromMs: held.sinceMs, toMs: atMs });
  }

  of(tokenId: string, untilMs: number): Stretch[] {
    const held = this.#held.get(tokenId);
    if (held === undefined) return [];
    const open = held.amount < LEAST ? [] : [{ fromMs: held.sinceMs, toMs: untilMs }];
    return [...held.ended, ...open];
  }
}

/** A smaller amount is the rounding error of doubles. */
const LEAST = 1e-9;

/** Shares of time without prices: of the span, over all priced instruments, and of the time with a holding. */
export type PriceCoverage = { readonly ofTime: number; readonly ofHeld: number };

export function priceCoverageOf(
  choices: readonly PriceChoice[],
  held: HeldStretches,
  input: BacktestInput,
  span: Stretch,
): PriceCoverage {
  let [missing, all, heldMissing, heldAll] = [0, 0, 0, 0];
  for (const choice of choices) {
    const holes = priceHolesOf(choice, input, span);
    const stretches = held.of(choice.tokenId, span.toMs);
    missing += lengthOf(holes);
    all += span.toMs - span.fromMs;
    heldMissing += overlapOf(stretches, holes);
    heldAll += lengthOf(stretches);
  }
  return { ofTime: all === 0 ? 0 : missing / all, ofHeld: heldAll === 0 ? 0 : heldMissing / heldAll };
}

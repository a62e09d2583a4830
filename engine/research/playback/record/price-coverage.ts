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
function overlapOf(stretches: Iterable<Stretch>, others: readonly Stretch[]): number {
  let [sum, index] = [0, 0];
  for (const { fromMs, toMs } of stretches) {
    for (let other = others[index]; other !== undefined && other.fromMs < toMs; other = others[++index]) {
      sum += Math.max(0, Math.min(toMs, other.toMs) - Math.max(fromMs, other.fromMs));
      if (toMs < other.toMs) break;
    }
  }
  return sum;
}

function lengthOf(stretches: Iterable<Stretch>): number {
  let sum = 0;
  for (const { fromMs, toMs } of stretches) sum += toMs - fromMs;
  return sum;
}

/** Returns the ranges in which something was held, by its fills. */
export class HeldStretches {
  /** `ended`: start and end of each range in turn, which takes a fifth of the memory of objects. */
  readonly #held = new Map<string, { amount: number; sinceMs: number; ended: number[] }>();

  fill({ tokenId, side, amount }: Pick<FillPartRow, 'tokenId' | 'side' | 'amount'>, atMs: number): void {
    const held = this.#held.get(tokenId) ?? { amount: 0, sinceMs: atMs, ended: [] };
    this.#held.set(tokenId, held);
    if (held.amount < LEAST) held.sinceMs = atMs;
    const wasHeld = held.amount >= LEAST;
    held.amount += side === 'buy' ? Number(amount) : -Number(amount);
    if (wasHeld && held.amount < LEAST) held.ended.push(held.sinceMs, atMs);
  }

  *of(tokenId: string, untilMs: number): Generator<Stretch> {
    const { amount, sinceMs, ended } = this.#held.get(tokenId) ?? NEVER_HELD;
    for (let index = 0; index < ended.length; index += 2)
      yield { fromMs: ended[index] as number, toMs: ended[index + 1] as number };
    if (amount >= LEAST) yield { fromMs: sinceMs, toMs: untilMs };
  }
}

/** A smaller amount is the rounding error of doubles. */
const LEAST = 1e-9;
const NEVER_HELD = { amount: 0, sinceMs: 0, ended: [] } as const;

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
    missing += lengthOf(holes);
    all += span.toMs - span.fromMs;
    heldMissing += overlapOf(held.of(choice.tokenId, span.toMs), holes);
    heldAll += lengthOf(held.of(choice.tokenId, span.toMs));
  }
  return { ofTime: all === 0 ? 0 : missing / all, ofHeld: heldAll === 0 ? 0 : heldMissing / heldAll };
}

/** The two directions of a leg: one buys and is undone by a sell, the other sells and is undone by a buy. */
import type { Side } from '../../../../../db/vocabulary.ts';
import { Exact, exact, ZERO } from '../../../../platform/decimal.ts';
import { KIND_RULES } from '../../../../platform/instruments/kinds.ts';
import { shortfallOf, toStep } from '../../../../platform/instruments/lot.ts';
import { roundToLadder } from '../../../../platform/instruments/price-ladder.ts';
import type { Run } from '../../run/run.ts';
import type { ActionOrigin, InstrumentFacts, Reason, Unknown } from '../../types.ts';
import { above, percentOf, reason } from '../../values.ts';
import { isMissing, shortName } from '../quote-readers.ts';
import type { LegMemory } from './basket.ts';
import { claimBuy, claimSale, unclaimedUnits } from './claims.ts';
import { draftAmount, draftSale, fromDouble, type VenueNumber } from './drafting.ts';
import type { LegSettings } from './leg-settings.ts';
import { askReader, bidReader } from './sell-until-flat.ts';

export type LegSide = {
  readonly side: Side;
  readonly undoSide: Side;
  /** A sell of an undo has the approval of the deploy; a buy passes rules and approvals as any other. */
  readonly undoOrigin: ActionOrigin;
  /** Names of facts: the worst price of its undo, and the price that an undo meets. */
  readonly worstName: string;
  readonly quoteName: string;
  readonly undoing: Reason;
  readonly beyond: Reason;
  readonly failure: Reason;
  /** Units to order, or why none: a sale is whole or none. */
  units(run: Run, requested: number, prices: Prices, facts: InstrumentFacts): VenueNumber;
  undoUnits(run: Run, lone: Exact, worst: string, facts: InstrumentFacts): VenueNumber;
  claim(run: Run, tokenId: string, units: string): void;
  claimUndo(run: Run, tokenId: string, units: string): void;
  /** The price that an undo meets now. */
  quoted(run: Run): number | Unknown;
  isBeyond(quoted: number, worst: number): boolean;
  /** Units to undo, by what is held now. */
  lone(memory: LegMemory, held: Exact): Exact;
  /** Whether its venue takes none of these units at this price, of all that is held. */
  isTooLittle(units: Exact, held: Exact, worst: string, facts: InstrumentFacts): boolean;
};

type Prices = { readonly limit: string; readonly worst: string };

/** The worst price of an undo: this fraction from the limit, on the ladder, never a larger loss. */
export function worstOf(
  { undoSide }: LegSide,
  limit: string,
  maxLoss: number,
  facts: InstrumentFacts,
): string {
  const loss = exact(limit).times(fromDouble(maxLoss));
  const moved = undoSide === 'sell' ? exact(limit).minus(loss) : exact(limit).plus(loss);
  return KIND_RULES[facts.kind].nearestPrice(roundToLadder(undoSide, moved, facts), facts).toFixed();
}

/** Reasons name the instrument and the basket. */
export const legSideOf = (settings: LegSettings): LegSide =>
  settings.side === 'buy' ? bought(settings) : sold(settings);

function bought({ instrument, basket, maxLoss, undoWithinSec }: LegSettings): LegSide {
  const name = shortName(instrument);
  const read = bidReader(instrument);
  return {
    side: 'buy',
    undoSide: 'sell',
    undoOrigin: 'exit',
    worstName: 'undoFloor',
    quoteName: 'bid',
    undoing: reason('triggered', 'A leg of its basket failed: what this one bought is sold back.'),
    beyond: reason('bid_below_floor', `The bid of ${name} is below the lowest price of the undo.`),
    failure: reason(
      'undo_failed',
      `${name} was bought in the basket “${basket}”, whose other legs failed. It could not be sold back within ${undoWithinSec} s at a loss of ${percentOf(maxLoss)}. Sell it by hand.`,
    ),
    // Its venue must take it back at the lowest price of the undo too.
    units: (_run, requested, { worst }, facts) => draftAmount(requested, Number(worst), facts),
    undoUnits: (run, lone, worst, facts) =>
      draftSale(lone, unclaimedUnits(run, instrument), Number(worst), facts),
    claim: claimBuy,
    claimUndo: claimSale,
    quoted: (run) => {
      const quote = read(run);
      return isMissing(quote) ? quote : quote.bid;
    },
    isBeyond: (bid, floor) => above(floor, bid),
    // Sells of other nodes count as its own; no other node buys.
    lone: ({ phase, base = '0', want = '0' }, held) =>
      phase === undefined ? ZERO : held.minus(base).minus(phase === 'complete' ? want : '0'),
    isTooLittle: (units, held, floor, facts) =>
      isRefused(units.gte(held) ? held : toStep(units, facts), floor, facts),
  };
}

function sold({ instrument, basket, maxLoss, undoWithinSec }: LegSettings): LegSide {
  const name = shortName(instrument);
  const read = askReader(instrument);
  return {
    side: 'sell',
    undoSide: 'buy',
    undoOrigin: 'order',
    worstName: 'undoCeiling',
    quoteName: 'ask',
    undoing: reason('triggered', 'A leg of its basket failed: what this one sold is bought back.'),
    beyond: reason('ask_above_ceiling', `The ask of ${name} is above the highest price of the undo.`),
    failure: reason(
      'undo_failed',
      `${name} was sold in the basket “${basket}”, whose other legs failed. It could not be bought back within ${undoWithinSec} s at a loss of ${percentOf(maxLoss)}. Buy it by hand if you want it.`,
    ),
    units(run, requested, { limit }, facts) {
      const free = unclaimedUnits(run, instrument);
      const units = fromDouble(requested);
      if (free.gt(0) && toStep(units, facts).gt(free)) return { refused: tooFew(name, free) };
      return draftSale(units, free, Number(limit), facts);
    },
    undoUnits: (_run, lone, worst, facts) => draftAmount(lone.toNumber(), Number(worst), facts),
    claim: claimSale,
    claimUndo: claimBuy,
    quoted: (run) => {
      const quote = read(run);
      return isMissing(quote) ? quote : quote.ask;
    },
    isBeyond: (ask, ceiling) => above(ask, ceiling),
    // Never more than its own order sold: what a person sells meanwhile is not bought back. Buys of other nodes count as its own.
    lone: ({ phase, base = '0', got = '0' }, held) =>
      phase === 'filling' || phase === 'undoing' ? Exact.min(exact(base).minus(held), got) : ZERO,
    isTooLittle: (units, _held, ceiling, facts) => isRefused(toStep(units, facts), ceiling, facts),
  };
}

const tooFew = (name: string, free: Exact): Reason =>
  reason(
    'nothing_to_sell',
    `This blueprint holds ${free.toFixed()} of ${name} that are free to sell, less than its amount.`,
  );

const isRefused = (units: Exact, price: string, facts: InstrumentFacts): boolean =>
  shortfallOf(units, exact(price), facts) !== null;

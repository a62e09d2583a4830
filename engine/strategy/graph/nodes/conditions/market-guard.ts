import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import type { BookLevel, Unknown, Value } from '../../types.ts';
import { above, isUnknown, unknown } from '../../values.ts';
import { heldAndBuying } from '../actions/claims.ts';
import { oldestInputTime } from '../actions/decision-inputs.ts';
import { defineNode, input, output, type RawSettings, type Words } from '../node.ts';
import { bookReader, CATCHING_UP, isMissing, quoteReader, shortName } from '../quote-readers.ts';
import { amount, instrument } from '../shared-settings.ts';

const settings = z.strictObject({
  instrument: instrument(),
  maxSpread: amount('Best ask minus best bid, in USD, may be this at most.').optional(),
  minDepth: amount('Units that must be offered on each side of the book.').optional(),
  maxPosition: amount(
    'What this blueprint holds, and what its live buys may still add, must be fewer units than this.',
  ).optional(),
  maxAgeSec: z
    .number()
    .min(1)
    .max(86_400)
    .default(30)
    .meta({ description: 'The quote and the book may be this many seconds old at most.' }),
});
type Settings = z.output<typeof settings>;
/** Returns the reason to block the condition; `null` if there is none. */
type Check = (run: Run) => Unknown | null;
/** `late`: whether the condition was late when first seen true; `null` while it is not true. */
type MarketGuardMemory = { late: boolean | null };

export const marketGuard = defineNode({
  type: 'guard',
  group: 'risk',
  title: 'Guard',
  help: 'Lets a condition through only while the market is fit to trade in. Only what is set is checked: without `maxSpread` a market with one side passes. `maxPosition` counts what is held and what live buys may still add, so buys that rest or start in the same step cannot pass it together; the last one to start below it may end above it by its own amount. What it blocks is not lost: if the condition still holds once the market is fit, it passes; if it has passed before, it does not pass twice.',
  phrase: fitMarket,
  laws: {
    unknown: 'While the market is unfit, or its data are missing; while its input is unknown.',
    equality:
      'A spread equal to the limit passes; numbers that differ by less than one part in 10¹² are equal.',
  },
  inputs: [input('in', 'boolean', 'The condition.')],
  outputs: [output('boolean', 'The condition; unknown while blocked, so that no action fires on it.')],
  config: settings,
  bind: (config) => ({
    moves: 'tick',
    needs: {
      quote: config.instrument,
      ...(config.minDepth === undefined ? {} : { book: config.instrument }),
      ...(config.maxPosition === undefined ? {} : { position: config.instrument }),
    },
    build(wiring) {
      const { slot } = wiring;
      const inSlot = wiring.input('in');
      const checks = checksOf(config);
      return {
        compute(run) {
          const value = run.values[inSlot] as Value;
          if (isLate(run, slot, inSlot)) run.markLate(slot);
          if (value === false) return false;
          const against = value === true ? firstAgainst(checks, run) : (value as Unknown);
          if (against === null) return true;
          run.mark(slot, 'blocked', against.unknown);
          return against;
        },
        asOf: (run) => run.quote(config.instrument)?.asOf ?? null,
        ...(config.maxPosition === undefined
          ? {}
          : { limit: positionCheck(config.instrument, config.maxPosition) }),
      };
    },
  }),
});

/**
 * Whether a signal is late. A guard changes with every quote: the clock of an action behind it does not tell the age of a
 * signal. Time spent in the guard does not count, only time without evaluations.
 */
function isLate(run: Run, slot: number, inSlot: number): boolean {
  if (!isOfCandles(run, inSlot)) return run.isLate(inSlot);
  const value = run.values[inSlot] as Value;
  const known = run.recall<MarketGuardMemory>(slot)?.late ?? null;
  if (isUnknown(value)) return false;
  const late = value === true ? (known ?? run.isTooLate(oldestInputTime(run, inSlot) ?? run.at)) : null;
  if (late !== known) run.remember(slot, { late });
  return late === true;
}

/** Values on candle clocks reach a guard through a bridge, and bridges come after the nodes. */
function isOfCandles(run: Run, slot: number): boolean {
  return slot >= run.plan.nodeIds.length;
}

function firstAgainst(checks: readonly Check[], run: Run): Unknown | null {
  for (const check of checks) {
    const against = check(run);
    if (against !== null) return against;
  }
  return null;
}

function checksOf(config: Settings): Check[] {
  const checks = [spreadCheck(config)];
  if (config.minDepth !== undefined) checks.push(depthCheck(config, config.minDepth));
  if (config.maxPosition !== undefined) checks.push(positionCheck(config.instrument, config.maxPosition));
  return checks;
}

/** Always reads the quote: no trade in a closed market or on an old quote. */
function spreadCheck({ instrument: tokenId, maxAgeSec, maxSpread }: Settings): Check {
  const read = quoteReader(tokenId, maxAgeSec);
  const oneSided = unknown('no_quote', `${shortName(tokenId)} is not quoted on both sides.`);
  const wide = unknown('spread_too_wide', `The spread of ${shortName(tokenId)} is above ${maxSpread}.`);
  return (run) => {
    const quote = read(run);
    if (isMissing(quote)) return quote;
    if (maxSpread === undefined) return null;
    if (quote.bid === null || quote.ask === null) return oneSided;
    return above(quote.ask - quote.bid, maxSpread) ? wide : null;
  };
}

function depthCheck({ instrument: tokenId, maxAgeSec }: Settings, minDepth: number): Check {
  const read = bookReader(tokenId, maxAgeSec);
  const thin = unknown(
    'depth_too_thin',
    `A side of the book of ${shortName(tokenId)} holds fewer than ${minDepth} units.`,
  );
  return (run) => {
    const book = read(run);
    if (isMissing(book)) return book;
    return holds(book.bids, minDepth) && holds(book.asks, minDepth) ? null : thin;
  };
}

function holds(side: readonly BookLevel[], units: number): boolean {
  let sum = 0;
  for (const level of side) {
    sum += level.size;
    if (!above(units, sum)) return true;
  }
  return false;
}

function positionCheck(tokenId: string, maxPosition: number): Check {
  const large = unknown(
    'position_too_large',
    `The position in ${shortName(tokenId)} has reached ${maxPosition} units.`,
  );
  const coming: Unknown = {
    ...unknown(
      'position_too_large',
      `With its live buys, the position in ${shortName(tokenId)} may reach ${maxPosition} units.`,
    ),
    isOfLiveBuys: true,
  };
  return (run) => {
    if (!run.isLive) return CATCHING_UP;
    const { held, buying } = heldAndBuying(run, tokenId);
    if (!above(maxPosition, held)) return large;
    return above(maxPosition, held + buying) ? null : coming;
  };
}

function fitMarket({ maxSpread, minDepth, maxPosition }: RawSettings, { one, name, text }: Words): string {
  const limits = [
    ...(maxSpread === undefined ? [] : [`a spread up to ${text(maxSpread)}`]),
    ...(minDepth === undefined ? [] : [`${text(minDepth)} units on both sides`]),
    ...(maxPosition === undefined ? [] : [`a position below ${text(maxPosition)}`]),
  ];
  return `${one('in')}, given ${limits.length === 0 ? 'an open market' : limits.join(', ')} of ${name}`;
}

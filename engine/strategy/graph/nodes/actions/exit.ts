import { z } from 'zod';
import { exact } from '../../../../platform/decimal.ts';
import type { Run } from '../../run/run.ts';
import type { DecisionInput, NodeMemory, Position, Reason } from '../../types.ts';
import { atLeast, reason, waitingStatus } from '../../values.ts';
import { type Configured, defineNode, output, type Wiring } from '../node.ts';
import { isMissing, shortName } from '../quote-readers.ts';
import { fraction, instrument, seconds } from '../shared-settings.ts';
import { filledOutputOf } from './filled-output.ts';
import { bidReader, resetSellPauses, type SellMemory, sellUntilFlat } from './sell-until-flat.ts';

const YEAR_SEC = 31_536_000;

const settings = z
  .strictObject({
    instrument: instrument(),
    takeProfit: z.number().positive().max(1_000).optional().meta({
      description: 'Sell when the best bid is this fraction above the average cost: 0.2 is +20 %.',
    }),
    stopLoss: fraction(
      'Sell when the best bid is this fraction below the average cost: 0.1 is −10 %.',
    ).optional(),
    trailing: fraction(
      'Sell when the best bid is this fraction below its highest since the position was opened (or this deploy began to watch it).',
    ).optional(),
    maxHoldSec: seconds(1, YEAR_SEC, 'Sell this many seconds after the position was opened.').optional(),
    beforeCloseSec: seconds(1, YEAR_SEC, 'Sell this many seconds before the market closes.').optional(),
  })
  .refine(({ instrument: _, ...barriers }) => Object.values(barriers).some((value) => value !== undefined), {
    error:
      'An exit needs at least one of “takeProfit”, “stopLoss”, “trailing”, “maxHoldSec” and “beforeCloseSec”.',
  });
type Settings = z.output<typeof settings>;
/** `peak`: highest bid since the position was opened at `opened`. */
type ExitMemory = SellMemory & { peak?: number; opened?: number };

export const exit = defineNode({
  type: 'exit',
  group: 'action',
  title: 'Exit',
  help: 'Watches the position of this blueprint and sells all of it at a profit, a loss, a fall from its peak, or a time. Continues until nothing is left, also while the blueprint is in error. Its sells need no approval: the deploy gave it.',
  phrase: () => 'an exit has sold',
  sentence: ({ takeProfit, stopLoss, trailing, maxHoldSec, beforeCloseSec }, { name, percent, span }) => {
    const reasons = [
      ...(takeProfit === undefined ? [] : [`at a profit of ${percent(takeProfit)}`]),
      ...(stopLoss === undefined ? [] : [`at a loss of ${percent(stopLoss)}`]),
      ...(trailing === undefined ? [] : [`${percent(trailing)} below its peak`]),
      ...(maxHoldSec === undefined ? [] : [`after ${span(maxHoldSec)}`]),
      ...(beforeCloseSec === undefined ? [] : [`${span(beforeCloseSec)} before the close`]),
    ];
    return `Sells all of the ${name} it holds ${reasons.join(', or ')}`;
  },
  laws: {
    unknown: 'It waits while the bid is.',
    equality: 'A barrier that is just reached counts as reached.',
    gap: 'The peak of `trailing` counts what was seen.',
  },
  outputs: [output('boolean', 'True for one step after an order of this node ended with anything filled.')],
  trades: true,
  config: settings,
  bind: (config): Configured => ({
    moves: 'tick',
    trade: { tokenId: config.instrument, origin: 'exit', side: 'sell' },
    needs: { quote: config.instrument, instrument: config.instrument, position: config.instrument },
    build: (wiring) => ({
      compute: filledOutputOf(wiring),
      act: watch(config, wiring),
      asOf: (run) => run.now,
    }),
  }),
});

function watch(config: Settings, { slot, nodeId }: Wiring): (run: Run) => void {
  const tokenId = config.instrument;
  const readBid = bidReader(tokenId);
  const seller = { origin: 'exit', nodeId, slot, tokenId } as const;
  return (run) => {
    if (!run.isLive) return;
    const held = run.world.positions.get(tokenId);
    if (held === undefined) return standDown(run, slot);
    const quote = readBid(run);
    if (isMissing(quote)) {
      const { unknown } = quote;
      return run.mark(slot, waitingStatus(unknown), unknown);
    }
    const peak = config.trailing === undefined ? null : followPeak(run, slot, held, quote.bid);
    const barrier = barrierReached(run, config, held, quote.bid, peak);
    if (barrier === null) {
      run.distances[slot] = distance(config, held, quote.bid, peak);
      const memory = run.recall<ExitMemory>(slot);
      if (memory?.next !== undefined) run.remember(slot, resetSellPauses(memory));
      return run.mark(slot, 'ok');
    }
    const facts = factsOf(nodeId, held, quote.bid, quote.asOf, peak, run.now);
    sellUntilFlat(run, seller, { held, requested: exact(held.amount), bid: quote.bid, why: barrier, facts });
  };
}

/** Resets when flat: the next position has its own peak. */
function standDown(run: Run, slot: number): void {
  const memory = run.recall<ExitMemory>(slot);
  if (memory?.opened !== undefined || memory?.next !== undefined) {
    const { peak, opened, ...remaining } = memory;
    run.remember(slot, resetSellPauses(remaining));
  }
  run.mark(slot, 'idle');
}

function followPeak(run: Run, slot: number, held: Position, bid: number): number {
  const memory = run.recall<ExitMemory>(slot) ?? {};
  const known = memory.opened === held.openedAt ? memory.peak : undefined;
  if (known !== undefined && known >= bid) return known;
  run.remember(slot, { ...memory, peak: bid, opened: held.openedAt });
  return bid;
}

function stopPrice({ stopLoss }: Settings, cost: number): number | null {
  return stopLoss === undefined ? null : cost * (1 - stopLoss);
}

function profitPrice({ takeProfit }: Settings, cost: number): number | null {
  return takeProfit === undefined ? null : cost * (1 + takeProfit);
}

function trailPrice({ trailing }: Settings, peak: number | null): number | null {
  return trailing === undefined || peak === null ? null : peak * (1 - trailing);
}

/** A price at which an exit sells. */
export type ExitLevel = {
  readonly tokenId: string;
  readonly kind: 'stop' | 'takeProfit' | 'trailing';
  readonly price: number;
};

/** Returns the prices at which an exit with this config sells, if its position is open. It trails once it has seen a bid. */
export function exitLevelsOf(
  config: unknown,
  positions: ReadonlyMap<string, Position>,
  memory: NodeMemory | undefined,
): ExitLevel[] {
  const parsed = settings.safeParse(config);
  if (!parsed.success) return [];
  const tokenId = parsed.data.instrument;
  const held = positions.get(tokenId);
  if (held === undefined) return [];
  const cost = Number(held.averageCost);
  const prices = {
    stop: stopPrice(parsed.data, cost),
    takeProfit: profitPrice(parsed.data, cost),
    trailing: trailPrice(parsed.data, (memory as ExitMemory | undefined)?.peak ?? null),
  };
  return (['stop', 'takeProfit', 'trailing'] as const).flatMap((kind) => {
    const price = prices[kind];
    return price === null ? [] : { tokenId, kind, price: round(price) };
  });
}

function barrierReached(
  run: Run,
  config: Settings,
  held: Position,
  bid: number,
  peak: number | null,
): Reason | null {
  const cost = Number(held.averageCost);
  const name = shortName(config.instrument);
  const stop = stopPrice(config, cost);
  if (stop !== null && atLeast(stop, bid))
    return reason('stop_loss', `${name}: bid ${bid} is at or below the stop at ${round(stop)}.`);
  const trail = trailPrice(config, peak);
  if (trail !== null && atLeast(trail, bid))
    return reason(
      'trailing_stop',
      `${name}: bid ${bid} has fallen to the trailing stop at ${round(trail)}, below the peak of ${peak}.`,
    );
  const profit = profitPrice(config, cost);
  if (profit !== null && atLeast(bid, profit))
    return reason('take_profit', `${name}: bid ${bid} has reached the target of ${round(profit)}.`);
  const closesAt = run.world.instruments.get(config.instrument)?.closesAt ?? null;
  if (
    config.beforeCloseSec !== undefined &&
    closesAt !== null &&
    closesAt - run.now <= config.beforeCloseSec * 1000
  )
    return reason('before_close', `${name}: the market closes within ${config.beforeCloseSec} s.`);
  if (config.maxHoldSec !== undefined && run.now - held.openedAt >= config.maxHoldSec * 1000)
    return reason('max_hold', `${name}: held for ${config.maxHoldSec} s or longer.`);
  return null;
}

/** Returns the distance to the nearest price barrier, in USD; NaN without one. */
function distance(config: Settings, held: Position, bid: number, peak: number | null): number {
  const cost = Number(held.averageCost);
  const stop = Math.abs(bid - (stopPrice(config, cost) ?? Number.POSITIVE_INFINITY));
  const trail = Math.abs(bid - (trailPrice(config, peak) ?? Number.POSITIVE_INFINITY));
  const profit = Math.abs(bid - (profitPrice(config, cost) ?? Number.POSITIVE_INFINITY));
  const nearest = Math.min(stop, trail, profit);
  return nearest === Number.POSITIVE_INFINITY ? Number.NaN : nearest;
}

function factsOf(
  nodeId: string,
  held: Position,
  bid: number,
  bidAsOf: number,
  peak: number | null,
  now: number,
): DecisionInput[] {
  const facts: DecisionInput[] = [
    { nodeId, name: 'bid', value: bid, asOf: bidAsOf },
    { nodeId, name: 'averageCost', value: held.averageCost, asOf: now },
    { nodeId, name: 'held', value: held.amount, asOf: now },
    { nodeId, name: 'openedAt', value: held.openedAt, asOf: now },
  ];
  return peak === null ? facts : [...facts, { nodeId, name: 'peak', value: peak, asOf: bidAsOf }];
}

function round(price: number): number {
  return Number(price.toPrecision(6));
}

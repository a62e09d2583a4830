import { z } from 'zod';
import { exact } from '../../../../platform/decimal.ts';
import type { Run } from '../../run/run.ts';
import type { Position, Unknown, Value } from '../../types.ts';
import { isUnknown, reason, waitingStatus } from '../../values.ts';
import { type Configured, defineNode, input, output, type Wiring } from '../node.ts';
import { isMissing } from '../quote-readers.ts';
import { fraction, instrument } from '../shared-settings.ts';
import { fromDouble } from './drafting.ts';
import { filledOutputOf } from './filled-output.ts';
import { bidReader, resetSellPauses, type SellMemory, sellUntilFlat } from './sell-until-flat.ts';

/** `target`: the remainder to leave, fixed when the condition turned true. */
type CloseMemory = SellMemory & { target?: string };

const CLOSING = reason('triggered', 'The condition to close holds.');

export const close = defineNode({
  type: 'close',
  group: 'action',
  title: 'Close',
  help: 'Sells what this blueprint holds of an instrument while the condition is true, again and again until nothing is left (or the fraction is reached).',
  phrase: () => 'a position has been closed',
  sentence: ({ fraction: part }, { name, needed, share }) =>
    `Sells ${share(part)} of the ${name} it holds while ${needed('when')}`,
  laws: {
    unknown: 'It waits while its condition or the bid is.',
    gap: 'It goes by what is true now: candles that were missed sell nothing.',
  },
  inputs: [input('when', 'boolean', 'Sells while this is true.')],
  outputs: [output('boolean', 'True for one step after an order of this node ended with anything filled.')],
  trades: true,
  config: z.strictObject({
    instrument: instrument(),
    fraction: fraction('Part of the position held when the condition turned true: 1 is all of it.').default(
      1,
    ),
  }),
  bind: ({ instrument: tokenId, fraction: part }): Configured => ({
    moves: 'tick',
    trade: { tokenId, origin: 'close', side: 'sell' },
    needs: { quote: tokenId, instrument: tokenId, position: tokenId },
    build: (wiring) => ({
      compute: filledOutputOf(wiring),
      isIdle: isCloseIdle(tokenId, wiring),
      act: closing(tokenId, part, wiring),
      asOf: (run) => run.now,
    }),
  }),
});

function closing(tokenId: string, part: number, wiring: Wiring): (run: Run) => void {
  const { slot, nodeId } = wiring;
  const when = wiring.input('when');
  const readBid = bidReader(tokenId);
  const seller = { origin: 'close', nodeId, slot, tokenId } as const;
  return (run) => {
    if (!run.isLive) return;
    const value = run.values[when] as Value;
    if (isUnknown(value)) return show(run, slot, value);
    const held = run.world.positions.get(tokenId);
    if (value === false || held === undefined) return rest(run, slot);
    const memory = withTarget(run, slot, held, part);
    const requested = exact(held.amount).minus(memory.target ?? 0);
    if (!requested.gt(0)) return run.mark(slot, 'ok');
    const quote = readBid(run);
    if (isMissing(quote)) return show(run, slot, quote);
    const facts = [
      { nodeId, name: 'held', value: held.amount, asOf: run.now },
      { nodeId, name: 'bid', value: quote.bid, asOf: quote.asOf },
    ];
    sellUntilFlat(run, seller, { held, requested, bid: quote.bid, why: CLOSING, facts });
  };
}

function isCloseIdle(tokenId: string, wiring: Wiring): (run: Run) => boolean {
  const { slot } = wiring;
  const when = wiring.input('when');
  return (run) => {
    const value = run.values[when] as Value;
    if (isUnknown(value)) return true;
    return (value === false || !run.world.positions.has(tokenId)) && !hasBegun(run.recall<CloseMemory>(slot));
  };
}

const hasBegun = (memory: CloseMemory | undefined): memory is CloseMemory =>
  memory?.target !== undefined || memory?.next !== undefined;

function withTarget(run: Run, slot: number, held: Position, part: number): CloseMemory {
  const memory = run.recall<CloseMemory>(slot) ?? {};
  if (memory.target !== undefined) return memory;
  const amount = exact(held.amount);
  const begun = { ...memory, target: amount.minus(amount.times(fromDouble(part))).toFixed() };
  run.remember(slot, begun);
  return begun;
}

function rest(run: Run, slot: number): void {
  const memory = run.recall<CloseMemory>(slot);
  if (hasBegun(memory)) {
    const { target, ...remaining } = memory;
    run.remember(slot, resetSellPauses(remaining));
  }
  run.mark(slot, 'idle');
}

function show(run: Run, slot: number, { unknown }: Unknown): void {
  run.mark(slot, waitingStatus(unknown), unknown);
}

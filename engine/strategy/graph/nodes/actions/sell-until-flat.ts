/**
 * Level-triggered sells, for `close` and `exit`. While there is a reason to sell and free units, they raise orders until flat.
 * Orders are a few seconds apart, and never beside a live order of their own. They never give up.
 */
import { type Exact, exact } from '../../../../platform/decimal.ts';
import type { Run } from '../../run/run.ts';
import type { ActionOrigin, DecisionInput, GraphQuote, Position, Reason, Unknown } from '../../types.ts';
import { reason, unknown } from '../../values.ts';
import { ACTION_QUOTE_MAX_AGE_SEC, isMissing, quoteReader, shortName } from '../quote-readers.ts';
import { claimSale, unclaimedUnits } from './claims.ts';
import { decisionInputsOf } from './decision-inputs.ts';
import { draftSale } from './drafting.ts';
import { ordersOfNode } from './filled-output.ts';

const FIRST_PAUSE_MS = 1_000;
/** Limit of the pause, however many attempts failed: in a fast market the next attempt must come soon. */
const PAUSE_MAX_MS = 5_000;
/** Pause after a declined or expired approval, so that a reviewer is not asked every few seconds. Exits need no approval. */
const TURNED_DOWN_PAUSE_MAX_MS = 60_000;
const TURNED_DOWN: ReadonlySet<string> = new Set(['declined', 'expired']);

/** `tries` since the last progress, `next` the earliest next attempt, `left` the units held at the last attempt. */
export type SellMemory = { tries?: number; next?: number; left?: string; n?: number; at?: number };

/** The selling node. */
export type SellingNode = {
  readonly origin: Exclude<ActionOrigin, 'order'>;
  readonly nodeId: string;
  readonly slot: number;
  readonly tokenId: string;
};

/** Reads a quote to sell on: an open market, at most 10 s old, with a bid. */
export const bidReader = (tokenId: string) => priceReader(tokenId, 'bid');
/** Likewise with an ask, to buy on. */
export const askReader = (tokenId: string) => priceReader(tokenId, 'ask');

function priceReader<P extends 'bid' | 'ask'>(
  tokenId: string,
  field: P,
): (run: Run) => (GraphQuote & Record<P, number>) | Unknown {
  const read = quoteReader(tokenId, ACTION_QUOTE_MAX_AGE_SEC);
  const none = unknown('no_quote', `${shortName(tokenId)} has no ${field} price now.`);
  const isPriced = (quote: GraphQuote): quote is GraphQuote & Record<P, number> => (quote[field] ?? 0) > 0;
  return (run) => {
    const quote = read(run);
    return isMissing(quote) || isPriced(quote) ? quote : none;
  };
}

const WORKING = reason('order_live', 'Its order is live.');

/** The instrument to sell, the amount, the bid and the reason. */
export type SellRequest = {
  readonly held: Position;
  readonly requested: Exact;
  readonly bid: number;
  readonly why: Reason;
  readonly facts: readonly DecisionInput[];
};

/** Raises a sell of at most `asked` units. It waits while an order of the node is live or a pause lasts. */
export function sellUntilFlat(run: Run, seller: SellingNode, offer: SellRequest): void {
  run.leaving.add(seller.tokenId);
  const memory = progressed(run.recall<SellMemory>(seller.slot) ?? {}, offer.held);
  const { live, last } = ordersOfNode(run, seller.nodeId);
  if (live !== null) run.mark(seller.slot, 'fired', WORKING);
  else if (run.now < nextOf(seller.origin, memory, last))
    showPause(run, seller.slot, nextOf(seller.origin, memory, last), last);
  else raise(run, seller, offer, memory);
}

function raise(
  run: Run,
  seller: SellingNode,
  { held, requested, bid, why, facts }: SellRequest,
  memory: SellMemory,
): void {
  const { slot, nodeId, tokenId, origin } = seller;
  const instrument = run.world.instruments.get(tokenId);
  if (instrument === undefined) {
    const message = `Tick and step of ${shortName(tokenId)} are not known yet.`;
    run.mark(slot, 'waiting', reason('no_data', message));
    return;
  }
  const amount = draftSale(requested, unclaimedUnits(run, tokenId), bid, instrument);
  if ('refused' in amount) {
    run.mark(slot, 'blocked', amount.refused);
    return;
  }
  const tries = (memory.tries ?? 0) + 1;
  const next = run.now + sellPauseMs(tries);
  const n = (memory.n ?? 0) + 1;
  run.remember(slot, { ...memory, tries, next, left: held.amount, n, at: run.now });
  claimSale(run, tokenId, amount.text);
  run.raise({
    nodeId,
    stepAt: run.now,
    origin,
    side: 'sell',
    tokenId,
    type: 'market',
    amount: amount.text,
    limitPrice: null,
    slippage: null,
    timeInForce: 'ioc',
    reason: why,
    inputs: decisionInputsOf(run, slot, facts),
  });
  run.mark(slot, 'fired', why);
}

const pauseAfter = (tries: number, most: number): number => Math.min(2 ** (tries - 1) * FIRST_PAUSE_MS, most);

/** Pause after this many sells in a row. */
export const sellPauseMs = (tries: number): number => pauseAfter(tries, PAUSE_MAX_MS);

/** Returns the earliest next attempt, by how the last one ended. */
function nextOf(
  origin: SellingNode['origin'],
  { tries = 0, at, next = 0 }: SellMemory,
  last: { status: string } | null,
): number {
  const isTurnedDown = origin === 'close' && last !== null && TURNED_DOWN.has(last.status);
  return isTurnedDown && tries > 0 && at !== undefined
    ? at + pauseAfter(tries, TURNED_DOWN_PAUSE_MAX_MS)
    : next;
}

/** Restarts the pauses after any sale, including the current one. */
function progressed(memory: SellMemory, held: Position): SellMemory {
  if (memory.left === undefined || !exact(held.amount).lt(memory.left)) return memory;
  return { ...memory, tries: 0, next: (memory.at ?? 0) + FIRST_PAUSE_MS };
}

function showPause(
  run: Run,
  slot: number,
  next: number,
  last: { status: string; message: string | null } | null,
): void {
  run.distances[slot] = (next - run.now) / 1000;
  if (last?.status === 'denied' && last.message !== null)
    run.mark(slot, 'blocked', reason('denied', last.message));
  else
    run.mark(
      slot,
      'waiting',
      reason('backing_off', 'Its last order ended with something left to sell; it tries again soon.'),
    );
}

/** Resets the pauses once the reason to sell is gone. */
export function resetSellPauses(memory: SellMemory): SellMemory {
  const { tries, next, left, ...kept } = memory;
  return kept;
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Items per turn: a few milliseconds of work. */
const ITEMS_PER_TURN = 2_000;

/** Processes many items in their order, and yields in between to everything else that waits in this process. */
export async function forEachYielding<Item>(
  items: readonly Item[],
  take: (item: Item) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += ITEMS_PER_TURN) {
    if (from > 0) await yieldToEventLoop();
    for (const item of items.slice(from, from + ITEMS_PER_TURN)) take(item);
  }
}

import type { VenueFill } from '../../../venues/broker.ts';
import { VenueError } from '../../../venues/errors.ts';
import { loadSent } from '../orders/execution/dispatch.ts';
import { applyVenueReport } from '../orders/execution/venue-events.ts';
import { type AccountToReconcile, withVenueTimeout } from './account-to-reconcile.ts';
import type { PollResult } from './compare/orders.ts';

/** Result of polling an order, with its reported fills. */
export type PolledOrder = { readonly result: PollResult; readonly fills: readonly VenueFill[] };

/** Polls one order and applies the venue's report like any other. An error or "unknown" is not evidence. */
export async function pollOrder({ work, broker }: AccountToReconcile, id: string): Promise<PolledOrder> {
  const { ref } = await loadSent(work, id);
  const found = await withoutVenueErrors(() => withVenueTimeout(() => broker.find(ref)));
  if (found?.kind !== 'found') return { result: found?.kind ?? 'unsure', fills: [] };
  await applyVenueReport(work, id, found.order);
  return { result: 'found', fills: found.order.fills };
}

/** Calls a venue; null if it fails: the next reconciliation asks again, and the rest of this one continues. */
export async function withoutVenueErrors<Answer>(call: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof VenueError) return null;
    throw error;
  }
}

import type { Broker, OrderRef, VenueFill } from '../../../venues/broker.ts';
import { deadlineIn } from '../../../venues/deadline.ts';
import { VenueError } from '../../../venues/errors.ts';
import type { Work } from '../../platform/context.ts';
import type { ConnectionRow } from '../connections/row.ts';
import { loadSent } from '../orders/execution/dispatch.ts';
import { applyVenueReport } from '../orders/execution/venue-events.ts';
import type { PollResult } from './compare/orders.ts';

/** A venue account to reconcile with its books. */
export type VenueAccount = {
  /** Work in the live books of its owner. */
  readonly work: Work;
  readonly connection: Pick<ConnectionRow, 'id' | 'venue' | 'created_at'>;
  readonly broker: Broker;
  /** Waits between two reads of the same values. */
  readonly pause: () => Promise<void>;
};

/** Timeout of a venue's response, including all its pages. */
const ANSWER_MAX_MS = 30_000;

/** Runs a request to the venue; throws a VenueError on timeout. */
export async function withTimeout<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  using deadline = deadlineIn(ANSWER_MAX_MS);
  const { signal } = deadline;
  const late = new Promise<never>((_, reject) => {
    const tell = () =>
      reject(VenueError.unavailable('the venue did not respond in time for the reconciliation'));
    signal.addEventListener('abort', tell, { once: true });
  });
  return Promise.race([call(), late]);
}

/** Result of polling an order, with its reported fills. */
export type PolledOrder = { readonly result: PollResult; readonly fills: readonly VenueFill[] };

/** Polls one order and applies the venue's report like any other. An error or "unknown" is not evidence. */
export async function pollOrder({ work, broker }: VenueAccount, id: string): Promise<PolledOrder> {
  const { ref } = await loadSent(work, id);
  const found = await findOrNot(broker, ref);
  if (found?.kind !== 'found') return { result: found?.kind ?? 'unsure', fills: [] };
  await applyVenueReport(work, id, found.order);
  return { result: 'found', fills: found.order.fills };
}

async function findOrNot(broker: Broker, ref: OrderRef) {
  try {
    return await withTimeout(() => broker.find(ref));
  } catch (error) {
    if (error instanceof VenueError) return null;
    throw error;
  }
}

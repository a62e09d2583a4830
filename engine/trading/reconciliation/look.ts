import type { Broker, OrderRef, VenueFill } from '../../../venues/broker.ts';
import { deadlineIn } from '../../../venues/deadline.ts';
import { VenueError } from '../../../venues/errors.ts';
import type { Work } from '../../platform/context.ts';
import type { ConnectionRow } from '../connections/row.ts';
import { loadSent } from '../orders/execution/dispatch.ts';
import { applyAnswer } from '../orders/execution/venue-events.ts';
import type { Look } from './compare/orders.ts';

/** A venue account that is compared with its books. */
export type VenueAccount = {
  /** Live books of its owner. */
  readonly work: Work;
  readonly connection: Pick<ConnectionRow, 'id' | 'venue' | 'created_at'>;
  readonly broker: Broker;
  /** Waits between two reads of the same. */
  readonly pause: () => Promise<void>;
};

/** No answer of a venue is waited for longer, all its pages together. */
const ANSWER_MAX_MS = 30_000;

/** An answer of the venue, or a VenueError once it takes too long. */
export async function answered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  using deadline = deadlineIn(ANSWER_MAX_MS);
  const { signal } = deadline;
  const late = new Promise<never>((_, reject) => {
    const tell = () => reject(VenueError.unavailable('the venue took too long to compare with'));
    signal.addEventListener('abort', tell, { once: true });
  });
  return Promise.race([call(), late]);
}

/** What came of asking for an order, and the fills that it shows. */
export type Looked = { readonly look: Look; readonly fills: readonly VenueFill[] };

/**
 * Asks for one order and believes what its venue says, as every other answer about it is believed. That it cannot tell, or fails
 * to, says nothing.
 */
export async function lookFor({ work, broker }: VenueAccount, id: string): Promise<Looked> {
  const { ref } = await loadSent(work, id);
  const found = await findOrNot(broker, ref);
  if (found?.kind !== 'found') return { look: found?.kind ?? 'unsure', fills: [] };
  await applyAnswer(work, id, found.order);
  return { look: 'found', fills: found.order.fills };
}

async function findOrNot(broker: Broker, ref: OrderRef) {
  try {
    return await answered(() => broker.find(ref));
  } catch (error) {
    if (error instanceof VenueError) return null;
    throw error;
  }
}

import type { Broker } from '../../../venues/broker.ts';
import { VenueError } from '../../../venues/errors.ts';
import { deadlineIn } from '../../../venues/http/deadline.ts';
import type { Work } from '../../platform/context.ts';
import type { ConnectionRow } from '../connections/row.ts';

/** A venue account to reconcile with its books. */
export type AccountToReconcile = {
  /** Work in the live books of its owner. */
  readonly work: Work;
  readonly connection: Pick<ConnectionRow, 'id' | 'venue' | 'created_at' | 'state'>;
  readonly broker: Broker;
  /** Waits between two reads of the same values. */
  readonly pause: () => Promise<void>;
};

/** Timeout of a venue's response, including all its pages. */
const ANSWER_MAX_MS = 30_000;

/** Runs a request to the venue; throws a VenueError on timeout. */
export async function withVenueTimeout<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  using deadline = deadlineIn(ANSWER_MAX_MS);
  const { signal } = deadline;
  const late = new Promise<never>((_, reject) => {
    const rejectLate = () =>
      reject(VenueError.unavailable('the venue did not respond in time for the reconciliation'));
    signal.addEventListener('abort', rejectLate, { once: true });
  });
  return Promise.race([call(), late]);
}

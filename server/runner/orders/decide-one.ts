import { underAccountLock } from '../../../engine/account-lock.ts';
import type { Work } from '../../../engine/context.ts';
import { recordEvents } from '../../../engine/events.ts';
import { proposalOf } from '../../../engine/orders/entry/proposal.ts';
import { proposeIntent } from '../../../engine/orders/entry/propose.ts';
import type { OrderRow } from '../../../engine/orders/row.ts';
import type { RunnerContext } from '../options.ts';
import type { Notices } from './notices.ts';
import {
  type Refusal,
  type RequestKey,
  refusalOf,
  type TakenRequest,
  takeRequest,
  whyRefused,
  whyTooLate,
} from './requests.ts';

/** What became of an intent; null: nothing, as it was decided already or its deployment has ended. */
export type Decision =
  | { readonly order: Pick<OrderRow, 'id' | 'status' | 'reason_code'> }
  | { readonly refusal: Refusal }
  | null;

type Deciding = Pick<RunnerContext, 'workOf' | 'trading'>;

/**
 * Decides one intent in a transaction of its own under its account's lock: the request goes in the same transaction in which
 * the order comes, so none is lost and none becomes two.
 *
 * @throws whatever a moment may mend: then the request stays.
 */
export async function decideOne(context: Deciding, key: RequestKey, notices: Notices): Promise<Decision> {
  return underAccountLock(context.workOf(key), async (tx, now): Promise<Decision> => {
    const request = await takeRequest(tx, key);
    // Decided by somebody else, or of a deployment that has ended: nothing is made of it.
    if (request === null || request.endedAt !== null) return null;
    const late = whyTooLate(request);
    const made = late === null ? await propose(context, tx, request) : { message: late };
    if ('order' in made) return made;
    const { message } = made;
    const refusal = refusalOf(request, message, now);
    const told = notices.of(refusal);
    if (told !== null) await recordEvents(tx, now, [told.event]);
    return { refusal };
  });
}

/** The order that came of it, or why it is refused for good. */
async function propose(
  { trading }: Deciding,
  tx: Work,
  request: TakenRequest,
): Promise<{ order: OrderRow } | { message: string }> {
  try {
    return { order: await proposeIntent(tx, proposalOf(request.intent, request), trading) };
  } catch (error) {
    const message = whyRefused(error, request.ageMs);
    if (message === null) throw error;
    return { message };
  }
}

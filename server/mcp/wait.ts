import { isObject } from '../../engine/strategy/graph/json.ts';
import type { Principal } from '../../routers/principal.ts';
import type { Context } from '../../routers/trpc.ts';
import type { Answered } from './answer.ts';

/** How often a job is looked at where no event wakes. */
const LOOK_MS = 5_000;

const hasEnded = ({ value }: Answered): boolean =>
  !isObject(value) || (value['status'] !== 'queued' && value['status'] !== 'running');

/**
 * Reads a job until it has ended or the time is over. While it waits the request counts as an event stream:
 * it takes no turn of the account's other requests.
 *
 * @throws DomainError `rate_limited` where the key has as many streams as it may.
 */
export async function whenEnded(
  { live, openStream, principal }: Context & { principal: Principal },
  waitSec: number,
  read: () => Promise<Answered>,
): Promise<Answered> {
  const until = performance.now() + waitSec * 1_000;
  let answered = await read();
  if (hasEnded(answered) || waitSec === 0) return answered;
  const over = openStream(principal);
  for (let leftMs = until - performance.now(); leftMs > 0; leftMs = until - performance.now()) {
    await live.wake(principal.accountId, Math.min(leftMs, LOOK_MS), over);
    if (over.aborted || live.ended.aborted) return answered;
    answered = await read();
    if (hasEnded(answered)) return answered;
  }
  return answered;
}

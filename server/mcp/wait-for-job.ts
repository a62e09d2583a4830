import { isObject } from '../../engine/strategy/graph/json.ts';
import type { Context } from '../../routers/context.ts';
import type { Principal } from '../../routers/principal.ts';
import type { Answered } from './tool-answer.ts';

/** The polling interval of a job without an event. */
const POLL_MS = 5_000;

const hasEnded = ({ value }: Answered): boolean =>
  !isObject(value) || (value['status'] !== 'queued' && value['status'] !== 'running');

/**
 * Reads a job until it has ended or the time is over. Meanwhile the request counts as an event stream, and does not delay the
 * account's other requests.
 *
 * @throws DomainError `rate_limited` if the key has its maximum of streams.
 */
export async function waitForJob(
  { live, openStream, principal }: Context & { principal: Principal },
  waitSec: number,
  read: () => Promise<Answered>,
): Promise<Answered> {
  const until = performance.now() + waitSec * 1_000;
  let answered = await read();
  if (hasEnded(answered) || waitSec === 0) return answered;
  const over = openStream(principal);
  for (let leftMs = until - performance.now(); leftMs > 0; leftMs = until - performance.now()) {
    await live.wake(principal.accountId, Math.min(leftMs, POLL_MS), over);
    if (over.aborted || live.ended.aborted) return answered;
    answered = await read();
    if (hasEnded(answered)) return answered;
  }
  return answered;
}

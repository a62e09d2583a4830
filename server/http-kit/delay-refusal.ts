import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';

/** Delayed refusals in this process, and so the connections that they hold. */
let waiting = 0;

/**
 * Delays the refusal of a caller that continues past a limit. So a flood of refused calls leaves the thread to others. Delays
 * have jitter, so that the calls do not return at the same instant. Past {@link CAPACITY} it does not wait, because behind a
 * proxy delayed refusals hold the proxy's connections.
 *
 * It ends the connection instead. Node.js accepts one new connection in each turn of the event loop, so callers that reconnect
 * take turns. Callers that stay connected would make each turn as long as all of their requests.
 */
export async function delayRefusal(response: ServerResponse): Promise<void> {
  if (waiting >= CAPACITY.lateRefusals) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    return;
  }
  waiting++;
  await sleep(TIMEOUTS.lateRefusalMs * (0.5 + Math.random())).finally(() => waiting--);
}

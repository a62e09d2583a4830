import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';
import { clientAddressOf, contextOf } from './requests.ts';

/** Delayed refusals in this process, and so the connections that they hold. */
let waiting = 0;

/**
 * Delays the refusal of a caller that continues past a limit. So a flood of refused calls leaves the thread to others. The more
 * refusals wait, the longer each waits, so that their rate is bounded. Delays have jitter, so that the calls do not return at
 * the same instant.
 *
 * A caller holds only connections of its own share. Behind a proxy it would hold the proxy's: past {@link CAPACITY} such a
 * refusal does not wait, and its connection ends.
 */
export async function delayRefusal(response: ServerResponse): Promise<void> {
  if (waiting >= CAPACITY.lateRefusals && isProxied(response)) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    return;
  }
  waiting++;
  const delayMs = Math.max(TIMEOUTS.lateRefusalMs, (waiting * 1_000) / CAPACITY.lateRefusalsPerSec);
  const left = new AbortController();
  response.once('close', () => left.abort());
  await sleep(delayMs * (0.5 + Math.random()), undefined, { signal: left.signal }).catch(() => {});
  waiting--;
}

const isProxied = ({ req }: ServerResponse): boolean =>
  contextOf(req).address !== clientAddressOf(req.socket.remoteAddress);

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';
import { clientAddressOf, contextOf } from './requests.ts';

/** Delayed refusals in this process, and so the connections that they hold. Callers with a key do not wait behind a flood without. */
const waiting = { keyed: 0, anonymous: 0 };

/**
 * Delays the refusal of a caller that continues past a limit. So a flood of refused calls leaves the thread to others. The more
 * refusals wait, the longer each waits, so that their rate is bounded. Delays have jitter, so that the calls do not return at
 * the same instant.
 *
 * A caller holds only connections of its own share, and all together half of them. Behind a proxy it would hold the proxy's.
 * Past that, or past {@link CAPACITY} behind a proxy, a refusal does not wait, and its connection ends.
 */
export async function delayRefusal(response: ServerResponse, kind: keyof typeof waiting): Promise<void> {
  const most = isProxied(response) ? CAPACITY.lateRefusals : CAPACITY.connections / 2;
  if (waiting.keyed + waiting.anonymous >= most) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    return;
  }
  waiting[kind]++;
  const delayMs = Math.max(TIMEOUTS.lateRefusalMs, (waiting[kind] * 1_000) / CAPACITY.lateRefusalsPerSec);
  const left = new AbortController();
  response.once('close', () => left.abort());
  await sleep(delayMs * (0.5 + Math.random()), undefined, { signal: left.signal }).catch(() => {});
  waiting[kind]--;
}

const isProxied = ({ req }: ServerResponse): boolean =>
  contextOf(req).address !== clientAddressOf(req.socket.remoteAddress);

import { setTimeout as sleep } from 'node:timers/promises';
import { CAPACITY, PATIENCE } from '../kernel/capacity.ts';

/** Refusals that wait now. It is of the process, like the connections they hold. */
let waiting = 0;

/**
 * Waits before a caller that continues past a limit is refused: a flood of refused calls leaves the thread to others. Delays
 * differ, so that the calls do not come back all at once. Past {@link CAPACITY} it does not wait: behind a proxy, refusals that
 * wait would hold all its connections.
 */
export async function refuseLate(): Promise<void> {
  if (waiting >= CAPACITY.lateRefusals) return;
  waiting++;
  await sleep(PATIENCE.lateRefusalMs * (0.5 + Math.random())).finally(() => waiting--);
}

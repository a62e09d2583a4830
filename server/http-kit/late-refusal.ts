import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE } from '../kernel/capacity.ts';

/**
 * Waits before a caller that continues past a limit is refused: a flood of refused calls leaves the thread to others. Delays
 * differ, so that the calls do not come back all at once.
 */
export const refuseLate = (): Promise<void> => sleep(PATIENCE.lateRefusalMs * (0.5 + Math.random()));

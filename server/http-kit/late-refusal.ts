import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE } from '../kernel/capacity.ts';

/**
 * Waits before whoever asks on past a limit is refused: a flood of refused calls leaves the thread to others. Not all wait
 * equally long, as they would come back all at once.
 */
export const refuseLate = (): Promise<void> => sleep(PATIENCE.lateRefusalMs * (0.5 + Math.random()));

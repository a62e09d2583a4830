import type { Clock } from './line.ts';

export const browserClock: Clock = {
  steadyMs: () => performance.now(),
  wallMs: () => Date.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};

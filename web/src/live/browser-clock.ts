import type { Clock } from './live-connection.ts';

export const browserClock: Clock = {
  steadyMs: () => performance.now(),
  wallMs: () => Date.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};

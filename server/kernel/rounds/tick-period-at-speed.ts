/** Time between two ticks in a world that runs as fast as the clock. */
const PERIOD_MS = 2_000;
/** A time limit on the simulated clock: a signal that is a minute late is ignored. */
const WORLD_MS = 60_000;
/** With a shorter period, a tick would not finish before the next. */
const MIN_PERIOD_MS = 250;

/**
 * Returns the time between two ticks (real ms) at `speed` times real time. It is short enough for signals of one-minute
 * candles, up to 240 times. Pure.
 */
export const tickPeriodAtSpeedMs = (speed: number): number =>
  Math.min(PERIOD_MS, Math.max(MIN_PERIOD_MS, Math.floor(WORLD_MS / speed)));

/** Time between two ticks in a world that runs as fast as the clock. */
const PERIOD_MS = 2_000;
/** What has to happen within it, in the world's time: a signal that is a minute late is not acted on. */
const WORLD_MS = 60_000;
/** Ticks that follow each other faster than this are not finished before the next. */
const MIN_PERIOD_MS = 250;

/**
 * The time between two ticks (real ms) in a world that runs `speed` times as fast as the clock: short enough that signals of
 * one-minute candles are in time, up to 240 times. Pure.
 */
export const tickPeriodMs = (speed: number): number =>
  Math.min(PERIOD_MS, Math.max(MIN_PERIOD_MS, Math.floor(WORLD_MS / speed)));

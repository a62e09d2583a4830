/** Intervals and timeouts of the work on venue connections, in ms. */
export type ConnectionIntervals = {
  /** Between two rounds over all connections. */
  readonly periodMs: number;
  /** A lease that is not renewed for this long is free for others. */
  readonly leaseMs: number;
  /** Between two checks of the circuit breakers. */
  readonly breakersEveryMs: number;
  /** Between two checks whether to reconcile. */
  readonly compareEveryMs: number;
  /** Between two reads of the same data at a venue: longer than its reads lag behind its writes. */
  readonly rereadMs: number;
  /** Between two heartbeats, if the venue cancels all orders without them. */
  readonly heartbeatEveryMs: number;
  /** Between two releases of venue accounts whose connection was removed. */
  readonly releaseEveryMs: number;
  /** Pause after a failure. */
  readonly restMs: number;
};

/** The intervals of the service; a local simulator lags less. */
export const INTERVALS: ConnectionIntervals = {
  periodMs: 500,
  leaseMs: 8_000,
  breakersEveryMs: 1_000,
  compareEveryMs: 2_000,
  rereadMs: 1_500,
  // Venue B waits for ten seconds.
  heartbeatEveryMs: 5_000,
  releaseEveryMs: 2_000,
  restMs: 5_000,
};

/** How often connections to venues are looked after, and what is waited for. Times in ms. */
export type ConnectionPaces = {
  /** Between two rounds over all connections. */
  readonly periodMs: number;
  /** A lease that is not renewed for this long is free for others. */
  readonly leaseMs: number;
  /** Between two looks at what stops a connection by itself. */
  readonly brakeEveryMs: number;
  /** Between two looks at whether anything is to be compared. */
  readonly compareEveryMs: number;
  /** Between two readings of the same at a venue: longer than its readings lag behind its writes. */
  readonly rereadMs: number;
  /** Between two signs of life, where the venue cancels everything without. */
  readonly beatEveryMs: number;
  /** What failed is left alone for so long. */
  readonly restMs: number;
};

/** Of the service; what is simulated beside it lags less. */
export const PACES: ConnectionPaces = {
  periodMs: 500,
  leaseMs: 8_000,
  brakeEveryMs: 1_000,
  compareEveryMs: 2_000,
  rereadMs: 1_500,
  // Venue B waits for ten seconds.
  beatEveryMs: 5_000,
  restMs: 5_000,
};

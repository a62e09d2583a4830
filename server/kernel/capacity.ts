/**
 * What one connection, one address, one account and this process may hold at once: the one place that says so. How much
 * they may ask in a time is in `config.ts`. `docs/limits.md` shows both; a test holds it to them.
 */
export const CAPACITY = {
  /** Connections of this process. */
  connections: 2_000,
  /** The last of them, for addresses that hold few. */
  reservedConnections: 200,
  /** Connections of one address that is no trusted proxy, and how many of the reserved ones it may hold. */
  connectionsPerAddress: 250,
  connectionsPerAddressInReserve: 8,
  /** Requests of one connection: one is worked on, the others wait for their turn. Past it the connection is cut. */
  requestsPerConnection: 16,
  /** Event streams of one account. */
  streamsPerAccount: 10,
  /** The same of one key. */
  streamsPerKey: 5,
  /** Answers of one account that may be large, from the first look at the database until the caller has them. */
  heavyReadsPerAccount: 2,
  /** The same within one request, which may be a batch. */
  heavyReadsPerRequest: 2,
  /** Requests of one account with a large body that are worked on at once. */
  largeBodiesPerAccount: 1,
  /** Requests that are worked on at once, brakes not counted, and those of one account. */
  requestsAtOnce: 32,
  requestsPerAccount: 8,
  /** Refusals that wait, so that their callers come back later. */
  lateRefusals: 500,
  /** Requests that wait for a slot, and those of one account. */
  requestsWaiting: 400,
  requestsWaitingPerAccount: 100,
} as const;

/** How long something may take, or lie idle, ms. */
export const PATIENCE = {
  /** Headers from their first byte, and the first byte from the connection. */
  headersMs: 10_000,
  /** A whole request. */
  requestMs: 30_000,
  /** A connection in use on which nothing moves: an answer nobody reads. */
  stalledMs: 30_000,
  /** A connection between two requests: longer than any balancer in front keeps one, so that none is cut in use. */
  keepAliveMs: 75_000,
  /** How often the first two are looked at. */
  checkMs: 2_000,
  /** A request waits for a slot, and for its account to be out of debt. */
  slotMs: 3_000,
  debtMs: 3_000,
  /** A caller that continues past a limit is refused this late, half of it more or less. Connections then bound its rate. */
  lateRefusalMs: 500,
  /** A large answer waits for its turn. */
  heavyReadMs: 5_000,
  /** How long what the database said of readiness holds, for all who ask. */
  readinessMs: 1_000,
  /** The database answers the readiness check within this. */
  readinessAnswerMs: 2_000,
  /** How often the sessions and keys behind event streams are looked at. */
  sessionMs: 1_000,
} as const;

/**
 * How much one connection, one address, one account and this process may hold at once; the only place for these limits. Limits
 * over time are in `config.ts`. `docs/limits.md` lists both; a test compares them.
 */
export const CAPACITY = {
  /** Connections of this process. */
  connections: 2_000,
  /** The last of them, reserved for addresses that hold few. */
  reservedConnections: 200,
  /** Connections of an address that is not a trusted proxy, and how many of the reserved ones it may hold. */
  connectionsPerAddress: 250,
  connectionsPerAddressInReserve: 8,
  /** Requests of one connection or WebSocket: one is processed, the others wait. Past it the connection is cut. */
  requestsPerConnection: 16,
  /** Event streams of one account. */
  streamsPerAccount: 10,
  /** The same of one key. */
  streamsPerKey: 5,
  /** Frames that the caller of a WebSocket sends between two messages of ours. Bytes of one, which may be a request. */
  webSocketFrames: 100,
  webSocketFrameBytes: 16_384,
  /** Bytes of the answer to such a request. */
  webSocketAnswerBytes: 1_048_576,
  /** Answers of one account that may be large, from the first query until the caller has received them. */
  heavyReadsPerAccount: 2,
  /** The same within one request, which may be a batch. */
  heavyReadsPerRequest: 2,
  /** Requests of one account with a large body that are processed at once. */
  largeBodiesPerAccount: 1,
  /** Requests processed at once, urgent ones excluded, and those of one account. */
  requestsAtOnce: 32,
  requestsPerAccount: 8,
  /** Delayed refusals that may hold connections of a proxy, and those sent in a second to callers of any kind. */
  lateRefusals: 500,
  lateRefusalsPerSec: 500,
  /** Requests that wait for a slot, and those of one account. */
  requestsWaiting: 400,
  requestsWaitingPerAccount: 100,
} as const;

/** How long an operation may take, or a connection may be idle, in ms. */
export const TIMEOUTS = {
  /** From the first byte of the headers to their end, and from the connection to the first byte. */
  headersMs: 10_000,
  /** A whole request. */
  requestMs: 30_000,
  /** A connection in use without progress, such as an unread answer. */
  stalledMs: 30_000,
  /** A connection between two requests: longer than any balancer in front keeps one, so that none is cut in use. */
  keepAliveMs: 75_000,
  /** How often the first two are checked. */
  checkMs: 2_000,
  /** Longest wait of a request for a slot, and for its account to leave debt. */
  slotMs: 3_000,
  debtMs: 3_000,
  /** Delay of a refusal to a caller that continues past a limit, with half of it as jitter. Connections then bound its rate. */
  lateRefusalMs: 500,
  /** Longest wait of a large answer for its slot. */
  heavyReadMs: 5_000,
  /** How long the caller of a WebSocket may take to confirm its end. */
  closeMs: 1_000,
  /** How long an answer of the database about readiness is reused for all callers. */
  readinessMs: 1_000,
  /** The same of a failure. Shorter, so that a balancer soon sees its end. */
  unreadinessMs: 250,
  /** Timeout of the database for the readiness check. */
  readinessAnswerMs: 2_000,
  /** How often the sessions and keys of event streams are checked. */
  sessionMs: 1_000,
} as const;

/** Vocabulary of stored rows, and of the venues that they name. */
import { MODES, type Mode } from '../venues/vocabulary.ts';

export { VENUE_IDS, type Venue } from '../venues/catalogue.ts';
export * from '../venues/vocabulary.ts';

/** A backtest, a sweep or an import of history. Rows of an import stay, however it ended. */
export const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Makes one value for each mode. */
export const byMode = <Value>(make: (mode: Mode) => Value): Readonly<Record<Mode, Value>> =>
  Object.fromEntries(MODES.map((mode) => [mode, make(mode)])) as Record<Mode, Value>;

/** Limits of optional rules, in the order of a receipt. `engine/risk/rules/optional.ts` has the rules. */
export const OPTIONAL_LIMITS = [
  'maxPositionSize',
  'maxVenueExposure',
  'maxGrossExposure',
  'maxBlueprintBudget',
  'maxDrawdown',
] as const;

/**
 * The permissions of a connection to a venue account. `ready`: all. `reduce_only`: no entries. `halted`: cancels only.
 * `unverified`: its checks have not passed. `expired` and `revoked`: it has no credentials that the venue accepts.
 */
export const CONNECTION_STATES = [
  'unverified',
  'ready',
  'reduce_only',
  'halted',
  'expired',
  'revoked',
] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/**
 * How an account at a venue and its books can differ:
 * - `in_flight` and `lag` disappear on their own.
 * - `external_order` and `external_fill` were not placed by this service.
 * - `transfer` is money from or to outside.
 * - `fee` is another fee than the booked one.
 * - `unredeemed` is a won settlement that is not paid out yet.
 * - `netting` is both sides of a question paid out against each other.
 */
export const DIFFERENCE_KINDS = [
  'in_flight',
  'lag',
  'external_order',
  'external_fill',
  'transfer',
  'fee',
  'unredeemed',
  'netting',
  'unexplained',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** `gone`: it no longer exists. `booked`: the books were moved to match the venue. `explained`: it stays, and is known. */
export const DIFFERENCE_STATES = ['open', 'gone', 'booked', 'explained'] as const;

/** Subjects whose details in the audit trail may name a person: erasure takes them. */
export const NAMING_SUBJECTS = [
  'api_key',
  'blueprint',
  'notify',
  'password',
  'session',
  'user',
  'venue_connection',
] as const;

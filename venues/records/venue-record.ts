/** Declares the facts of a venue. */
import type { HistoryAvailability } from '../history-source.ts';
import type { UpstreamOptions } from '../http/upstream.ts';
import type { InstrumentKind } from '../vocabulary.ts';

/** The rate limits of a venue for a client without an account. */
export type Limits = Pick<UpstreamOptions, 'ratePerSec' | 'concurrency' | 'weight'>;

/** One host of a venue's market data. */
export type Api = {
  /** Its name in errors. */
  readonly name: string;
  /** Its URL, unless the setting replaces it. */
  readonly url: string;
  /** Its path below the origin of a simulator. */
  readonly simulatorPath: string;
  /** Its host name in the operators' documents. */
  readonly host: string;
  /** The setting that replaces the URL. */
  readonly setting: string;
  readonly limits: Limits;
};

/** The form of a venue's instrument ids. No id may have the form of two venues. */
export type TokenForm = {
  readonly pattern: RegExp;
  /** For people: its subject, its shape and an example. */
  readonly what: string;
  readonly shape: string;
  readonly example: string;
};

export type VenueRecord = {
  readonly id: string;
  readonly title: string;
  /** The kind of all its instruments. */
  readonly kind: InstrumentKind;
  readonly token: TokenForm;
  /** The advisory lock of the one process that polls the venue, and its place in lists. Never reused, not even after its removal. */
  readonly feedLock: number;
  readonly apis: Readonly<Record<string, Api>>;
  readonly clearing: Clearing;
  /** The source name in a history: stored with the rows from there, so it never changes. */
  readonly source: string;
  /** The series available for every instrument, finest first. */
  readonly past: readonly HistoryAvailability[];
};

/** How a venue holds its members' positions. */
export type Clearing = {
  /** Yes and no of a market are one position, long or short: a pair of both is paid out at once. */
  readonly netsOutcomes: boolean;
  /** The value of a settled position is paid only when its owner redeems it. */
  readonly paysOnRedemption: boolean;
  /** How long its list of positions may lag behind its trades, ms. */
  readonly positionsLagMs: number;
  /** The share of a common address' rate that one read of holdings and money uses, ms; 0 if each member has its own rate. */
  readonly booksEveryMs: number;
};

/** Declares a venue; its id, its kind and the names of its hosts stay part of its type. */
export const defineVenue = <const Venue extends VenueRecord>(venue: Venue): Venue => venue;

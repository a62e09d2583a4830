/** Declares the code of a venue: its market data, its accounts and the check of both. */
import type { Access } from './access.ts';
import type { ApiName, Venue } from './catalogue.ts';
import type { FeedClock } from './clock.ts';
import type { HistorySource } from './history-source.ts';
import type { Upstream } from './http/upstream.ts';
import type { ParseErrorLog } from './parse-error-log.ts';
import type { Trading } from './trading.ts';
import type { Source } from './views.ts';

export type OpenOptions = {
  readonly upstream: (api: ApiName) => Upstream;
  readonly shared: {
    readonly clock: FeedClock;
    readonly source: Source;
    readonly parseErrors: ParseErrorLog;
  };
};

/** Makes one call and records its result; returns null if it failed. */
export type Probe = <T>(mode: string, question: () => Promise<T>) => Promise<T | null>;

export type Driver<Id extends Venue = Venue, Reads = unknown, Of extends Access = Access> = {
  readonly id: Id;
  readonly open: (options: OpenOptions) => Reads & Trading & HistorySource;
  /** How to authenticate there. */
  readonly access: Of;
  /** Calls its own methods, one call per mode. Resolves to an instrument that it currently lists, or to a long-lived example. */
  readonly check: (at: Reads, probe: Probe) => Promise<string>;
};

export const defineDriver = <const Id extends Venue, Reads, Of extends Access>(
  driver: Driver<Id, Reads, Of>,
): Driver<Id, Reads, Of> => driver;

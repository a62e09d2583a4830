/** Services behind the operator's page. Nothing here is of an account's trading: no graph, order, position or secret. */
import type { Work } from '../engine/platform/context.ts';
import type { AccountLimits } from '../engine/usecases/operator/set-limits.ts';
import type { Position } from './cursor.ts';
import type { Principal } from './principal.ts';

export type OperatedAccount = {
  id: string;
  /** Null for an erased user. */
  email: string | null;
  name: string | null;
  createdAt: string;
  isMoving: boolean;
  suspendedAt: string | null;
  suspensionReason: string | null;
  /** When a session or key of it was last in use, to the day for a session; null if neither is left. */
  lastSeenAt: string | null;
  sessions: number;
  /** Strategies that run. */
  running: number;
  keys: number;
  connections: number;
  blueprints: number;
  graphBytes: number;
  limits: AccountLimits;
};

/** `find` is the beginning of an e-mail. */
export type AccountPage = { find: string | undefined; after: Position | null; limit: number };

export type Operations = {
  /** The version of the process that answers. */
  version: string;
  /** Only queues that hold something. */
  queues: { name: string; waiting: number; running: number; oldestSec: number | null }[];
  processes: {
    id: string;
    role: string;
    version: string;
    host: string;
    startedAt: string;
    seenAt: string;
    isAlive: boolean;
    drainsSince: string | null;
    /** Leases that it holds. */
    shards: number;
    connections: number;
  }[];
  /** Commands that the operator schedules; times are null for one that never ended. */
  commands: { name: string; endedAt: string | null; isOk: boolean | null; lastOkAt: string | null }[];
  database: {
    bytes: number;
    version: string;
    connections: number;
    isArchived: boolean;
    archivedAt: string | null;
    isArchiveFailing: boolean;
  };
};

export type OperatorServices = {
  /** The operator behind a session, and whether its sign-in is young enough to act; null for anyone else. */
  standingOf(principal: Pick<Principal, 'kind' | 'id'>): Promise<{ userId: string; isFresh: boolean } | null>;
  /** Reads accounts, newest first. The database refuses a session that is no operator's. */
  accounts(principal: Pick<Principal, 'id'>, page: AccountPage): Promise<OperatedAccount[]>;
  /** Ends the sessions of an account's users, and notes it in the account's trail. Returns how many. @throws DomainError `not_found` */
  endSessions(work: Work, reason: string): Promise<number>;
  operations(): Promise<Operations>;
  /** Asks a process to give its work away, or to take work again. @throws DomainError `not_found` */
  drain(processId: string, isDraining: boolean): Promise<void>;
};

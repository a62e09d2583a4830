/** Sorts the errors of PostgreSQL, `pg` and the network by the possible remedy. */

/** PostgreSQL's five-character error code, or Node's; undefined if there is none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean => codes.has(codeOf(error) ?? '');

/** Serialization failure, deadlock: nothing of the transaction remains, so it can be tried again. */
const LOST_RACES = new Set(['40001', '40P01']);
export const isSerializationFailure = (error: unknown): boolean => hasCode(error, LOST_RACES);

/** A lock that was not released in time. Nothing of the transaction remains here either. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

const STATEMENT_CANCELED = '57014';
/** A statement or lock that took too long, or a lost race: a later retry may pass. */
export const isTooBusy = (error: unknown): boolean =>
  codeOf(error) === STATEMENT_CANCELED || isLockTimeout(error) || isSerializationFailure(error);

/** A server that refuses to write: a standby, as the old one is after a fail-over. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006';

/** SQLSTATEs of a server that is gone, stopping or full, or lacks the database. */
const NO_SERVER = /^(08|57P|53|58|3D000|25P03)/;
/** Node's codes for an address that cannot be reached, or for a process without free sockets. */
const UNREACHABLE = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ENOENT',
    'ETIMEDOUT',
    'ENOTCONN',
    'EADDRNOTAVAIL',
  ],
  ...[
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAI_FAIL',
    'EAI_NODATA',
  ],
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
]);
/** Messages of `pg` and its pool without a code. */
const NO_CONNECTION =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Connection ended|not queryable|Client was closed|after calling end on the pool/;

/** Whether no server responds and writes: it cannot be reached, is stopping, full, or read-only. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error) ?? '';
  return (
    NO_CONNECTION.test(error.message) || NO_SERVER.test(code) || isReadOnly(error) || UNREACHABLE.has(code)
  );
}

const BUSY_SERVER = /^(57P03|53300)$/;
/** Messages of `pg` and of PgBouncer. */
const BUSY =
  /timeout expired|connection timeout|Query read timeout|query_wait_timeout|no more connections allowed/;
/** A server or pooler that is starting, has no connection left, or is slow to accept one or to answer. */
export const isBusyServer = (error: unknown): boolean =>
  error instanceof Error && (BUSY_SERVER.test(codeOf(error) ?? '') || BUSY.test(error.message));

/** Whether the server refuses the role or its password. */
export const isLoginRefused = (error: unknown): boolean => codeOf(error)?.startsWith('28') === true;

/** Whether an error is temporary: the database could not be used at this moment. */
export const isTransient = (error: unknown): boolean => isUnavailable(error) || isTooBusy(error);

/** Data exceptions, broken constraints, limits of size, and errors raised by triggers. */
const FAULTS_OF_DATA = new Set(['22', '23', '54', 'P0']);
/** Whether the stored values are at fault, and not the database, the network or the moment. */
export const isDataError = (error: unknown): boolean => FAULTS_OF_DATA.has(codeOf(error)?.slice(0, 2) ?? '');

export const isMissingDatabase = (error: unknown): boolean => codeOf(error) === '3D000';

const NOTHING_THERE = new Set(['3D000', '42P01']);
/** The database or its tables are missing: the service was never started there. */
export const isNotInitialized = (error: unknown): boolean => hasCode(error, NOTHING_THERE);

/** Two processes create a database at once: PostgreSQL reports it to the second in one of two ways. */
const DATABASE_EXISTS = new Set(['42P04', '23505']);
export const isExistingDatabase = (error: unknown): boolean => hasCode(error, DATABASE_EXISTS);

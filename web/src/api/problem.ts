import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../../../client/src/trpc.ts';
import { t, translateReason } from '../language/language.ts';

export type Issue = { path: string; code: string; message: string };

/** The reason of a failure, in the words shown to the user. */
export type Problem = {
  message: string;
  code: string;
  issues: readonly Issue[];
  requestId: string | null;
  /** Null if the server was not reached. */
  status: number | null;
  retryAfterSec: number | null;
};

/** Reads any thrown value. The server's own words win, translated where the catalog has them. */
export function readProblem(error: unknown): Problem {
  if (!(error instanceof TRPCClientError)) return unknownProblem(error);
  const { data, meta } = error as TRPCClientError<AppRouter>;
  const response = meta?.['response'];
  const headers = response instanceof Response ? response.headers : null;
  if (!data) return unreachable();
  const { error: said, httpStatus } = data;
  return {
    message: translateReason(said.message),
    code: said.code,
    issues: (said.issues ?? []).map((issue) => ({ ...issue, message: translateReason(issue.message) })),
    requestId: said.requestId === '' ? (headers?.get('x-request-id') ?? null) : said.requestId,
    status: httpStatus,
    retryAfterSec: secondsOf(headers?.get('retry-after')),
  };
}

/** Whether the service refused it. Otherwise it may have been done, or may still be: the same request has to be repeated. */
export function isRefusal(error: unknown): boolean {
  const { status, code } = readProblem(error);
  return status !== null && status < 500 && code !== 'idempotency_key_in_use';
}

function secondsOf(header: string | null | undefined): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

const unreachable = (): Problem => ({
  message: t('The service does not answer. Check the connection; this page retries automatically.'),
  code: 'unreachable',
  issues: [],
  requestId: null,
  status: null,
  retryAfterSec: null,
});

const unknownProblem = (error: unknown): Problem => ({
  ...unreachable(),
  message: error instanceof Error ? error.message : String(error),
  code: 'unexpected',
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { DomainError } from '../../engine/platform/errors.ts';
import { errorHeaders } from '../../openapi/facade.ts';
import { errorBody, statusOf, toDomainError } from '../../routers/errors.ts';
import { failurePage } from '../console/console-progress.ts';
import { setPageHeaders, wantsPage } from '../http-kit/page-requests.ts';
import { contextOf } from '../http-kit/requests.ts';
import type { Logger } from '../kernel/logger.ts';

/** Sends an error in the one format of all errors. */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: DomainError,
  headers: Readonly<Record<string, string>> = errorHeaders(error, statusOf(error), {}),
): void {
  const status = statusOf(error);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(errorBody(error, contextOf(request).requestId)));
}

/**
 * Handles a refused credential of the Model Context Protocol: the answer leads a client to where it can ask a person for access
 * (RFC 9728).
 */
export const accessChallenge =
  (resourceMetadata: string): ErrorRequestHandler =>
  (thrown, request, response, next) => {
    const error = toDomainError(thrown);
    if (response.headersSent || statusOf(error) !== 401) return next(thrown);
    const { 'WWW-Authenticate': challenge } = errorHeaders(error, 401, {});
    sendError(request, response, error, {
      'WWW-Authenticate': `${challenge}, resource_metadata="${resourceMetadata}"`,
    });
  };

/** Handles uncaught errors: JSON for programs, a page for a browser that asked for one. */
export function uncaughtErrorHandler(log: Logger): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    const error = errorOf(thrown);
    const status = statusOf(error);
    const { requestId } = contextOf(request);
    logFailure(log, { requestId }, error);
    if (status < 500 || !wantsPage(request)) return sendError(request, response, error);
    setPageHeaders(response);
    response.set(errorHeaders(error, status, {}));
    response.status(status).type('html').send(failurePage(requestId));
  };
}

function errorOf(thrown: unknown): DomainError {
  const { status } = thrown as { status?: number };
  const clientFault = typeof status === 'number' && status >= 400 && status < 500;
  return clientFault
    ? new DomainError('validation_failed', 'The request could not be read.')
    : toDomainError(thrown);
}

/** Logs a failure that no caller caused. A bug is logged with its stack; a temporary failure is a warning. */
export function logFailure(log: Logger, about: object, error: DomainError): void {
  const status = statusOf(error);
  if (status < 500) return;
  const { code } = error;
  const cause = error.cause ?? error;
  if (status === 500) log.error({ ...about, code, error: describe(cause) }, 'a request failed');
  else log.warn({ ...about, code, error: cause instanceof Error ? cause.message : String(cause) }, 'not now');
}

/** Formats an error for the log: message and stack, without the values of a query. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.stack ?? error.message;
}

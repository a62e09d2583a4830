import type { ServerResponse } from 'node:http';
import type { DomainError } from '../../../engine/platform/errors.ts';
import { statusOf } from '../../../routers/errors.ts';

/** The error codes of the token endpoint (RFC 6749, 5.2; RFC 8707) and of registration (RFC 7591, 3.2.2). */
type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** A refusal that a client reads. */
export class OauthError extends Error {
  readonly code: OauthErrorCode;

  constructor(code: OauthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

export const refuse = (response: ServerResponse, { code, message }: OauthError): void =>
  answer(response, code === 'invalid_client' ? 401 : 400, { error: code, error_description: message });

/** Answers a refusal of the service in the form of this protocol. */
export function refuseAs(response: ServerResponse, error: DomainError): void {
  const status = statusOf(error);
  const isPassing = status === 429 || status === 503;
  if (isPassing) response.setHeader('Retry-After', String(error.retryAfterSec ?? 1));
  const code = isPassing ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request';
  answer(response, status, { error: code, error_description: error.message });
}

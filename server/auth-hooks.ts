import { isIP } from 'node:net';
import type { GenericEndpointContext } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { DomainError } from '../engine/errors.ts';
import { CLIENT_ADDRESS_HEADER } from './auth-handler.ts';
import { knownBrowserOf, noteKnownBrowser } from './known-browser.ts';
import type { MemoryLimits, SignInAttempt } from './limits.ts';

const SIGN_IN = '/sign-in/email';

/**
 * What stands before and after the framework's own work. Failed sign-ins are counted per address and per e-mail; past
 * a limit the password is not even looked at. Each is counted before it is tried and given back if it succeeds, or if
 * nobody looked at it: a thousand at once are a thousand.
 */
export function authHooks(limits: MemoryLimits) {
  return {
    before: createAuthMiddleware(async (context) => {
      if (context.path !== SIGN_IN) return;
      const attempt = await attemptOf(context);
      await limited(() => limits.countSignIn(attempt));
    }),
    after: createAuthMiddleware(async (context) => {
      const { returned } = context.context;
      if (context.path !== SIGN_IN || hasFailed(returned)) return;
      const attempt = await attemptOf(context);
      await limits.forgiveSignIn(attempt);
      if (attempt.email === null || returned instanceof APIError) return;
      await noteKnownBrowser(context, attempt.email);
    }),
  };
}

/** Refused for what was sent; a refusal because too many came at once says nothing about it. */
const hasFailed = (returned: unknown): boolean => returned instanceof APIError && returned.statusCode < 500;

async function attemptOf(context: GenericEndpointContext): Promise<SignInAttempt> {
  const email = emailOf(context.body);
  const browser = email === null ? null : await knownBrowserOf(context, email);
  return { address: addressOf(context), email, browser };
}

async function limited(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new APIError(
      'TOO_MANY_REQUESTS',
      { message: error.message, code: error.code },
      { 'Retry-After': String(error.retryAfterSec ?? 1) },
    );
  }
}

/** Whoever hands a request to the framework says where it comes from: without it no limit would hold. */
function addressOf({ headers }: GenericEndpointContext): string {
  const address = headers?.get(CLIENT_ADDRESS_HEADER) ?? '';
  if (isIP(address) === 0) throw new Error(`A sign-in without the address it comes from: "${address}".`);
  return address;
}

function emailOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('email' in body)) return null;
  return typeof body.email === 'string' ? body.email.trim().toLowerCase().slice(0, 254) : null;
}

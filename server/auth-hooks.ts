import { isIP } from 'node:net';
import type { GenericEndpointContext } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import type { z } from 'zod';
import { routeNotFound, validationFailed } from '../routers/errors.ts';
import { CLIENT_ADDRESS_HEADER, REQUEST_ID_HEADER } from './auth-headers.ts';
import { knownBrowserOf, noteKnownBrowser } from './known-browser.ts';
import type { ServiceLimits, SignInAttempt } from './limits.ts';
import { SignUpFields, UserEdit } from './user-fields.ts';
import type { UserTrail } from './user-trail.ts';

const SIGN_IN = '/sign-in/email';
const SIGN_UP = '/sign-up/email';
const EDIT = '/update-user';
const CHANGE_PASSWORD = '/change-password';
/** Would tell whoever holds a session whether a guess is right. Nothing of ours asks it. */
const SWITCHED_OFF = '/verify-password';

/**
 * What stands before and after the framework's own work. Whatever looks at a password is counted before it is tried,
 * and given back if it succeeds or if nobody looked at it: a thousand at once are a thousand. Past a limit the
 * password is not even looked at.
 */
export function authHooks(limits: ServiceLimits, trail: UserTrail) {
  return {
    before: createAuthMiddleware(async (context) => {
      switch (context.path) {
        case SIGN_IN:
          return limits.countSignIn(await attemptOf(context));
        case SIGN_UP: {
          const body = read(SignUpFields, context.body);
          await limits.countSignUp(addressOf(context));
          return { context: { body } };
        }
        case EDIT:
          return { context: { body: read(UserEdit, context.body) } };
        case CHANGE_PASSWORD: {
          const session = await getSessionFromCtx(context);
          if (session) await limits.countPassword(session.user.id);
          return { context: { body: { ...context.body, revokeOtherSessions: true } } };
        }
        case SWITCHED_OFF:
          throw routeNotFound();
        default:
          return;
      }
    }),
    after: createAuthMiddleware(async (context) => {
      const { returned, newSession } = context.context;
      if (hasFailed(returned)) return;
      const hasSucceeded = !(returned instanceof APIError);
      switch (context.path) {
        case SIGN_IN: {
          const attempt = await attemptOf(context);
          await limits.forgiveSignIn(attempt);
          if (hasSucceeded && attempt.email !== null) await noteKnownBrowser(context, attempt.email);
          return;
        }
        case SIGN_UP:
          if (!hasSucceeded) await limits.forgiveSignUp(addressOf(context));
          return;
        case CHANGE_PASSWORD:
          if (newSession) await passwordChanged(newSession.user.id, requestIdOf(context));
          return;
      }
    }),
  };

  async function passwordChanged(userId: string, requestId: string | null): Promise<void> {
    await limits.forgivePassword(userId);
    await trail.record({ userId, action: 'password.changed', subjectId: userId, after: null, requestId });
  }
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(body);
  if (!success) throw validationFailed(error);
  return data;
}

/** The id of the request a hook runs in; null outside of one, on the command line. */
export const requestIdOf = (context: { headers?: Headers | undefined } | null | undefined): string | null =>
  context?.headers?.get(REQUEST_ID_HEADER) ?? null;

/** Refused for what was sent; a refusal because too many came at once says nothing about it. */
const hasFailed = (returned: unknown): boolean => returned instanceof APIError && returned.statusCode < 500;

async function attemptOf(context: GenericEndpointContext): Promise<SignInAttempt> {
  const email = emailOf(context.body);
  const browser = email === null ? null : await knownBrowserOf(context, email);
  return { address: addressOf(context), email, browser };
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

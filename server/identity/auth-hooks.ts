import { isIP } from 'node:net';
import type { GenericEndpointContext } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { z } from 'zod';
import { routeNotFound, validationFailed } from '../../routers/errors.ts';
import type { ServiceLimits, SignInAttempt } from '../http-kit/call-rate-limiter.ts';
import { CLIENT_ADDRESS_HEADER, REQUEST_ID_HEADER } from './auth-headers.ts';
import {
  adoptChallenge,
  expireOtherCells,
  forgetHome,
  PROVIDER_CALLBACK,
  PROVIDER_SIGN_IN,
  passkeyOfCell,
  type SpendChallenge,
  shareChallenge,
  withoutCell,
} from './cell-names.ts';
import {
  AddedPasskey,
  PASSKEY_PATHS,
  RenamedPasskey,
  requirePasswordToAddPasskey,
  unreadablePasskey,
} from './factors/passkeys.ts';
import { ISSUER, type secondFactorCodes } from './factors/two-factor.ts';
import { knownBrowserOf, setKnownBrowser } from './known-browser.ts';
import { SignUpFields, UserEdit } from './user-fields.ts';
import type { UserTrail } from './user-trail.ts';

export const SIGN_IN = '/sign-in/email';
const SIGN_UP = '/sign-up/email';
const EDIT = '/update-user';
const CHANGE_PASSWORD = '/change-password';
const REVOKE = '/revoke-session';
const ASK_RESET = '/request-password-reset';
const RESET = '/reset-password';
const ENABLE = '/two-factor/enable';
const DISABLE = '/two-factor/disable';
const MAKE_CODES = '/two-factor/generate-backup-codes';
const CODE = '/two-factor/verify-totp';
const RECOVERY = '/two-factor/verify-backup-code';
/**
 * Endpoints that our console does not use. They would confirm a guess to the holder of a session, or show an authenticator's
 * secret again. Others would send codes without a channel, or carry a reset token in an address.
 */
const SWITCHED_OFF: ReadonlySet<string> = new Set([
  '/verify-password',
  '/two-factor/get-totp-uri',
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
  '/reset-password/:token',
]);
/** The most characters of an answer to a challenge. */
const CODE_MAX = 40;

/**
 * Hooks before and after the framework's own work. Each password is counted before it is checked, so that concurrent attempts
 * all count. The count is returned if the password is right, or was never checked. Past a limit the password is not checked.
 */
export function authHooks(
  limits: ServiceLimits,
  trail: UserTrail,
  codes: ReturnType<typeof secondFactorCodes>,
  { cell, spendChallenge }: { readonly cell: number; readonly spendChallenge: SpendChallenge },
) {
  /** The key under which a request was counted. */
  const counted = new WeakMap<object, string>();
  return {
    before: createAuthMiddleware(async (context) => {
      if (SWITCHED_OFF.has(context.path)) throw routeNotFound();
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
        case CHANGE_PASSWORD:
          await countPassword(context);
          return { context: { body: { ...context.body, revokeOtherSessions: true } } };
        case ENABLE:
          await countPassword(context);
          return { context: { body: { method: 'totp', issuer: ISSUER } } };
        case DISABLE:
        case MAKE_CODES:
          return countPassword(context);
        case CODE: {
          await countPassword(context);
          const code = await codes.unused(context, codeOf(context.body));
          return { context: { body: { code, trustDevice: false } } };
        }
        case RECOVERY: {
          // With a session it would only confirm whether a guess is right.
          if (await getSessionFromCtx(context)) throw routeNotFound();
          const code = await codes.recovery(context, codeOf(context.body));
          return { context: { body: { code, trustDevice: false, disableSession: false } } };
        }
        case PASSKEY_PATHS.add: {
          const { name, password } = read(AddedPasskey, context.body);
          await countPassword(context);
          await requirePasswordToAddPasskey(context, password);
          return { context: { body: { name, createSession: false } } };
        }
        case PASSKEY_PATHS.rename:
          return { context: { body: read(RenamedPasskey, context.body) } };
        case PASSKEY_PATHS.signIn:
          await limits.countSignIn({ address: addressOf(context), email: null, browser: null });
          return adoptChallenge(context, cell, spendChallenge);
        case REVOKE:
          return { context: { body: { token: await tokenOf(context) } } };
        case ASK_RESET:
          return limits.countReset(addressOf(context));
        case RESET:
          return { context: { body: withoutCell(context.body) } };
        default:
          return;
      }
    }),
    after: createAuthMiddleware(async (context) => {
      const { returned, newSession } = context.context;
      if (context.path === PASSKEY_PATHS.add && returned instanceof APIError && returned.statusCode === 500)
        throw unreadablePasskey();
      // The framework throws a redirect after each answer of a provider, also if it began a session.
      const hasEntered = newSession !== null && context.path === PROVIDER_CALLBACK;
      if (hasFailed(returned) && !hasEntered) return;
      const hasSucceeded = !(returned instanceof APIError) || hasEntered;
      if (hasSucceeded && (newSession || context.path === SIGN_IN)) expireOtherCells(context);
      switch (context.path) {
        case SIGN_IN: {
          const attempt = await attemptOf(context);
          await limits.forgiveSignIn(attempt);
          if (hasSucceeded && attempt.email !== null) await setKnownBrowser(context, attempt.email);
          return;
        }
        case PROVIDER_SIGN_IN:
          // The provider's answer would be led to where an earlier one was left unfinished.
          expireOtherCells(context, 'state');
          return forgetHome(context);
        case PASSKEY_PATHS.create:
          return passkeyOfCell(returned, cell) ?? undefined;
        case PASSKEY_PATHS.ask:
          return shareChallenge(context, returned, cell);
        case SIGN_UP:
          if (!hasSucceeded) await limits.forgiveSignUp(addressOf(context));
          return;
        case PASSKEY_PATHS.signIn:
          return limits.forgiveSignIn({ address: addressOf(context), email: null, browser: null });
        case PASSKEY_PATHS.add:
        case PASSKEY_PATHS.remove: {
          const session = await getSessionFromCtx(context);
          if (!session || !hasSucceeded) return;
          const userId = session.user.id;
          if (context.path === PASSKEY_PATHS.add) await limits.forgivePassword(userId);
          const action = context.path === PASSKEY_PATHS.add ? 'passkey.added' : 'passkey.removed';
          const requestId = requestIdOf(context);
          return trail.record({
            userId,
            action,
            subjectId: passkeyIdOf(returned, context.body),
            after: null,
            requestId,
          });
        }
        case CHANGE_PASSWORD:
          if (newSession) await passwordChanged(newSession.user.id, requestIdOf(context));
          return;
        case ENABLE:
        case DISABLE:
        case MAKE_CODES:
        case CODE: {
          const userId = counted.get(context.context);
          if (userId === undefined || !hasSucceeded) return;
          await limits.forgivePassword(userId);
          if (context.path !== MAKE_CODES) return;
          const made = {
            userId,
            action: 'second_factor.codes_made',
            subjectId: userId,
            after: null,
          } as const;
          return trail.record({ ...made, requestId: requestIdOf(context) });
        }
      }
    }),
  };

  async function passwordChanged(userId: string, requestId: string | null): Promise<void> {
    await limits.forgivePassword(userId);
    await trail.record({ userId, action: 'password.changed', subjectId: userId, after: null, requestId });
  }

  /** Guesses at a session's password, or at a code of its owner, are limited as at sign-in. */
  async function countPassword(context: GenericEndpointContext): Promise<void> {
    const session = await getSessionFromCtx(context);
    if (!session) return;
    await limits.countPassword(session.user.id);
    counted.set(context.context, session.user.id);
  }
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(body);
  if (!success) throw validationFailed(error);
  return data;
}

/** Returns the id of the request a hook runs in; null on the command line. */
export const requestIdOf = (context: { headers?: Headers | undefined } | null | undefined): string | null =>
  context?.headers?.get(REQUEST_ID_HEADER) ?? null;

/** Whether the input was refused; a refusal because of overload proves nothing about it. */
const hasFailed = (returned: unknown): boolean => returned instanceof APIError && returned.statusCode < 500;

/** Returns the id of an added passkey from the answer, of a removed one from the request. */
const passkeyIdOf = (returned: unknown, body: unknown): string =>
  z.looseObject({ id: z.uuid() }).safeParse(returned).data?.id ??
  read(z.looseObject({ id: z.string().max(CODE_MAX) }), body).id;

const codeOf = (body: unknown): string => read(z.looseObject({ code: z.string().max(CODE_MAX) }), body).code;

/**
 * Finds the token of a session by its id: a token never leaves its cookie. A missing session, or that of another user, counts
 * as ended.
 */
async function tokenOf(context: GenericEndpointContext): Promise<string> {
  const { id } = read(z.looseObject({ id: z.string().max(CODE_MAX) }), context.body);
  const session = await getSessionFromCtx(context);
  const mine = session ? await context.context.internalAdapter.listSessions(session.user.id) : [];
  return mine.find((each) => each.id === id)?.token ?? 'none';
}

async function attemptOf(context: GenericEndpointContext): Promise<SignInAttempt> {
  const email = emailOf(context.body);
  const browser = email === null ? null : await knownBrowserOf(context, email);
  return { address: addressOf(context), email, browser };
}

/** Every caller of the framework must state the client's address: without it no limit would apply. */
function addressOf({ headers }: GenericEndpointContext): string {
  const address = headers?.get(CLIENT_ADDRESS_HEADER) ?? '';
  if (isIP(address) === 0) throw new Error(`A sign-in without the address it comes from: "${address}".`);
  return address;
}

function emailOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('email' in body)) return null;
  return typeof body.email === 'string' ? body.email.trim().toLowerCase().slice(0, 254) : null;
}

/**
 * Names of cells in what a sign-in carries, so that a proxy finds the cell of the account (docs/cells.md). Those of cell 0 are as
 * before cells.
 */

import { createHash } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';
import { z } from 'zod';

/** Cookies by which a proxy routes, with any cell's prefix. */
const ROUTED_COOKIE =
  /(?:^|;\s*)((?:__Secure-)?(?:better-auth|cell\d{1,2})\.(session_token|two_factor|state))=/g;
const CELL_OF_TOKEN = /^cell\d{1,2}\./;
/** Characters of a passkey's user handle after the name of the cell: 108 random bits. */
const HANDLE_LENGTH = 24;
/** Where a sign-in by a provider begins, and where the provider sends the browser back. */
export const PROVIDER_SIGN_IN = '/sign-in/social';
export const PROVIDER_CALLBACK = '/callback/:id';
/** For the second try of a sign-in by a provider. Its name and value are those of the file of HAProxy. */
const HOME_COOKIE = 'sign_in_home';
const HOME_SEC = 300;
const CHALLENGE_COOKIE = 'better-auth-passkey';
const SHARED_CHALLENGE_COOKIE = 'passkey_challenge';
const CHALLENGE_SEC = 300;

/** Names that cookies have in every cell: which cell ends a sign-in by passkey is known only with the passkey. */
export const SHARED_COOKIES = {
  [CHALLENGE_COOKIE]: { name: `better-auth.${CHALLENGE_COOKIE}` },
  [SHARED_CHALLENGE_COOKIE]: { name: `better-auth.${SHARED_CHALLENGE_COOKIE}` },
};

/** Stores that a challenge was used here, and returns whether it was the first time. */
export type SpendChallenge = (id: string, expiresAt: Date) => Promise<boolean>;

/** Returns the token of a link to reset a password with its cell in front. */
export const tokenOfCell = (token: string, cell: number): string =>
  cell === 0 ? token : `cell${cell}.${token}`;

/** Returns a body whose token lacks the cell in front. */
export function withoutCell(body: unknown): object {
  const read = z.looseObject({ token: z.string() }).safeParse(body).data;
  return read === undefined ? {} : { ...read, token: read.token.replace(CELL_OF_TOKEN, '') };
}

/** Returns options of a new passkey whose user handle begins with `cell01__`, in cell 1; null in cell 0. */
export function passkeyOfCell(options: unknown, cell: number): object | null {
  const read = z.looseObject({ user: z.looseObject({ id: z.string() }) }).safeParse(options).data;
  if (cell === 0 || read === undefined) return null;
  const id = `cell${String(cell).padStart(2, '0')}__${read.user.id.slice(0, HANDLE_LENGTH)}`;
  return { ...read, user: { ...read.user, id } };
}

/** Ends what the browser carries of other cells: a proxy would follow it. `only`: the end of the names. */
export function expireOtherCells(context: GenericEndpointContext, only?: 'state'): void {
  const { name: own, attributes } = context.context.authCookies.sessionToken;
  const prefix = own.slice(0, own.lastIndexOf('.') + 1);
  for (const [, name = '', end] of (context.headers?.get('cookie') ?? '').matchAll(ROUTED_COOKIE))
    if (!name.startsWith(prefix) && (only ?? end) === end)
      context.setCookie(name, '', { ...attributes, maxAge: 0 });
}

/**
 * Gives the browser what stands for its e-mail, after a provider has named it: a proxy leads its next sign-in by a provider to
 * the cell of the account. It grants nothing, as that cell asks the provider again.
 */
export const noteHome = (context: GenericEndpointContext, digest: string): void =>
  void context.setCookie(HOME_COOKIE, digest, homeAttributes(context, HOME_SEC));

/** Ends the note once a sign-in by a provider has begun with it. */
export function forgetHome(context: GenericEndpointContext): void {
  if (context.getCookie(HOME_COOKIE)) context.setCookie(HOME_COOKIE, '', homeAttributes(context, 0));
}

const homeAttributes = ({ context }: GenericEndpointContext, maxAge: number) => ({
  ...context.authCookies.sessionToken.attributes,
  maxAge,
});

/** Gives the browser the challenge of a sign-in by passkey, which the cell of the passkey reads. */
export async function shareChallenge(
  context: GenericEndpointContext,
  options: unknown,
  cell: number,
): Promise<void> {
  const read = z.looseObject({ challenge: z.string() }).safeParse(options).data;
  if (read === undefined) return;
  const { name, attributes } = context.context.createAuthCookie(SHARED_CHALLENGE_COOKIE);
  const note = [cell, read.challenge, Date.now() + CHALLENGE_SEC * 1_000].join('.');
  await context.setSignedCookie(name, note, context.context.secret, { ...attributes, maxAge: CHALLENGE_SEC });
}

/** Takes over the challenge that another cell gave to the browser. Each is accepted once. */
export async function adoptChallenge(
  context: GenericEndpointContext,
  cell: number,
  spend: SpendChallenge,
): Promise<void> {
  const read = (name: string) =>
    context.getSignedCookie(context.context.createAuthCookie(name).name, context.context.secret);
  const [identifier, note] = [await read(CHALLENGE_COOKIE), await read(SHARED_CHALLENGE_COOKIE)];
  if (!identifier || !note) return;
  const [origin, expectedChallenge = '', until] = note.split('.');
  // A signature does not bind a cookie's name: other signed values have no time here, and NaN is no time ahead.
  if (Number(origin) === cell || !(Number(until) > Date.now())) return;
  const expiresAt = new Date(Number(until));
  const id = createHash('sha256').update(expectedChallenge).digest('hex').slice(0, 32);
  if (!(await spend(id, expiresAt))) return;
  const value = JSON.stringify({ type: 'authentication', expectedChallenge, userData: { id: '' } });
  await context.context.internalAdapter.createVerificationValue({ identifier, value, expiresAt });
}

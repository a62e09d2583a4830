import { createHash, randomUUID } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';

/** The cookie is sent with sign-ins only. */
const PATH = '/api/auth/sign-in';
const YEAR_SEC = 31_536_000;
const NAME = 'known_browser';

/**
 * Returns the id of a browser that has signed in with this e-mail before, from its signed cookie, or null. It grants no access;
 * it only exempts that browser from limits that others may have exhausted for its owner.
 */
export async function knownBrowserOf(context: GenericEndpointContext, email: string): Promise<string | null> {
  const { name } = context.context.createAuthCookie(NAME);
  const note = await context.getSignedCookie(name, context.context.secret);
  if (!note) return null;
  const [browser = '', whose] = note.split('.');
  return whose === digestOf(email) ? browser : null;
}

/** Sets the cookie in a browser that has just signed in. */
export async function setKnownBrowser(context: GenericEndpointContext, email: string): Promise<void> {
  const known = await knownBrowserOf(context, email);
  const { name, attributes } = context.context.createAuthCookie(NAME);
  const note = `${known ?? randomUUID()}.${digestOf(email)}`;
  await context.setSignedCookie(name, note, context.context.secret, {
    ...attributes,
    path: PATH,
    maxAge: YEAR_SEC,
  });
}

const digestOf = (email: string): string => createHash('sha256').update(email).digest('hex').slice(0, 32);

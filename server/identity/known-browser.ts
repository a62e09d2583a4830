import { createHash, randomUUID } from 'node:crypto';
import type { GenericEndpointContext } from 'better-auth';

/** Only sign-ins are sent it. */
const PATH = '/api/auth/sign-in';
const YEAR_SEC = 31_536_000;
const NAME = 'known_browser';

/**
 * The id of a browser that has signed in with this e-mail before, or null: the signed note it was given then. It opens
 * nothing; it only spares that browser the limits others may have used up for its owner.
 */
export async function knownBrowserOf(context: GenericEndpointContext, email: string): Promise<string | null> {
  const { name } = context.context.createAuthCookie(NAME);
  const note = await context.getSignedCookie(name, context.context.secret);
  if (!note) return null;
  const [browser = '', whose] = note.split('.');
  return whose === digestOf(email) ? browser : null;
}

/** Leaves the note in a browser that has just signed in. */
export async function noteKnownBrowser(context: GenericEndpointContext, email: string): Promise<void> {
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

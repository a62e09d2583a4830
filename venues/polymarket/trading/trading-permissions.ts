/** Whether venue B accepts trading with given credentials, from its answers. Pure. */
import { z } from 'zod';
import { SECOND_MS } from '../../time.ts';

/** The version of the exchange whose orders this service signs. */
const CLOB_VERSION = 2;
/** Scopes of a session key that allow trading here. */
const SCOPES = ['CLOB', 'ALL'];

export const ServerTime = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{10}$/)
      .transform(Number),
  ])
  .refine((seconds) => Number.isInteger(seconds) && seconds > 0, 'no time');
export const isVersionKnown = (body: unknown): boolean =>
  z.object({ version: z.literal(CLOB_VERSION) }).safeParse(body).success;

export const ClosedOnly = z.object({ closed_only: z.boolean() });
export const Geoblock = z.object({ blocked: z.boolean() });
export const SessionSigners = z.object({
  signers: z.array(
    z.object({ address: z.string(), scopes: z.array(z.string()), valid_until: z.int().nonnegative() }),
  ),
});

export type SessionKey = { readonly isValid: boolean; readonly expiresAt: Date | null };

/** The session key among the active ones: a key that is not listed is revoked or expired. */
export function sessionKeyOf(
  { signers }: z.infer<typeof SessionSigners>,
  address: string,
  now: Date,
): SessionKey {
  const own = signers.find((signer) => signer.address.toLowerCase() === address);
  if (own === undefined) return { isValid: false, expiresAt: null };
  const expiresAt = new Date(own.valid_until * SECOND_MS);
  const mayTrade = own.scopes.some((scope) => SCOPES.includes(scope));
  return { isValid: mayTrade && expiresAt > now, expiresAt };
}

export type AccountRights = {
  readonly isBlocked: boolean;
  readonly isClosedOnly: boolean;
  readonly isKeyValid: boolean;
};

/** `close`: sells only, if the venue restricts an account to reducing its positions. */
export function permissionsOf({ isBlocked, isClosedOnly, isKeyValid }: AccountRights): string[] {
  if (isBlocked || !isKeyValid) return ['read'];
  return isClosedOnly ? ['read', 'close'] : ['read', 'trade'];
}

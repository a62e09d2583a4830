import { passkey } from '@better-auth/passkey';
import type { GenericEndpointContext } from 'better-auth';
import { APIError, getSessionFromCtx } from 'better-auth/api';
import { z } from 'zod';
import { DomainError, invalid } from '../../../engine/platform/errors.ts';
import { singleLineText } from '../../../routers/schemas.ts';
import { ISSUER } from './two-factor.ts';

/** The most passkeys of one user. */
export const PASSKEYS_MAX = 20;

export const PASSKEY_PATHS = {
  create: '/passkey/generate-register-options',
  ask: '/passkey/generate-authenticate-options',
  add: '/passkey/verify-registration',
  signIn: '/passkey/verify-authentication',
  rename: '/passkey/update-passkey',
  remove: '/passkey/delete-passkey',
} as const;

/** The name of a passkey; the framework would accept any text. */
const Name = z.looseObject({ name: singleLineText(1, 60) });
export const AddedPasskey = Name.extend({
  response: z.looseObject({}),
  password: z.string().max(128).optional(),
});
export const RenamedPasskey = Name;

/**
 * Passkeys of a device or a password manager, bound to the address of this service. Each counts as both factors: possession,
 * and a PIN, a finger or a face, which every answer must prove.
 *
 * @param publicUrl the address that users open; behind a proxy not that of this process
 */
export const passkeys = (publicUrl: string) =>
  passkey({
    rpID: new URL(publicUrl).hostname,
    rpName: ISSUER,
    origin: new URL(publicUrl).origin,
    // The device stores the passkey with its user, so no e-mail is needed to sign in.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ ctx, verification, user }) => {
        if (!verification.registrationInfo?.userVerified) throw notUnlocked();
        const where = [{ field: 'userId', value: user.id }];
        const known = await ctx.context.adapter.count({ model: 'passkey', where });
        if (known >= PASSKEYS_MAX)
          throw new APIError('BAD_REQUEST', {
            message: `There are ${known} passkeys of at most ${PASSKEYS_MAX}. Remove one first.`,
          });
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw notUnlocked();
      },
    },
  });

const notUnlocked = () =>
  new APIError('UNAUTHORIZED', {
    message: 'The device did not ask for its PIN, a finger or a face. Set one up there, then try again.',
  });

/** The framework reports an unreadable answer of a browser as its own error. */
export const unreadablePasskey = () =>
  invalid(
    [],
    ': the answer of the device is no passkey of this address, or the passkey already belongs to a user.',
  );

/**
 * Demands the password before another sign-in method is added: a session left open is not enough.
 *
 * @throws DomainError `password_required`.
 */
export async function requirePasswordToAddPasskey(
  context: GenericEndpointContext,
  password: string | undefined,
): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (!session) return;
  const { internalAdapter, password: passwords } = context.context;
  const accounts = await internalAdapter.findAccounts(session.user.id);
  const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password;
  if (!hash) return;
  if (password === undefined || !(await passwords.verify({ hash, password })))
    throw DomainError.of('password_required');
}

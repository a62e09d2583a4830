import { DomainError } from '../../engine/platform/errors.ts';
import type { Principal } from '../../routers/principal.ts';
import type { ServiceLimits } from '../http-kit/call-rate-limiter.ts';
import type { Auth } from './auth.ts';
import { accountsUnavailable } from './auth-handler.ts';

const USER = /^session:(.+)$/;

/** Returns the user of a session; undefined for a key. */
export const userOf = ({ actor }: Principal): string | undefined => USER.exec(actor)?.[1];

/**
 * Checks the password of the signed-in user again, counted like any other attempt.
 *
 * @throws DomainError `password_required`, `too_many_auth_failures`.
 */
export const passwordConfirmer =
  (auth: Auth, limits: ServiceLimits) =>
  async (principal: Principal, password: string): Promise<void> => {
    const userId = userOf(principal);
    if (userId === undefined) throw DomainError.of('session_required');
    await limits.countPassword(userId);
    if (!(await isPasswordOf(auth, userId, password))) throw DomainError.of('password_required');
    await limits.forgivePassword(userId);
  };

async function isPasswordOf(auth: Auth, userId: string, password: string): Promise<boolean> {
  try {
    const { internalAdapter, password: passwords } = await auth.$context;
    const accounts = await internalAdapter.findAccounts(userId);
    const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password;
    return hash ? await passwords.verify({ hash, password }) : false;
  } catch (error) {
    throw accountsUnavailable(error);
  }
}

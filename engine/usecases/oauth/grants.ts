import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { refuseNewKey } from '../../trading/keys/create.ts';
import type { SpendingLimits } from '../../trading/keys/spending-limits.ts';
import { hashToken, newSecret } from '../../trading/keys/token.ts';
import type { AccessRequest } from './request.ts';

const DAY_MS = 86_400_000;
/** How long a code can be redeemed. */
export const CODE_LIFETIME_MS = 60_000;
/** Limit of codes of one account that wait to be redeemed. */
const CODES_MAX = 20;

/** The access that a person grants a client, within its request. */
export type GrantedAccess = {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly envelope: SpendingLimits | null;
  /** 1 to 90. */
  readonly lifetimeDays: number;
};

/**
 * Grants a client access, and returns a code. The client can redeem it once, within a minute, for an API key of these rights.
 *
 * @param createdBy id of the session
 * @throws DomainError `account_suspended`, `quota_exceeded`; `validation_failed` for scopes that were not asked for
 */
export function grantAccess(
  work: Work,
  { client, redirectUri, codeChallenge, scopes: requested }: AccessRequest,
  { name, scopes, envelope, lifetimeDays }: GrantedAccess,
  createdBy: string,
): Promise<string> {
  const excess = scopes.filter((scope) => !requested.includes(scope));
  if (excess.length > 0)
    throw new DomainError('validation_failed', `The client did not ask for ${excess.join(', ')}.`);
  return underAccountLock(work, async (tx, now) => {
    await refuseNewKey(tx, now);
    await refuseTooManyCodes(tx, now);
    const code = newSecret();
    await tx.db
      .insertInto('oauth_grant')
      .values({
        account_id: tx.accountId,
        id: tx.newId(),
        client_id: client.id,
        client_name: client.name,
        redirect_uri: redirectUri,
        name,
        scopes: [...scopes],
        envelope: envelope === null ? null : JSON.stringify(envelope),
        ends_at: new Date(now.getTime() + lifetimeDays * DAY_MS),
        actor: tx.actor,
        created_by: createdBy,
        code_hash: hashToken(code),
        code_challenge: codeChallenge,
        code_expires_at: new Date(now.getTime() + CODE_LIFETIME_MS),
      })
      .execute();
    return code;
  });
}

/** Deletes codes that were not redeemed in time, and counts the others. */
async function refuseTooManyCodes({ db, accountId }: Work, now: Date): Promise<void> {
  await db
    .deleteFrom('oauth_grant')
    .where('account_id', '=', accountId)
    .where('key_id', 'is', null)
    .where('code_expires_at', '<', now.toISOString())
    .execute();
  const { waiting } = await db
    .selectFrom('oauth_grant')
    .select(({ fn }) => fn.countAll<string>().as('waiting'))
    .where('account_id', '=', accountId)
    .where('key_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(waiting) < CODES_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    `${waiting} clients were granted access within a minute, of at most ${CODES_MAX}. Try again in a minute.`,
  );
}

/** Deletes the codes that wait to be redeemed. */
export async function dropCodes({ db, accountId }: Work): Promise<void> {
  await db
    .deleteFrom('oauth_grant')
    .where('account_id', '=', accountId)
    .where('key_id', 'is', null)
    .execute();
}

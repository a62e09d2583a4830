import type { Mode } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, type FieldIssue, invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { createLiveTradingAccount } from '../accounts/provision-account.ts';
import { refuseSuspended } from '../accounts/suspension.ts';
import { readCell } from './cell.ts';
import type { SpendingLimits } from './spending-limits.ts';
import { hashToken, newToken } from './token.ts';

const DAY_MS = 86_400_000;
export const KEY_LIFETIME_DEFAULT_DAYS = 90;
export const KEY_LIFETIME_MAX_DAYS = 366;
/** Maximum lifetime of a live key. */
export const LIVE_KEY_LIFETIME_MAX_DAYS = 90;
/** Scope required to trade with real money. */
export const LIVE_SCOPE = 'trade:live';
/** Scope required in addition to approve live orders; without it, a person approves. */
const LIVE_APPROVAL = 'approve:live';

export type NewKey = {
  name: string;
  scopes: readonly string[];
  /** Null for never; absent for 90 days from now. */
  expiresAt?: Date | null | undefined;
  createdBy: string | null;
  /** Mode that it trades in; default `paper`. */
  mode?: Mode;
  envelope?: SpendingLimits | null;
  /** The client that a person granted access; absent for a key that a person keeps. */
  client?: { readonly id: string; readonly name: string; readonly redirectUri: string };
};

export type CreatedKey = {
  id: string;
  /** The secret. Returned only once: only its hash is stored. */
  key: string;
  name: string;
  scopes: readonly string[];
  expiresAt: Date | null;
  createdAt: Date;
};

/**
 * Creates a key.
 *
 * @throws DomainError `account_suspended`, `quota_exceeded`; `validation_failed` for an expiry in the past or over 366 days away.
 *   A live key also needs its scope, an expiry within 90 days and a maximum order.
 */
export async function createKey(work: Work, wanted: NewKey): Promise<CreatedKey> {
  return underAccountLock(work, async (tx, createdAt) => {
    const { mode = 'paper', envelope = null } = wanted;
    const expiresAt = expiryOf(wanted.expiresAt, createdAt, mode);
    refuseUnlimitedLiveKey({ mode, scopes: wanted.scopes, envelope });
    if (mode === 'live') await createLiveTradingAccount(tx, createdAt);
    await refuseNewKey(tx, createdAt);
    const id = newId();
    const key = newToken(await readCell(tx.db));
    await tx.db
      .insertInto('api_key')
      .values({
        account_id: tx.accountId,
        id,
        name: wanted.name,
        token_hash: hashToken(key),
        start: key.slice(0, 8),
        last4: key.slice(-4),
        scopes: [...wanted.scopes],
        mode,
        envelope: envelope === null ? null : JSON.stringify(envelope),
        created_at: createdAt,
        expires_at: expiresAt,
        created_by: wanted.createdBy,
      })
      .execute();
    await audit(tx, {
      action: 'api_key.created',
      mode: null,
      subjectId: id,
      before: null,
      after: {
        name: wanted.name,
        scopes: [...wanted.scopes],
        expiresAt: expiresAt?.toISOString() ?? null,
        ...(envelope !== null && { mode, envelope }),
        ...(wanted.client && { client: wanted.client }),
      },
      at: createdAt,
    });
    return { id, key, name: wanted.name, scopes: wanted.scopes, expiresAt, createdAt };
  });
}

/** Refuses a live key without its scope or a maximum order, and a paper key with live scopes. */
function refuseUnlimitedLiveKey({
  mode,
  scopes,
  envelope,
}: {
  mode: Mode;
  scopes: readonly string[];
  envelope: SpendingLimits | null;
}): void {
  const isLive = mode === 'live';
  const issues: FieldIssue[] = [];
  if (isLive !== scopes.includes(LIVE_SCOPE)) {
    const message = isLive
      ? `a live key needs the scope ${LIVE_SCOPE}`
      : `${LIVE_SCOPE} is a scope of live keys`;
    issues.push({ path: '/scopes', code: 'invalid_value', message });
  }
  if (!isLive && scopes.includes(LIVE_APPROVAL)) {
    const message = `${LIVE_APPROVAL} is a scope of live keys`;
    issues.push({ path: '/scopes', code: 'invalid_value', message });
  }
  if (isLive && envelope?.maxOrder === undefined) {
    issues.push({
      path: '/envelope/maxOrder',
      code: 'required',
      message: 'a live key needs a largest order',
    });
  }
  if (issues.length > 0) throw invalid(issues);
}

function expiryOf(wanted: Date | null | undefined, now: Date, mode: Mode): Date | null {
  const mostDays = mode === 'live' ? LIVE_KEY_LIFETIME_MAX_DAYS : KEY_LIFETIME_MAX_DAYS;
  if (wanted === null && mode !== 'live') return null;
  if (wanted === undefined) return new Date(now.getTime() + KEY_LIFETIME_DEFAULT_DAYS * DAY_MS);
  const lifetimeMs = (wanted?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime();
  if (lifetimeMs > 0 && lifetimeMs <= mostDays * DAY_MS) return wanted;
  const message = `must lie between now and ${mostDays} days from now${mode === 'live' ? '' : '; null means never'}`;
  throw invalid([{ path: '/expiresAt', code: 'out_of_range', message }]);
}

/** @throws DomainError `account_suspended`, `quota_exceeded` if the account has as many valid keys as it may have. */
export async function refuseNewKey(tx: Work, now: Date): Promise<void> {
  await refuseSuspended(tx);
  const { live, keys_max: most } = await tx.db
    .selectFrom('account')
    .select(({ selectFrom }) => [
      'keys_max',
      selectFrom('api_key')
        .select(({ fn }) => fn.countAll<string>().as('live'))
        .whereRef('account_id', '=', 'account.id')
        .where('revoked_at', 'is', null)
        .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
        .as('live'),
    ])
    .where('id', '=', tx.accountId)
    .executeTakeFirstOrThrow();
  if (Number(live) < most) return;
  throw new DomainError(
    'quota_exceeded',
    `The account has ${live} live keys of at most ${most}. Revoke one first.`,
  );
}

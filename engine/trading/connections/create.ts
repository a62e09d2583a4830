import type { Environment, Venue } from '../../../db/vocabulary.ts';
import { ACCESS, environmentsAt } from '../../../venues/trading-access.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import { audit } from '../../platform/audit/audit.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, invalid } from '../../platform/errors.ts';
import { recordEvents } from '../../platform/events/events.ts';
import type { PriceSource } from '../../platform/price-source.ts';
import { sealCredentials, storeCredentials } from './credential-store.ts';
import type { KeyWrapper } from './credentials/key-ring.ts';
import { type ConnectionRow, connectionChangedEvent } from './row.ts';

/** Maximum number of connections of one account that are not revoked. */
export const CONNECTIONS_MAX = 20;

/** Limits that the owner sets for a connection. USD, decimal text; null: no limit. */
export type ConnectionLimits = {
  readonly maxOrder: string | null;
  readonly maxDay: string | null;
  readonly maxOpenNotional: string | null;
};

export type NewConnection = {
  readonly venue: Venue;
  readonly environment: Environment;
  readonly label: string;
  readonly credentials: unknown;
  readonly limits: ConnectionLimits;
  /** The user's attestation: the account is mine, and I may trade at this venue from where I live. */
  readonly isEligible: boolean;
};

/**
 * Creates a connection with sealed credentials of a venue. It must pass its checks before anything is traded.
 *
 * @throws DomainError `validation_failed` for an unreachable environment, malformed credentials, or real money without the
 *   user's attestation; `quota_exceeded`, `credentials_not_kept`.
 */
export async function createConnection(
  work: Work,
  { venue, environment, label, credentials, limits, isEligible }: NewConnection,
  { keys, prices }: { keys: KeyWrapper | null; prices: PriceSource },
): Promise<ConnectionRow> {
  refuseForeignEnvironment(venue, environment);
  const owner = {
    accountId: work.accountId,
    connectionId: work.newId(),
    version: 1,
    venue,
    environment,
  };
  const entered = await sealCredentials(credentials, owner, keys);
  refuseUnreachable(venue, environment, prices);
  if (environment === 'live' && !isEligible) throw ineligible();
  return underAccountLock(work, async (tx, now) => {
    await refuseTooMany(tx);
    const row = await tx.db
      .insertInto('venue_connection')
      .values({
        account_id: tx.accountId,
        id: owner.connectionId,
        venue,
        environment,
        label,
        state: 'unverified',
        state_code: 'not_checked',
        state_reason: 'Its checks have not been made yet.',
        state_at: now,
        key_hint: entered.hint,
        ...columnsOf(limits),
        check_requested_at: now,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await storeCredentials(tx, entered, now);
    await audit(tx, {
      mode: null,
      action: 'venue_connection.created',
      subjectId: row.id,
      before: null,
      after: { venue, environment, label, keyHint: entered.hint, ...limits, isEligible },
      at: now,
    });
    await recordEvents(tx, now, [connectionChangedEvent(row)]);
    return row;
  });
}

/** Returns the stored form of the limits. */
export const columnsOf = ({ maxOrder, maxDay, maxOpenNotional }: ConnectionLimits) => ({
  max_order: maxOrder,
  max_day: maxDay,
  max_open_notional: maxOpenNotional,
});

function refuseForeignEnvironment(venue: Venue, environment: Environment): void {
  const environments: readonly Environment[] = ACCESS[venue].environments;
  if (environments.includes(environment)) return;
  const message = `has to be one of ${environments.join(', ')} for ${venue}`;
  throw invalid([{ path: '/environment', code: 'invalid_value', message }]);
}

function refuseUnreachable(venue: Venue, environment: Environment, prices: PriceSource): void {
  const reachable = environmentsAt(prices, venue);
  if (reachable.includes(environment)) return;
  const where = prices === 'simulator' ? 'at simulated prices' : 'at real prices';
  const message = `has to be ${reachable.join(' or ')} for ${venue} ${where}`;
  throw invalid([{ path: '/environment', code: 'invalid_value', message }]);
}

/** The service cannot verify region and eligibility. The audit trail records the user's attestation, with user and time. */
function ineligible(): DomainError {
  const message =
    'has to be true for real money: the account is yours, and you may trade at this venue from where you live';
  return invalid([{ path: '/isEligible', code: 'custom', message }]);
}

async function refuseTooMany(tx: Work): Promise<void> {
  const { count } = await tx.db
    .selectFrom('venue_connection')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', tx.accountId)
    .where('state', '!=', 'revoked')
    .executeTakeFirstOrThrow();
  if (Number(count) < CONNECTIONS_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    `The account has ${count} connections of at most ${CONNECTIONS_MAX}. Remove one first.`,
  );
}

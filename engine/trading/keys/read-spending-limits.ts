import { sql } from 'kysely';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { Work } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { DomainError } from '../../platform/errors.ts';
import { LIVE_STATUSES } from '../../platform/order-states.ts';
import { statusList } from '../../platform/sql-fragments.ts';
import type { SpendingLimitInputs } from '../../risk/risk-inputs.ts';
import type { SpendingLimits } from './spending-limits.ts';

/**
 * An order: its blueprint, null for any; its deployment, null for a manual order. A stored order has an id, so that it does not
 * count against itself.
 */
type For = { id?: string; blueprintId: string | null; deploymentId: string | null };

/**
 * Reads the spending limits of the key behind an order, at `now`; null if no key with limits is behind it. For an order of a
 * deployment it is the key that deployed; otherwise the acting key. Under the account's lock they stay valid until the
 * transaction ends.
 */
export async function readSpendingLimits(
  tx: Work,
  order: For,
  now: Date,
): Promise<SpendingLimitInputs | null> {
  const key = order.deploymentId === null ? await keyOfActor(tx) : await keyOfDeploy(tx, order.deploymentId);
  if (key === null || key.envelope === null) return null;
  const { maxOrder, maxDay, blueprintIds, alwaysApprove } = key.envelope;
  return {
    keyId: key.id,
    ...(maxOrder !== undefined && { maxOrder }),
    ...(maxDay !== undefined && { maxDay }),
    ...(alwaysApprove !== undefined && { alwaysApprove }),
    spentToday: await spentSince(tx, key.id, utcDay(now), order.id),
    isOutside:
      blueprintIds !== undefined && (order.blueprintId === null || !blueprintIds.includes(order.blueprintId)),
    hasEnded: hasKeyEnded(key, now),
  };
}

/** Returns the spending limits of the acting key; null for a session, or for a key without limits. */
export const spendingLimitsOfActor = async (tx: Work): Promise<SpendingLimits | null> =>
  (await keyOfActor(tx))?.envelope ?? null;

type BoundKey = {
  id: string;
  envelope: SpendingLimits | null;
  expires_at: string | null;
  revoked_at: string | null;
};

const hasKeyEnded = ({ revoked_at, expires_at }: BoundKey, now: Date): boolean =>
  revoked_at !== null || (expires_at !== null && new Date(expires_at) <= now);

/**
 * Refuses a key that has ended while its request waited. Call under the account's lock.
 *
 * @throws DomainError `credentials_invalid`.
 */
export async function refuseEndedKey(tx: Work, now: Date): Promise<void> {
  const key = await keyOfActor(tx);
  if (key !== null && hasKeyEnded(key, now)) throw DomainError.of('credentials_invalid');
}

const KEY = sql.raw('k.id, k.envelope, k.expires_at, k.revoked_at');

async function keyOfActor({ db, accountId, actor }: Work): Promise<BoundKey | null> {
  if (!actor.startsWith('key:')) return null;
  const { rows } = await sql<BoundKey>`select ${KEY} from api_key k
    where k.account_id = ${accountId} and 'key:' || k.id = ${actor}`.execute(db);
  return rows[0] ?? null;
}

async function keyOfDeploy({ db, accountId }: Work, deploymentId: string): Promise<BoundKey | null> {
  const { rows } = await sql<BoundKey>`select ${KEY} from deployment d
    join release r on r.account_id = d.account_id and r.blueprint_id = d.blueprint_id and r.number = d.release_number
    join api_key k on k.account_id = r.account_id and 'key:' || k.id = r.deployed_by and k.envelope is not null
    where d.account_id = ${accountId} and d.id = ${deploymentId}`.execute(db);
  return rows[0] ?? null;
}

/** Sums buys that the key caused since 00:00 UTC, and buys of others that it approved since. */
async function spentSince(
  { db, accountId, mode }: Work,
  keyId: string,
  day: string,
  leaveOut: string | null = null,
): Promise<string> {
  const since = sql`${day}::date::timestamp at time zone 'UTC'`;
  const { rows } = await sql<{ spent: string }>`
    select coalesce(sum(case when status in ${statusList(LIVE_STATUSES)} then size else filled_notional end), 0) as spent
    from trade_order
    where account_id = ${accountId} and mode = ${mode} and side = 'buy' and id is distinct from ${leaveOut}::uuid
      and (created_at >= ${since} and receipt->'envelope'->>'keyId' = ${keyId}
        or queued_at >= ${since} and approved_by = 'key:' || ${keyId})`.execute(db);
  return exact(rows[0]?.spent ?? 0).toFixed();
}

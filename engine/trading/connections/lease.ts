/**
 * Leases of connections: one process at a time trades through a connection. Only the database's clock counts. `lease_epoch`
 * rises with every new owner, so that a process that was suspended detects the loss before it sends.
 */
import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { isLeased, leaseEnd } from '../../platform/jobs/lease.ts';

/** A leased connection, with the epoch of its lease. */
export type ConnectionLease = {
  readonly accountId: string;
  readonly connectionId: string;
  readonly epoch: string;
};

/** Claims every connection without a valid lease, except removed ones. */
export async function claimConnections(db: Db, owner: string, leaseMs: number): Promise<ConnectionLease[]> {
  const { rows } = await sql<LeaseRow>`
    with free as (
      select c.account_id, c.id from venue_connection c
      where c.state <> 'revoked' and ${isLeased('c.leased_until', leaseMs)} is not true
      for update skip locked
    )
    update venue_connection c set lease_owner = ${owner}, lease_epoch = c.lease_epoch + 1, leased_until = ${leaseEnd(leaseMs)}
    from free where c.account_id = free.account_id and c.id = free.id
    returning c.account_id, c.id, c.lease_epoch`.execute(db);
  return rows.map(leaseOf);
}

/** Extends these leases; returns those still held. The lease of a removed connection is not. */
export async function renewConnections(
  db: Db,
  leases: readonly ConnectionLease[],
  leaseMs: number,
): Promise<ConnectionLease[]> {
  if (leases.length === 0) return [];
  const { rows } = await sql<LeaseRow>`
    update venue_connection c set leased_until = ${leaseEnd(leaseMs)}
    from ${asTable(leases)}
    where c.account_id = mine.account_id and c.id = mine.id and c.lease_epoch = mine.epoch
      and c.leased_until > clock_timestamp() and c.state <> 'revoked'
    returning c.account_id, c.id, c.lease_epoch`.execute(db);
  return rows.map(leaseOf);
}

/** Releases leases at once. Connections leased by another process by now are unchanged. */
export async function releaseConnections(db: Db, leases: readonly ConnectionLease[]): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    update venue_connection c set leased_until = null, lease_owner = null
    from ${asTable(leases)}
    where c.account_id = mine.account_id and c.id = mine.id and c.lease_epoch = mine.epoch`.execute(db);
}

const asTable = (leases: readonly ConnectionLease[]) =>
  sql`unnest(${leases.map(({ accountId }) => accountId)}::uuid[], ${leases.map(({ connectionId }) => connectionId)}::uuid[],
    ${leases.map(({ epoch }) => epoch)}::bigint[]) as mine(account_id, id, epoch)`;

type LeaseRow = { account_id: string; id: string; lease_epoch: string };

const leaseOf = ({ account_id, id, lease_epoch }: LeaseRow): ConnectionLease => ({
  accountId: account_id,
  connectionId: id,
  epoch: lease_epoch,
});

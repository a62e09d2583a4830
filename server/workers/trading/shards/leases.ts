/**
 * Leases on shards of the running deployments. Only the database's clock applies to a lease. `fence` rises with every new
 * owner. An owner writes `where fence = mine`, so a replaced owner writes nothing.
 */
import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import { isLeased, leaseEnd } from '../../../../engine/platform/jobs/lease.ts';

export type Lease = {
  shard: number;
  fence: string;
  /** The instant of the last tick, by any owner, epoch ms; null if the shard was at rest. */
  lastTickMs: number | null;
};

/** The result of a tick, stored on the shard's row. */
export type TickMark = { instantMs: number; lagMs: number; skipped: number };

export async function ensureShards(db: Db, shardCount: number): Promise<void> {
  await sql`insert into shard (id) select generate_series(0, ${shardCount - 1}::int) on conflict do nothing`.execute(
    db,
  );
}

const isShardLeased = (leaseMs: number) => isLeased('s.lease_until', leaseMs);
const HAS_LIVE_DEPLOYMENTS = sql`exists (select 1 from deployment d where d.shard = s.id and d.ended_at is null)`;

/**
 * Takes free shards with live deployments: all of them, or with other owners only this one's share. So the survivors of a dead
 * process share its shards.
 */
export async function claimFreeShards(db: Db, owner: string, leaseMs: number): Promise<Lease[]> {
  const { rows } = await sql<LeaseRow>`
    with free as (
      select s.id from shard s
      where ${isShardLeased(leaseMs)} is not true and ${HAS_LIVE_DEPLOYMENTS}
      order by s.id
      limit (select ceil(
          (select count(*) from shard s where ${isShardLeased(leaseMs)} is not true and ${HAS_LIVE_DEPLOYMENTS})
          / (1 + count(distinct s.owner))::numeric)::int
        from shard s where ${isShardLeased(leaseMs)} and s.owner <> ${owner})
      for update of s skip locked
    )
    update shard set owner = ${owner}, fence = fence + 1, lease_until = ${leaseEnd(leaseMs)}
    from free where shard.id = free.id
    returning shard.id, shard.fence, shard.last_tick_at`.execute(db);
  return rows.map(leaseOf);
}

/**
 * Takes one shard from the owner with the most, if this one has less than its share. The other owner notices at its next write,
 * which the fence blocks. Nothing is lost, because its last evaluation is repeated here.
 */
export async function takeFromLargestOwner(db: Db, owner: string, leaseMs: number): Promise<Lease[]> {
  const { rows } = await sql<LeaseRow>`
    with held as (
      select s.owner, count(*) as shards from shard s where ${isShardLeased(leaseMs)} group by s.owner
    ), mine as (
      select coalesce((select shards from held where owner = ${owner}), 0) as shards,
        (select floor(sum(shards) / (count(*) filter (where owner <> ${owner}) + 1)) from held) as fair
    ), victim as (
      select s.id from shard s join held h on h.owner = s.owner, mine
      where ${isShardLeased(leaseMs)} and h.owner <> ${owner}
        and mine.shards < mine.fair and h.shards > mine.fair
      order by h.shards desc, s.id
      limit 1 for update of s skip locked
    )
    update shard set owner = ${owner}, fence = fence + 1, lease_until = ${leaseEnd(leaseMs)}
    from victim where shard.id = victim.id
    returning shard.id, shard.fence, shard.last_tick_at`.execute(db);
  return rows.map(leaseOf);
}

/** Extends a lease and stores the tick. False: another owner has the shard now, and nothing was written. */
export async function renewLease(
  db: Db,
  { shard, fence }: Pick<Lease, 'shard' | 'fence'>,
  { instantMs, lagMs, skipped }: TickMark,
  leaseMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update shard set lease_until = ${leaseEnd(leaseMs)}, last_tick_at = ${new Date(instantMs)},
      lag_ms = ${Math.min(Math.max(0, Math.round(lagMs)), 2_147_483_647)}, skipped_ticks = skipped_ticks + ${skipped}
    where id = ${shard} and fence = ${fence}`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Returns the lease with a new fence, once every write under the old one has ended. Waits for writes in progress, and blocks
 * those still on their way. Null: another owner has the shard now.
 */
export async function refreshFence(db: Db, { shard, fence }: Lease, leaseMs: number): Promise<Lease | null> {
  const { rows } = await sql<LeaseRow>`
    update shard set fence = fence + 1, lease_until = ${leaseEnd(leaseMs)}
    where id = ${shard} and fence = ${fence}
    returning id, fence, last_tick_at`.execute(db);
  const [row] = rows;
  return row === undefined ? null : leaseOf(row);
}

/**
 * Extends leases between ticks, for periods and ticks that are longer than a lease. Skips those that a tick is just renewing;
 * the tick itself detects a lost one.
 */
export async function extendLeases(
  db: Db,
  leases: readonly Pick<Lease, 'shard' | 'fence'>[],
  leaseMs: number,
): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    update shard set lease_until = ${leaseEnd(leaseMs)}
    from (select s.id from shard s join ${asTable(leases)} on s.id = mine.id and s.fence = mine.fence
      for update of s skip locked) as held
    where shard.id = held.id`.execute(db);
}

/** Releases shards at once. Skips those that have another owner by now. */
export async function releaseShards(
  db: Db,
  leases: readonly Pick<Lease, 'shard' | 'fence'>[],
): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    update shard set lease_until = null, owner = null
    from ${asTable(leases)} where shard.id = mine.id and shard.fence = mine.fence`.execute(db);
}

/** Lets a shard without live deployments rest; the time until it has some again is not a delay. */
export async function restShard(db: Db, { shard, fence }: Pick<Lease, 'shard' | 'fence'>): Promise<void> {
  await sql`
    update shard set lease_until = null, owner = null, last_tick_at = null, lag_ms = 0
    where id = ${shard} and fence = ${fence}`.execute(db);
}

const asTable = (leases: readonly Pick<Lease, 'shard' | 'fence'>[]) =>
  sql`unnest(${leases.map(({ shard }) => shard)}::int[], ${leases.map(({ fence }) => fence)}::bigint[])
    as mine(id, fence)`;

type LeaseRow = { id: number; fence: string; last_tick_at: string | null };

const leaseOf = ({ id, fence, last_tick_at }: LeaseRow): Lease => ({
  shard: id,
  fence,
  lastTickMs: last_tick_at === null ? null : Date.parse(last_tick_at),
});

/** Stores a tick in one short transaction: the lease, changed memories and states, and the raised intents. */
import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import type { Intent } from '../../../../engine/strategy/graph/types.ts';
import { type Lease, renewLease, type TickMark } from './leases.ts';

/** The changes of a deployment's step. JSON texts; null leaves the stored value unchanged. */
export type DeploymentStepChange = {
  accountId: string;
  deploymentId: string;
  memory: string | null;
  nodeStates: string | null;
  intents: readonly Intent[];
};

export type StoreOptions = { db: Db; lease: Lease; mark: TickMark; leaseMs: number; now: Date };

/**
 * Stores a tick, all or nothing. False: the lease has another owner, and nothing was written. Deployments moved to another
 * shard meanwhile are skipped. Locks no account, so that a tick and a user's command never wait for each other.
 */
export async function storeTick(
  options: StoreOptions,
  changes: readonly DeploymentStepChange[],
): Promise<boolean> {
  const { db, lease, mark, leaseMs } = options;
  if (changes.length === 0) return renewLease(db, lease, mark, leaseMs);
  return inTransaction(db, async (tx) => {
    if (!(await renewLease(tx, lease, mark, leaseMs))) return false;
    await updateMemories(tx, options, changes);
    await storeNodes(tx, options, changes);
    await insertRequests(tx, lease, changes);
    return true;
  });
}

/** Memory changes with every candle: its row is small, and stored separately. */
async function updateMemories(
  tx: Db,
  { now, lease }: Pick<StoreOptions, 'now' | 'lease'>,
  changes: readonly DeploymentStepChange[],
): Promise<void> {
  const rows = changes.filter(({ memory }) => memory !== null);
  if (rows.length === 0) return;
  await sql`
    update deployment_state s set memory = c.memory::jsonb, updated_at = ${now}
    from ${keyed(rows, (row) => row.memory)} as c(account_id, deployment_id, memory)
    join deployment d on d.account_id = c.account_id and d.id = c.deployment_id and d.shard = ${lease.shard} and d.ended_at is null
    where s.account_id = c.account_id and s.deployment_id = c.deployment_id`.execute(tx);
}

async function storeNodes(
  tx: Db,
  { now, lease }: Pick<StoreOptions, 'now' | 'lease'>,
  changes: readonly DeploymentStepChange[],
): Promise<void> {
  const rows = changes.filter(({ nodeStates }) => nodeStates !== null);
  if (rows.length === 0) return;
  await sql`
    insert into deployment_nodes (account_id, deployment_id, states, updated_at)
    select c.account_id, c.deployment_id, c.states::jsonb, ${now}
    from ${keyed(rows, (row) => row.nodeStates)} as c(account_id, deployment_id, states)
    join deployment d on d.account_id = c.account_id and d.id = c.deployment_id and d.shard = ${lease.shard} and d.ended_at is null
    on conflict (account_id, deployment_id) do update set states = excluded.states, updated_at = excluded.updated_at`.execute(
    tx,
  );
}

const keyed = (rows: readonly DeploymentStepChange[], textOf: (row: DeploymentStepChange) => string | null) =>
  sql`unnest(${rows.map((row) => row.accountId)}::uuid[], ${rows.map((row) => row.deploymentId)}::uuid[], ${rows.map(textOf)}::text[])`;

async function insertRequests(tx: Db, lease: Lease, changes: readonly DeploymentStepChange[]): Promise<void> {
  const rows = changes.flatMap(({ accountId, deploymentId, intents }) =>
    intents.map((intent, position) => ({ accountId, deploymentId, intent, position })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into intent_request (account_id, deployment_id, node_id, step_at, position, intent, created_at)
    select c.account_id, c.deployment_id, c.node_id, c.step_at, c.position, c.intent::jsonb, clock_timestamp()
    from unnest(${rows.map((row) => row.accountId)}::uuid[], ${rows.map((row) => row.deploymentId)}::uuid[],
      ${rows.map((row) => row.intent.nodeId)}::text[],
      ${rows.map((row) => new Date(row.intent.stepAt).toISOString())}::timestamptz[],
      ${rows.map((row) => row.position)}::int[], ${rows.map((row) => JSON.stringify(row.intent))}::text[])
      as c(account_id, deployment_id, node_id, step_at, position, intent)
    join deployment d on d.account_id = c.account_id and d.id = c.deployment_id and d.shard = ${lease.shard} and d.ended_at is null
    on conflict do nothing`.execute(tx);
}

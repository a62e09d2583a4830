/** Invariants that hold at any moment, with or without load. */

import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';

/** An order is sent within 30 s of its approval or never. */
const LATE_SEC = 60;
/** A shard without a tick for this time has no owner. */
const PAUSE_SEC = 20;

/** One sentence for each violated invariant. */
export async function findBroken(db: Db): Promise<string[]> {
  const broken = (await verifyLedger(db)).map((difference) => `ledger: ${JSON.stringify(difference)}`);
  const { rows } = await sql<{ doubled: number; late: number; resting: number; stale: boolean }>`
    select (select count(*)::int from (select from trade_order where deployment_id is not null
        group by account_id, deployment_id, node_id, step_at having count(*) > 1) d) as doubled,
      (select count(*)::int from trade_order where status in ('queued', 'submitted', 'unknown')
        and created_at < clock_timestamp() - make_interval(secs => ${LATE_SEC})) as late,
      (select count(*)::int from shard s where last_tick_at < clock_timestamp() - make_interval(secs => ${PAUSE_SEC})
        and exists (select from deployment where shard = s.id)) as resting,
      not exists (select from quote where as_of > clock_timestamp() - interval '15 seconds') as stale`.execute(
    db,
  );
  const [seen] = rows;
  if (seen === undefined) return broken;
  if (seen.doubled > 0) broken.push(`${seen.doubled} steps of a node have more than one order`);
  if (seen.late > 0) broken.push(`${seen.late} orders wait for more than ${LATE_SEC} s`);
  if (seen.resting > 0) broken.push(`${seen.resting} shards were not ticked for ${PAUSE_SEC} s`);
  if (seen.stale) broken.push('no quote is younger than 15 s');
  return broken;
}

import { sql } from 'kysely';
import type { Work } from '../../../platform/context.ts';
import { type InstrumentRow, instrumentOf, type OrderRow } from '../row.ts';
import type { DeploymentSendState } from './plan-submission.ts';
import type { LeasedConnection } from './route-state.ts';

/** Stored state that decides whether an order is sent, in addition to the order. */
export type SubmissionFacts = {
  readonly instrument: InstrumentRow;
  /** The raising deployment: null without one, undefined if it does not exist. */
  readonly fence: DeploymentSendState | undefined | null;
  /** Its connection; null if the lease is not valid. */
  readonly leased: LeasedConnection | null;
};

/** Reads it in one statement, because a live order waits for each statement. Call under the account's lock. */
export async function readSubmissionFacts(
  tx: Work,
  { token_id, deployment_id, connection_id }: OrderRow,
  leaseEpoch: string | null,
): Promise<SubmissionFacts> {
  const { deployment, ended_at, halted, connection_state, reconciled_at, ...instrument } = await tx.db
    .selectFrom('instrument as i')
    .leftJoin('deployment as d', (join) =>
      join.on('d.account_id', '=', tx.accountId).on('d.id', '=', deployment_id),
    )
    .leftJoin('deployment_state as s', (join) =>
      join.onRef('s.account_id', '=', 'd.account_id').onRef('s.deployment_id', '=', 'd.id'),
    )
    .leftJoin('venue_connection as c', (join) =>
      join
        .on('c.account_id', '=', tx.accountId)
        .on('c.id', '=', connection_id)
        .on('c.lease_epoch', '=', leaseEpoch)
        .on(sql<boolean>`c.leased_until > clock_timestamp()`),
    )
    .selectAll('i')
    .select([
      'd.id as deployment',
      'd.ended_at',
      's.halted',
      'c.state as connection_state',
      'c.reconciled_at',
    ])
    .where('i.token_id', '=', token_id)
    .executeTakeFirstOrThrow();
  const found = deployment === null ? undefined : { ended_at, halted };
  return {
    instrument: instrumentOf(instrument),
    fence: deployment_id === null ? null : found,
    leased: connection_state === null ? null : { state: connection_state, reconciled_at },
  };
}

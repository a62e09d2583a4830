import { sql } from 'kysely';
import type { Work } from '../../../platform/context.ts';
import { LIVE_STATUSES } from '../../../platform/order-states.ts';

/**
 * Returns the instruments that a blueprint holds, or has live orders of: pending, queued or at the venue; and those of the
 * undecided intents of its deployment.
 */
export async function readNeededInstruments(work: Work, blueprintId: string): Promise<string[]> {
  const { rows } = await sql<{ token_id: string }>`
    select token_id from position
      where account_id = ${work.accountId} and mode = ${work.mode} and blueprint_id = ${blueprintId} and amount > 0
    union select token_id from trade_order
      where account_id = ${work.accountId} and mode = ${work.mode} and blueprint_id = ${blueprintId}
        and status = any(${[...LIVE_STATUSES]}::text[])
    union select q.intent ->> 'tokenId' from intent_request q
      join deployment d on d.account_id = q.account_id and d.id = q.deployment_id
      where d.account_id = ${work.accountId} and d.blueprint_id = ${blueprintId} and d.ended_at is null`.execute(
    work.db,
  );
  return rows.map(({ token_id }) => token_id);
}

import { underAccountLock } from '../../../platform/account-lock.ts';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { recordEvents } from '../../../platform/events/events.ts';
import { type BlueprintRow, lockBlueprint, readBlueprint } from '../drafts/row.ts';
import { endDeployment } from './end-deployment.ts';

const URGENT = { isUrgent: true };

/**
 * Stops a blueprint in the mode of the work; a run in another mode continues. After it returns, nothing of its deployment is
 * created, cleared or sent. Orders already at a venue get a cancel and may fill until the venue confirms. Positions stay.
 * Stopping a stopped blueprint changes nothing.
 *
 * @throws DomainError `not_found`, `invalid_state` for a draft.
 */
export async function stopBlueprint(
  work: Work,
  id: string,
  reason = 'stopped by request',
): Promise<BlueprintRow> {
  return underAccountLock(
    work,
    async (tx, at) => {
      const row = await lockBlueprint(tx, id);
      if (row.runs_in === tx.mode) await stopLocked(tx, row, at, reason);
      const stopped = await readBlueprint(tx, id);
      if (stopped.status === 'draft') {
        throw new DomainError(
          'invalid_state',
          'The blueprint is a draft: it was never deployed, so there is nothing to stop.',
        );
      }
      return stopped;
    },
    URGENT,
  );
}

/** Stops everything of the account that runs in the mode of the work, in one transaction. Returns how many were stopped. */
export async function stopAllBlueprints(work: Work): Promise<number> {
  return underAccountLock(
    work,
    async (tx, at) => {
      const rows = await tx.db
        .selectFrom('blueprint')
        .select(['id', 'status', 'version'])
        .where('account_id', '=', tx.accountId)
        .where('status', 'in', ['running', 'error'])
        .where('deleted_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('deployment as d')
                .select('d.id')
                .whereRef('d.account_id', '=', 'blueprint.account_id')
                .whereRef('d.blueprint_id', '=', 'blueprint.id')
                .where('d.mode', '<>', tx.mode)
                .where('d.ended_at', 'is', null),
            ),
          ),
        )
        .orderBy('id')
        .forUpdate()
        .execute();
      for (const row of rows) await stopLocked(tx, row, at, 'everything stopped by request');
      return rows.length;
    },
    URGENT,
  );
}

type Stoppable = { id: string; status: string; version: number };

async function stopLocked(tx: Work, row: Stoppable, at: Date, reason: string): Promise<void> {
  const deploymentId = await endDeployment(tx, row.id, at, reason);
  await tx.db
    .updateTable('blueprint')
    .set({ status: 'stopped', version: row.version + 1, updated_at: at })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', row.id)
    .execute();
  await audit(tx, {
    action: 'blueprint.stopped',
    subjectId: row.id,
    before: { status: row.status },
    after: { status: 'stopped', deploymentId, reason },
    at,
  });
  await recordEvents(tx, at, [{ type: 'blueprint.changed', payload: { id: row.id, status: 'stopped' } }]);
}

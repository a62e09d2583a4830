import type { Json } from '../../../db/json.ts';
import type { Work } from '../context.ts';
import { newId } from '../ids.ts';

export type AuditEntry = {
  /** `subject.verb`, such as `risk_rules.changed`. */
  action: string;
  /** Null if it concerns no mode; absent: the mode of the work. */
  mode?: null;
  /** Absent: the actor of the work. */
  actor?: string;
  subjectId: string | null;
  before: Json;
  after: Json;
  at: Date;
};

/** Records changes and their actors, in the transaction of the changes. */
export async function audit(tx: Work, ...entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.db
    .insertInto('audit_event')
    .values(
      entries.map(({ at, action, actor = tx.actor, mode = tx.mode, subjectId, before, after }) => ({
        account_id: tx.accountId,
        id: newId(),
        at,
        actor,
        action,
        mode,
        subject_id: subjectId,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        request_id: tx.requestId,
      })),
    )
    .execute();
}

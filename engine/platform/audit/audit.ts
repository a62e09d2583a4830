import type { Json } from '../../../db/json.ts';
import type { Work } from '../context.ts';
import { newId } from '../ids.ts';

export type AuditEntry = {
  /** `subject.verb`, such as `risk_rules.changed`. */
  action: string;
  /** Null if it concerns no mode; absent: the mode of the work. */
  mode?: null;
  subjectId: string | null;
  before: Json;
  after: Json;
  at: Date;
};

/** Records a change and its actor, in the transaction of the change. */
export async function audit(tx: Work, entry: AuditEntry): Promise<void> {
  await tx.db
    .insertInto('audit_event')
    .values({
      account_id: tx.accountId,
      id: newId(),
      at: entry.at,
      actor: tx.actor,
      action: entry.action,
      mode: entry.mode === undefined ? tx.mode : null,
      subject_id: entry.subjectId,
      before: JSON.stringify(entry.before),
      after: JSON.stringify(entry.after),
      request_id: tx.requestId,
    })
    .execute();
}
